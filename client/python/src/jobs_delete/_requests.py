"""Requests and their retries, without input or output.

Steps are generators: they yield what a client has to do, and get its result. So both clients share them.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Literal, TypeVar
from urllib.parse import quote, urlencode
from xml.sax.saxutils import escape

from ._errors import ConnectionError, DeletionCancelledError, problem_of
from ._options import Attempt, Format, Options, Retry


@dataclass(frozen=True)
class Send:
    """Send a request. Its result is an ``Answer``, its error a ``ConnectionError``."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None


@dataclass(frozen=True)
class Pause:
    """Wait. Its result is None."""

    seconds: float


@dataclass(frozen=True)
class Answer:
    status: int
    #: With names in lower case.
    headers: Mapping[str, str]
    text: str
    #: True if an earlier attempt may have had an effect.
    is_repeated: bool = False


T = TypeVar("T")
Effect = Send | Pause
Steps = Generator[Effect, Answer | None, T]

TRANSIENT_STATUSES = (429, 502, 503, 504)

# Addresses that have answered. A name that is not found later is an outage of the name service.
_reached: set[str] = set()


def send_with_retries(
    options: Options, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes | None = None
) -> Steps[Answer]:
    """Sends a request until it has an answer that a retry would not change.

    Raises ``ConnectionError`` or ``ProblemError`` once ``retry_for`` is over, and ``ConnectionError`` at once if no retry can
    help.
    """
    deadline = time.monotonic() + options.retry_for
    request = Send(method, options.base_url.rstrip("/") + path, {**options.headers, **(headers or {})}, body)
    is_repeated = False
    attempt = 0
    while True:
        attempt += 1
        if options.on_request is not None:
            options.on_request(Attempt(method, request.url, attempt))
        error: Exception
        after: float | None = None
        try:
            answer = yield request
            assert answer is not None
            _reached.add(options.base_url)
            if answer.status not in TRANSIENT_STATUSES:
                return Answer(answer.status, answer.headers, answer.text, is_repeated)
            error = problem_of(answer.status, answer.headers, answer.text)
            after = _retry_after(answer.headers)
            # A request over the quota has no effect.
            is_repeated = is_repeated or answer.status != 429
        except ConnectionError as lost:
            if lost.is_hopeless or (lost.is_unknown_host and options.base_url not in _reached):
                raise
            error = lost
            is_repeated = True
        pause = _backoff(attempt) if after is None else after
        if time.monotonic() + pause > deadline:
            raise error
        if options.on_retry is not None:
            options.on_retry(Retry(method, request.url, attempt, error, pause))
        yield Pause(pause)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Reads Retry-After as seconds or as a date (RFC 9110, 10.2.3)."""
    value = headers.get("retry-after", "")
    if re.fullmatch(r"[0-9]+", value):
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=timezone.utc)
    return max(0.0, date.timestamp() - time.time())


def _backoff(attempt: int) -> float:
    """Full jitter: up to 0.2 s, doubled after each attempt, at most 10 s."""
    longest: float = min(10.0, 0.2 * 2 ** min(attempt - 1, 10))
    return random.random() * longest


def encode_body(format: Format, job_ids: Sequence[str]) -> bytes:
    if format == "json":
        return json.dumps({"jobs": {"job": [{"id": job_id} for job_id in job_ids]}}).encode()
    jobs = "".join(f"<job><id>{escape(job_id)}</id></job>" for job_id in job_ids)
    return f'<?xml version="1.0" encoding="UTF-8"?><jobs>{jobs}</jobs>'.encode()


@dataclass(frozen=True)
class DeletionStatus:
    deletion_id: str
    state: Literal["queued", "completed", "cancelled"]
    jobs: int
    accepted_at: datetime
    #: None until every job is removed.
    completed_at: datetime | None
    #: When the removal begins, if the account has a delay.
    removal_at: datetime | None = None


@dataclass(frozen=True)
class CredentialInfo:
    """A credential without its secret."""

    id: str
    #: None if it does not expire.
    expires_at: datetime | None


@dataclass(frozen=True)
class Limits:
    max_jobs_per_request: int
    max_body_bytes: int


@dataclass(frozen=True)
class WhoAmI:
    """The account of the credentials, and what the service allows."""

    account_id: str
    #: None if the account has no name.
    account_name: str | None
    token: CredentialInfo
    secret_key: CredentialInfo
    #: The origin of the request, which the account allows.
    origin: str
    limits: Limits


def whoami(options: Options) -> Steps[WhoAmI]:
    return (yield from _ask_for(options, "GET", "/v1/whoami", _whoami_of))


def read_status(options: Options, deletion_id: str, query: str = "") -> Steps[DeletionStatus]:
    return (yield from _ask_for(options, "GET", _deletion_path(deletion_id) + query, _status_of))


def cancel(options: Options, deletion_id: str) -> Steps[DeletionStatus]:
    return (yield from _ask_for(options, "DELETE", _deletion_path(deletion_id), _status_of))


def wait_until_removed(options: Options, deletion_id: str) -> Steps[DeletionStatus]:
    # The server waits up to 30 s. Half of the timeout stays for the answer.
    wait = min(30, int(options.request_timeout / 2))
    while True:
        status = yield from read_status(options, deletion_id, f"?wait={wait}")
        if status.completed_at is not None:
            return status
        if status.state == "cancelled":
            raise DeletionCancelledError(f"the deletion {deletion_id} was cancelled")
        # A server that is not to wait answers at once.
        yield Pause(0.2)


def read_page(options: Options, after: str | None, limit: int) -> Steps[tuple[list[str], str | None]]:
    """Returns ids of the account's jobs, and the id that the next page follows."""
    query = urlencode({"limit": limit, **({} if after is None else {"after": after})})
    return (yield from _ask_for(options, "GET", f"/v1/jobs?{query}", _page_of))


