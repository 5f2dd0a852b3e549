from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncGenerator, AsyncIterator, Callable, Iterable
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


class AsyncJobsDelete(Client[httpx.AsyncClient]):
    """Deletes job postings of one account, on asyncio. Its options and methods are those of ``JobsDelete``.

    A task that is cancelled gives up its requests in flight. With a journal, a later call learns their outcomes.
    """

    def _new_http(self) -> httpx.AsyncClient:
        return httpx.AsyncClient()

    async def __aenter__(self) -> AsyncJobsDelete:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            await self._http.aclose()

    async def delete_jobs(
        self,
        job_ids: Iterable[str] | AsyncIterable[str],
        *,
        on_refusal: OnRefusal = "stop",
        sandbox: bool | None = None,
        journal: Journal | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Report:
        """Deletes any number of jobs. See ``JobsDelete.delete_jobs``."""
        call = Call(
            self._options,
            job_ids,
            on_refusal=on_refusal,
            sandbox=sandbox,
            journal=journal,
            on_progress=on_progress,
            keeps_outcomes=False,
        )
        async for _ in self._outcomes(call, job_ids):
            pass
        return call.report()

    def outcomes(
        self,
        job_ids: Iterable[str] | AsyncIterable[str],
        *,
        on_refusal: OnRefusal = "stop",
        sandbox: bool | None = None,
        journal: Journal | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> AsyncGenerator[JobOutcome, None]:
        """Yields the outcome of each job as it arrives. See ``JobsDelete.outcomes``."""
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

    async def whoami(self) -> WhoAmI:
        """Returns whose credentials these are. Raises ``ProblemError``, such as ``token_invalid``."""
        return await self._run(requests.whoami(self._options))

    async def status(self, deletion_id: str) -> DeletionStatus:
        """Returns the status of a deletion. Raises ``ProblemError``, such as ``deletion_not_found``."""
        return await self._run(requests.read_status(self._options, deletion_id))

    async def wait_until_removed(self, deletion_id: str) -> DeletionStatus:
        """Returns when every job of the deletion is removed. Raises ``DeletionCancelledError``, or as ``status``."""
        return await self._run(requests.wait_until_removed(self._options, deletion_id))

    async def cancel(self, deletion_id: str) -> DeletionStatus:
        """Cancels a deletion whose removal has not begun. Raises ``ConflictError`` if it has, or as ``status``."""
        return await self._run(requests.cancel(self._options, deletion_id))

    async def jobs(self, *, page_size: int = 10_000) -> AsyncIterator[str]:
        """Yields the ids of the account's jobs in their order, without those that are queued for deletion."""
        after: str | None = None
        while True:
            ids, after = await self._run(requests.read_page(self._options, after, page_size))
            for job_id in ids:
                yield job_id
            if after is None:
                return

    async def _run(self, steps: Steps[T]) -> T:
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
                result = await self._perform(effect)
            except ConnectionError as lost:
                error = lost

    async def _outcomes(
        self, call: Call, job_ids: Iterable[str] | AsyncIterable[str]
    ) -> AsyncGenerator[JobOutcome, None]:
        running: dict[asyncio.Task[Answer | None], Steps[None]] = {}
        chunks = call.async_chunks(job_ids)

        def go_on(steps: Steps[None], result: Answer | None | Exception = None) -> None:
            effect = call.step(steps, result)
            if effect is not None:
                running[asyncio.create_task(self._perform(effect))] = steps

        try:
            while True:
                while call.failure is None and len(running) < self._options.concurrency:
                    try:
                        chunk = await anext(chunks, None)
                    except Exception as error:
                        call.fail(error)
                        break
                    if chunk is None:
                        break
                    go_on(call.delete_chunk(chunk))
                for outcome in call.take_outcomes():
                    yield outcome
                if not running:
                    break
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    steps = running.pop(task)
                    fault = task.exception()
                    go_on(steps, fault if isinstance(fault, Exception) else task.result())
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            await chunks.aclose()
        call.report()

    async def _perform(self, effect: Effect) -> Answer | None:
        if isinstance(effect, Pause):
            await asyncio.sleep(effect.seconds)
            return None
        return await self._send(effect)

    async def _send(self, request: Send) -> Answer:
        timeout = self._options.request_timeout
        try:
            response = await asyncio.wait_for(
                self._http.request(
                    request.method,
                    request.url,
                    headers=dict(request.headers),
                    content=request.body,
                    timeout=timeout,
                    auth=None,
                    # Following a redirect could send the secret key elsewhere, or turn a DELETE into a GET that answers 200.
                    follow_redirects=False,
                ),
                timeout,
            )
        except (httpx.HTTPError, asyncio.TimeoutError) as error:
            raise connection_error(request.url, error) from error
        return Answer(response.status_code, response.headers, response.content.decode(errors="replace"))
