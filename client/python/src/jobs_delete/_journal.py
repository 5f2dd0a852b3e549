"""Journals: what a call has sent, so that a later call can continue it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from types import TracebackType
from typing import Any, Protocol

from ._errors import JournalError, ProblemEntry, ProblemError


@dataclass(frozen=True)
class Accepted:
    #: None in the sandbox.
    deletion_id: str | None


@dataclass(frozen=True)
class RefusedJob:
    job_id: str
    reason: ProblemEntry


@dataclass(frozen=True)
class Refused:
    """The server refused these jobs. The rest follows in a request with another key."""

    jobs: Sequence[RefusedJob]


@dataclass(frozen=True)
class TooLarge:
    """Two halves follow in requests with other keys."""


@dataclass(frozen=True)
class Failed:
    """The refusal ends the call."""

    problem: ProblemError


#: Only ``Accepted`` deletes jobs. All others refuse the request as a whole and do not use its key up.
RequestOutcome = Accepted | Refused | TooLarge | Failed


@dataclass(frozen=True)
class UnfinishedRequest:
    """A request without an outcome: it may have been accepted. Only its own key shows whether it was."""

    idempotency_key: str
    job_ids: Sequence[str]
    #: Allows to split the request under new keys if the server finds it too large.
    may_split: bool = False


class Journal(Protocol):
    """Records the requests of a call. An error that a method raises ends the call."""

    def on_start(self, base_url: str, sandbox: bool) -> None:
        """Called first, with where the requests go."""

    def on_request(self, idempotency_key: str, job_ids: Sequence[str]) -> None:
        """Stores the request. It is sent when the method returns."""

    def on_outcome(self, idempotency_key: str, outcome: RequestOutcome) -> None:
        """Stores the outcome."""

    def unfinished(self) -> Iterable[UnfinishedRequest]:
        """Returns the requests of earlier calls without an outcome. They are sent first."""

    def is_recorded(self, job_id: str) -> bool:
        """Tells which ids an earlier call has recorded. They are not sent again."""


_KEY_LIFETIME = timedelta(hours=24)


class FileJournal:
    """A journal in a file. The TypeScript client reads and writes the same lines.

    A call with the journal of an earlier call, and the same ids, continues that call: it sends the requests without an
    outcome again with their keys, and then only ids that the journal does not have. One process at a time may use the
    file. Only its owner can read it.

    :param resend_expired: sends requests without an outcome again, even if the server may have forgotten their keys
        after 24 hours. A job that was posted again under its id may then be deleted.
    :raises JournalError: if the file is no journal, or if a key in it may have expired
    """

    def __init__(self, path: str | os.PathLike[str], *, resend_expired: bool = False) -> None:
        self._path = os.fspath(path)
        self._resend_expired = resend_expired
        self._start: tuple[str, bool] | None = None
        #: Requests without an outcome, by key.
        self._sent: dict[str, dict[str, Any]] = {}
        #: Ids with an outcome.
        self._recorded: set[str] = set()
        #: Ids of the requests that this call sends again. It also sends what is left of them, so they stay.
        self._resent: set[str] = set()
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            self._read()
            self._require_fresh_keys()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> FileJournal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        os.close(self._file)

    def on_start(self, base_url: str, sandbox: bool) -> None:
        if self._start is None:
            self._write({"kind": "start", "version": 1, "base_url": base_url, "sandbox": sandbox})
            self._start = (base_url, sandbox)
            # Without its name, a power cut would lose the journal, and with it the keys of its requests.
            _sync_folder(os.path.dirname(os.path.abspath(self._path)))
        elif self._start != (base_url, sandbox):
            of_sandbox = "the sandbox of " if self._start[1] else ""
            raise JournalError(
                f"{self._path} belongs to a call to {of_sandbox}{self._start[0]}. Name another journal."
            )
        self._resent = {job_id for line in self._sent.values() for job_id in line["job_ids"]}

    def on_request(self, idempotency_key: str, job_ids: Sequence[str]) -> None:
        # The key expires after the first attempt.
        if idempotency_key in self._sent:
            return
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self._write({"kind": "sent", "key": idempotency_key, "job_ids": list(job_ids), "at": now})
        # A lost outcome costs only a repetition. A lost key would cost the outcome.
        os.fsync(self._file)

    def on_outcome(self, idempotency_key: str, outcome: RequestOutcome) -> None:
        line: dict[str, Any]
        if isinstance(outcome, Accepted):
            line = {"kind": "accepted", "key": idempotency_key, "deletion_id": outcome.deletion_id}
        elif isinstance(outcome, Refused):
            jobs = [
                {"job_id": job.job_id, "code": job.reason.code, "message": job.reason.message} for job in outcome.jobs
            ]
            line = {"kind": "refused", "key": idempotency_key, "jobs": jobs}
        else:
            code = "too_large" if isinstance(outcome, TooLarge) else outcome.problem.code
            line = {"kind": "reopened", "key": idempotency_key, "code": code}
        self._write(line)

    def unfinished(self) -> Iterable[UnfinishedRequest]:
        self._require_fresh_keys()
        return [
            UnfinishedRequest(line["key"], line["job_ids"], self._resend_expired) for line in self._sent.values()
        ]

    def is_recorded(self, job_id: str) -> bool:
        return job_id in self._recorded or job_id in self._resent

    def _write(self, line: dict[str, Any]) -> None:
        """Writes the whole line or nothing: a later line must not follow a part of this one."""
        size = os.fstat(self._file).st_size
        rest = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except BaseException:
            os.ftruncate(self._file, size)
            raise
        if line["kind"] != "start":
            self._apply(line)

    def _read(self) -> None:
        """Removes a last line that a crash has cut."""
        with open(self._path, "rb") as file:
            content = file.read()
        end = content.rfind(b"\n") + 1
        for number, text in enumerate(content[:end].splitlines(), 1):
            line = _parse(text)
            if line is None or (line["kind"] == "start") != (number == 1):
                raise JournalError(f"{self._path} is no journal, or is damaged at line {number}")
            if number == 1:
                # The command stores more than its calls have in common with those of this client.
                if "run" in line:
                    raise JournalError(f"{self._path} belongs to another program. Name another journal.")
                self._start = (line["base_url"], line["sandbox"])
            else:
                self._apply(line)
        if self._start is None and content:
            raise JournalError(f"{self._path} is no journal")
        if len(content) > end:
            os.ftruncate(self._file, end)

    def _apply(self, line: dict[str, Any]) -> None:
        if line["kind"] == "sent":
            self._sent[line["key"]] = line
            return
        sent = self._sent.pop(line["key"], {"job_ids": []})
        if line["kind"] == "accepted":
            self._recorded.update(sent["job_ids"])
        # The rest of a refused request is still to be sent.
        elif line["kind"] == "refused":
            self._recorded.update(job["job_id"] for job in line["jobs"])

    def _require_fresh_keys(self) -> None:
        oldest = min((str(line["at"]) for line in self._sent.values()), default=None)
        if self._resend_expired or oldest is None:
            return
        if datetime.fromisoformat(oldest.replace("Z", "+00:00")) < datetime.now(timezone.utc) - _KEY_LIFETIME:
            raise JournalError(
                f"{self._path}: a request of {oldest} has no outcome, and its key may have expired. Set "
                "resend_expired to send its jobs again: a job that was posted again under its id may then be deleted."
            )


def _parse(text: bytes) -> dict[str, Any] | None:
    try:
        line = json.loads(text)
    except ValueError:
        return None
    kinds = ("start", "sent", "accepted", "refused", "reopened")
    is_known = isinstance(line, dict) and line.get("kind") in kinds
    return line if is_known and (line["kind"] != "start" or line.get("version") == 1) else None


def _sync_folder(path: str) -> None:
    """Makes the names in a folder durable. Windows cannot open a folder; NTFS journals the names."""
    if os.name == "nt":
        return
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
