"""One call that deletes jobs, without input or output."""

from __future__ import annotations

import re
import uuid
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ._errors import IncompleteError, ProblemEntry, ProblemError, problem_of
from ._journal import Accepted, Failed, Journal, Refused, RefusedJob, RequestOutcome, TooLarge
from ._options import Options, require_bool
from ._requests import Answer, Effect, Steps, encode_body, send_with_retries

OnRefusal = Literal["stop", "split"]


@dataclass(frozen=True)
class AcceptedDeletion:
    #: None in the sandbox.
    deletion_id: str | None
    jobs: int


@dataclass(frozen=True)
class UnknownRequest:
    """A request whose outcome is unknown. Send the same ids with the same key to learn it."""

    idempotency_key: str
    job_ids: Sequence[str]


@dataclass(frozen=True)
class Report:
    accepted_jobs: int
    #: Empty if the call has a journal.
    deletions: Sequence[AcceptedDeletion]
    #: Jobs left out of the requests because the server refused them. Empty if the call has a journal.
    refused: Sequence[RefusedJob]
    #: Empty unless the call ended early.
    unknown: Sequence[UnknownRequest]


@dataclass(frozen=True)
class AcceptedJob:
    job_id: str
    #: None in the sandbox.
    deletion_id: str | None


#: The final outcome of one job.
JobOutcome = AcceptedJob | RefusedJob


@dataclass(frozen=True)
class Progress:
    accepted_jobs: int
    refused_jobs: int


@dataclass(frozen=True)
class Chunk:
    """Ids for one request, or for several if the server refuses some of them."""

    job_ids: Sequence[str]
    #: The key of a request that may have been accepted.
    key: str | None = None
    may_split: bool = False


