from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from types import TracebackType
from typing import TypeVar

import httpx

from . import _requests as requests
from ._client import Client
from ._deletion import Call, JobOutcome, OnRefusal, Progress, Report
from ._errors import ConnectionError, connection_error
from ._journal import Journal
from ._requests import Answer, DeletionStatus, Effect, Pause, Send, Steps, WhoAmI

T = TypeVar("T")


class JobsDelete(Client[httpx.Client]):
    """Deletes job postings of one account."""

    def _new_http(self) -> httpx.Client:
        return httpx.Client()

    def __enter__(self) -> JobsDelete:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            self._http.close()

    def delete_jobs(
        self,
        job_ids: Iterable[str],
        *,
        on_refusal: OnRefusal = "stop",
        sandbox: bool | None = None,
        journal: Journal | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Report:
        """Deletes any number of jobs.

        Splits the ids into requests, each accepted as a whole or refused as a whole, and repeats a request with the same
        Idempotency-Key until it has an answer. Acceptance is durable, the removal follows within seconds.

        :param on_refusal: ``stop`` ends the call at the first refusal. ``split`` takes the refused jobs out of a request,
            sends the rest, and lists the refused jobs in the report.
        :param sandbox: checks the requests of this call without deleting anything. Default: the client's option.
        :param journal: gets each request and outcome. ``deletions`` and ``refused`` of the report stay empty.
        :param on_progress: called after each request that is accepted or loses refused jobs
        :raises IncompleteError: when it ends early: at a refusal, or after ``retry_for`` without an answer
        """
        call = Call(
            self._options,
            job_ids,
            on_refusal=on_refusal,
            sandbox=sandbox,
            journal=journal,
            on_progress=on_progress,
            keeps_outcomes=False,
        )
        for _ in self._outcomes(call, job_ids):
            pass
        return call.report()

    def outcomes(
        self,
        job_ids: Iterable[str],
        *,
        on_refusal: OnRefusal = "stop",
        sandbox: bool | None = None,
        journal: Journal | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Generator[JobOutcome, None, None]:
        """Deletes jobs as ``delete_jobs`` does, and yields the outcome of each job as it arrives.

        Raises ``IncompleteError`` after the last outcome, if the call ends early.
        """
        call = Call(
            self._options,
            job_ids,
            on_refusal=on_refusal,
            sandbox=sandbox,
            journal=journal,
            on_progress=on_progress,
            keeps_outcomes=True,
        )
        return self._outcomes(call, job_ids)

    def whoami(self) -> WhoAmI:
        """Returns whose credentials these are. Raises ``ProblemError``, such as ``token_invalid``."""
        return self._run(requests.whoami(self._options))

    def status(self, deletion_id: str) -> DeletionStatus:
        """Returns the status of a deletion. Raises ``ProblemError``, such as ``deletion_not_found``."""
        return self._run(requests.read_status(self._options, deletion_id))

    def wait_until_removed(self, deletion_id: str) -> DeletionStatus:
        """Returns when every job of the deletion is removed. Raises ``DeletionCancelledError``, or as ``status``."""
        return self._run(requests.wait_until_removed(self._options, deletion_id))

    def cancel(self, deletion_id: str) -> DeletionStatus:
        """Cancels a deletion whose removal has not begun. Raises ``ConflictError`` if it has, or as ``status``."""
        return self._run(requests.cancel(self._options, deletion_id))

    def jobs(self, *, page_size: int = 10_000) -> Iterator[str]:
        """Yields the ids of the account's jobs in their order, without those that are queued for deletion."""
        after: str | None = None
        while True:
            ids, after = self._run(requests.read_page(self._options, after, page_size))
            yield from ids
            if after is None:
                return

    def _run(self, steps: Steps[T]) -> T:
        stopped = threading.Event()
        result: Answer | None = None
        error: ConnectionError | None = None
        while True:
            try:
                effect = steps.send(result) if error is None else steps.throw(error)
            except StopIteration as end:
                value: T = end.value
                return value
            result, error = None, None
            try:
                result = self._perform(effect, stopped)
            except ConnectionError as lost:
                error = lost

    def _outcomes(self, call: Call, job_ids: Iterable[str]) -> Generator[JobOutcome, None, None]:
        """Requests run in threads. The ids, the journal and the hooks are only used in the caller's thread."""
        stopped = threading.Event()
        running: dict[Future[Answer | None], Steps[None]] = {}
        chunks = call.chunks(job_ids)
        pool = ThreadPoolExecutor(self._options.concurrency, "jobs-delete")

        def go_on(steps: Steps[None], result: Answer | None | Exception = None) -> None:
            effect = call.step(steps, result)
            if effect is not None:
                running[pool.submit(self._perform, effect, stopped)] = steps

        try:
            while True:
                while call.failure is None and len(running) < self._options.concurrency:
                    try:
                        chunk = next(chunks, None)
                    except Exception as error:
                        call.fail(error)
                        break
                    if chunk is None:
                        break
                    go_on(call.delete_chunk(chunk))
                yield from call.take_outcomes()
                if not running:
                    break
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    steps = running.pop(future)
                    fault = future.exception()
                    go_on(steps, fault if isinstance(fault, Exception) else future.result())
        finally:
            stopped.set()
            chunks.close()
            # A request in flight ends by itself, after `request_timeout` at the latest.
            pool.shutdown(wait=False, cancel_futures=True)
        call.report()

    def _perform(self, effect: Effect, stopped: threading.Event) -> Answer | None:
        if isinstance(effect, Pause):
            stopped.wait(effect.seconds)
            return None
        return self._send(effect)

    def _send(self, request: Send) -> Answer:
        timeout = self._options.request_timeout
        deadline = time.monotonic() + timeout
        try:
            with self._http.stream(
                request.method,
                request.url,
                headers=dict(request.headers),
                content=request.body,
                timeout=timeout,
                auth=None,
                # Following a redirect could send the secret key elsewhere, or turn a DELETE into a GET that answers 200.
                follow_redirects=False,
            ) as response:
                body = bytearray()
                for part in response.iter_bytes():
                    body += part
                    if time.monotonic() > deadline:
                        raise httpx.ReadTimeout("the answer arrives too slowly")
                return Answer(response.status_code, response.headers, body.decode(errors="replace"))
        except httpx.HTTPError as error:
            raise connection_error(request.url, error) from error