def _ask_for(options: Options, method: str, path: str, read: Callable[[Any], T]) -> Steps[T]:
    """Returns what ``read`` makes of the JSON body of a 200. Raises ``ProblemError`` for any other answer."""
    answer = yield from send_with_retries(options, method, path)
    if answer.status == 200:
        try:
            return read(json.loads(answer.text))
        except (ValueError, TypeError, KeyError, AttributeError):
            # Something other than the service has answered.
            pass
    raise problem_of(answer.status, answer.headers, answer.text)


def _deletion_path(deletion_id: str) -> str:
    return f"/v1/deletions/{quote(deletion_id, safe='')}"


def _page_of(body: Any) -> tuple[list[str], str | None]:
    return [str(job["id"]) for job in body["jobs"]], body["next"]


def _status_of(body: Any) -> DeletionStatus:
    return DeletionStatus(
        deletion_id=body["deletion_id"],
        state=body["state"],
        jobs=body["jobs"],
        accepted_at=_time(body["accepted_at"]),
        completed_at=_time_or_none(body["completed_at"]),
        removal_at=_time_or_none(body.get("removal_at")),
    )


def _whoami_of(body: Any) -> WhoAmI:
    return WhoAmI(
        account_id=body["account_id"],
        account_name=body["account_name"],
        token=_credential_of(body["token"]),
        secret_key=_credential_of(body["secret_key"]),
        origin=body["origin"],
        limits=Limits(body["limits"]["max_jobs_per_request"], body["limits"]["max_body_bytes"]),
    )


def _credential_of(body: Any) -> CredentialInfo:
    return CredentialInfo(body["id"], _time_or_none(body["expires_at"]))


def _time_or_none(value: Any) -> datetime | None:
    return None if value is None else _time(value)


def _time(value: str) -> datetime:
    return datetime.fromisoformat(value.replace("Z", "+00:00"))