class Call:
    """The state of one call. A client performs the effects of its steps, and gives it their results, in one thread."""

    def __init__(
        self,
        options: Options,
        job_ids: object,
        *,
        on_refusal: OnRefusal,
        sandbox: bool | None,
        journal: Journal | None,
        on_progress: Callable[[Progress], None] | None,
        keeps_outcomes: bool,
    ) -> None:
        if isinstance(job_ids, (str, bytes)):
            raise TypeError("job_ids must be a list of ids, not a single text")
        if on_refusal not in ("stop", "split"):
            raise ValueError(f"on_refusal must be 'stop' or 'split', not {on_refusal!r}")
        if sandbox is not None:
            require_bool("sandbox", sandbox)
            options = replace(options, sandbox=sandbox)
        self._options = options
        self._on_refusal = on_refusal
        self._journal = journal
        self._on_progress = on_progress
        self._keeps_outcomes = keeps_outcomes
        self._outcomes: list[JobOutcome] = []
        self._max_jobs = options.max_jobs_per_request
        self._accepted_jobs = 0
        self._refused_jobs = 0
        self._deletions: list[AcceptedDeletion] = []
        self._refused: list[RefusedJob] = []
        self._unknown: list[UnknownRequest] = []
        #: The first error. No request starts after it; those in flight get their answers.
        self.failure: Exception | None = None

    def chunks(self, job_ids: Iterable[str]) -> Generator[Chunk, None, None]:
        """Splits ids in their order, reading no further than needed."""
        yield from self._unfinished()
        ids: list[str] = []
        for job_id in job_ids:
            if self._add(ids, job_id):
                yield Chunk(ids)
                ids = []
        if ids:
            yield Chunk(ids)

    async def async_chunks(self, job_ids: Iterable[str] | AsyncIterable[str]) -> AsyncGenerator[Chunk, None]:
        """Does as ``chunks``."""
        if not isinstance(job_ids, AsyncIterable):
            for chunk in self.chunks(job_ids):
                yield chunk
            return
        for chunk in self._unfinished():
            yield chunk
        ids: list[str] = []
        async for job_id in job_ids:
            if self._add(ids, job_id):
                yield Chunk(ids)
                ids = []
        if ids:
            yield Chunk(ids)

    def step(self, steps: Steps[None], result: Answer | None | Exception = None) -> Effect | None:
        """Goes on with the steps of a chunk. Returns their next effect, or None at their end."""
        try:
            return steps.throw(result) if isinstance(result, Exception) else steps.send(result)
        except StopIteration:
            return None
        except Exception as error:
            self.fail(error)
            return None

    def fail(self, error: Exception) -> None:
        self.failure = self.failure or error

    def take_outcomes(self) -> list[JobOutcome]:
        outcomes, self._outcomes = self._outcomes, []
        return outcomes

    def report(self) -> Report:
        """Raises ``IncompleteError`` if the call has ended early."""
        report = Report(self._accepted_jobs, self._deletions, self._refused, self._unknown)
        if self.failure is not None:
            raise IncompleteError(report, self.failure) from self.failure
        return report

    def delete_chunk(self, chunk: Chunk) -> Steps[None]:
        left = chunk
        while left.job_ids:
            # A refused request does not use its key up, but a request with other ids needs another key.
            key = left.key or str(uuid.uuid4())
            answer = yield from self._send(key, left.job_ids)
            deletion_id = answer.headers.get("deletion-id")
            if answer.status == 200 and (self._options.sandbox or deletion_id is not None):
                self._accept(key, left.job_ids, deletion_id)
                return
            problem = problem_of(answer.status, answer.headers, answer.text)
            # A 200 without a deletion comes from a proxy or another server.
            may_be_accepted = (
                answer.is_repeated or answer.status == 200 or answer.status >= 500 or left.key is not None
            )
            is_too_large = problem.code == "too_many_jobs" or problem.status == 413
            # Halves have new keys. They must not be sent for jobs that the first key may have deleted.
            if is_too_large and len(left.job_ids) > 1 and (left.may_split or not may_be_accepted):
                self._record(key, TooLarge())
                half = (len(left.job_ids) + 1) // 2
                self._max_jobs = min(self._max_jobs, half)
                yield from self.delete_chunk(Chunk(left.job_ids[:half], may_split=left.may_split))
                yield from self.delete_chunk(Chunk(left.job_ids[half:], may_split=left.may_split))
                return
            left = self._without_refused(key, left.job_ids, problem, may_be_accepted)

    def _unfinished(self) -> Iterator[Chunk]:
        if self._journal is None:
            return
        self._journal.on_start(self._options.base_url, self._options.sandbox)
        for request in list(self._journal.unfinished()):
            yield Chunk(request.job_ids, request.idempotency_key, request.may_split)

    def _add(self, ids: list[str], job_id: str) -> bool:
        """Returns whether the chunk is complete."""
        if not isinstance(job_id, str):
            raise TypeError(f"a job id must be a text, not {job_id!r}")
        if self._journal is None or not self._journal.is_recorded(job_id):
            ids.append(job_id)
        return len(ids) >= self._max_jobs

    def _send(self, key: str, job_ids: Sequence[str]) -> Steps[Answer]:
        """Every attempt has the same key, so the server accepts the request once."""
        format = self._options.format
        path = f"/{'v1-sandbox' if self._options.sandbox else 'v1'}/{format}/jobs-delete"
        # Without the preference, a refusal names 100 jobs, and the rest of them needs a request for each hundred.
        headers = {"Content-Type": f"application/{format}", "Idempotency-Key": key, "Prefer": "errors=all"}
        body = encode_body(format, job_ids)
        if self._journal is not None:
            self._journal.on_request(key, job_ids)
        try:
            return (yield from send_with_retries(self._options, "DELETE", path, headers, body))
        except Exception:
            self._unknown.append(UnknownRequest(key, job_ids))
            raise

    def _accept(self, key: str, job_ids: Sequence[str], deletion_id: str | None) -> None:
        self._record(key, Accepted(deletion_id))
        if self._keeps_outcomes:
            self._outcomes += [AcceptedJob(job_id, deletion_id) for job_id in job_ids]
        elif self._journal is None:
            self._deletions.append(AcceptedDeletion(deletion_id, len(job_ids)))
        self._accepted_jobs += len(job_ids)
        self._notify()

    def _without_refused(
        self, key: str, job_ids: Sequence[str], problem: ProblemError, may_be_accepted: bool
    ) -> Chunk:
        """Raises the problem, unless it names jobs and the call goes on without them."""
        reasons = {
            index: entry
            for entry in problem.errors
            if (index := _index_of(entry)) is not None and index < len(job_ids)
        }
        if self._on_refusal != "split" or not reasons:
            # The server looks for the key before it refuses a job, but after every other check.
            if may_be_accepted and not reasons:
                self._unknown.append(UnknownRequest(key, job_ids))
            else:
                self._record(key, Failed(problem))
            raise problem
        jobs = [RefusedJob(job_ids[index], reason) for index, reason in reasons.items()]
        self._record(key, Refused(jobs))
        if self._keeps_outcomes:
            self._outcomes += jobs
        elif self._journal is None:
            self._refused += jobs
        self._refused_jobs += len(jobs)
        self._notify()
        return Chunk([job_id for index, job_id in enumerate(job_ids) if index not in reasons])

    def _record(self, key: str, outcome: RequestOutcome) -> None:
        if self._journal is not None:
            self._journal.on_outcome(key, outcome)

    def _notify(self) -> None:
        if self._on_progress is not None:
            self._on_progress(Progress(self._accepted_jobs, self._refused_jobs))


def _index_of(entry: ProblemEntry) -> int | None:
    match = re.fullmatch(r"/jobs/job/([0-9]+)(?:/id)?", str(entry.pointer))
    return None if match is None else int(match[1])
