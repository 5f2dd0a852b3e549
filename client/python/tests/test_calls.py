"""What a table cannot say: sources of ids, hooks and cancellation."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from jobs_delete import AsyncJobsDelete, ConnectionError, IncompleteError, JobsDelete, Progress, UnauthenticatedError
from scripted_server import ScriptedServer


@pytest.fixture
def servers() -> Iterator[list[ScriptedServer]]:
    started: list[ScriptedServer] = []
    yield started
    for server in started:
        server.stop()


def options_for(servers: list[ScriptedServer], *answers: Any) -> dict[str, Any]:
    server = ScriptedServer(list(answers))
    servers.append(server)
    return {
        "base_url": server.base_url,
        "token": "a-token",
        "secret_key": "a-key",
        "origin": "https://example.com",
        "user_agent": "shop/1.0",
        "max_jobs_per_request": 2,
    }


def test_reads_ids_no_further_than_needed(servers: list[ScriptedServer]) -> None:
    read = 0

    def source() -> Iterator[str]:
        nonlocal read
        for index in range(100):
            read += 1
            yield f"Job{index}"

    with JobsDelete(**options_for(servers), concurrency=3) as client:
        outcomes = client.outcomes(source())
        next(outcomes)
        # At most three requests are in flight, and three have their outcomes.
        assert read <= 12
        assert len(list(outcomes)) == 99


def test_ids_that_fail_end_the_call(servers: list[ScriptedServer]) -> None:
    def source() -> Iterator[str]:
        yield from ("Job0", "Job1")
        raise OSError("the file is gone")

    with JobsDelete(**options_for(servers)) as client, pytest.raises(IncompleteError, match="the file is gone") as end:
        client.delete_jobs(source())
    assert end.value.report.accepted_jobs == 2
    assert isinstance(end.value.cause, OSError)


def test_refuses_an_id_that_is_no_text(servers: list[ScriptedServer]) -> None:
    ids: Any = [1234]
    with JobsDelete(**options_for(servers)) as client, pytest.raises(IncompleteError, match="must be a text, not 1234"):
        client.delete_jobs(ids)
    assert servers[0].received == []


def test_tells_of_each_attempt_and_of_the_progress(servers: list[ScriptedServer]) -> None:
    log: list[object] = []
    options = options_for(servers, {"fault": "close"}, "accepted")
    with JobsDelete(
        **options,
        on_request=lambda attempt: log.append((attempt.method, attempt.attempt)),
        on_retry=lambda retry: log.append((type(retry.error).__name__, retry.attempt)),
    ) as client:
        client.delete_jobs(["Job0"], on_progress=log.append)
    assert log == [("DELETE", 1), ("ConnectionError", 1), ("DELETE", 2), Progress(1, 0)]


def test_takes_an_async_source(servers: list[ScriptedServer]) -> None:
    async def source() -> AsyncIterator[str]:
        for index in range(5):
            yield f"Job{index}"

    async def delete() -> int:
        async with AsyncJobsDelete(**options_for(servers), concurrency=1) as client:
            return (await client.delete_jobs(source())).accepted_jobs

    assert asyncio.run(delete()) == 5
    assert [request.job_ids for request in servers[0].received] == [["Job0", "Job1"], ["Job2", "Job3"], ["Job4"]]


def test_a_cancelled_task_gives_up_its_requests(servers: list[ScriptedServer]) -> None:
    async def cancel() -> None:
        started = asyncio.Event()
        options = options_for(servers, {"fault": "hang"})
        async with AsyncJobsDelete(**options, on_request=lambda _: started.set()) as client:
            task = asyncio.create_task(client.delete_jobs(["Job0"]))
            await started.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(cancel())


def unknown_host(request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("Name or service not known") from socket.gaierror(socket.EAI_NONAME, "unknown")


def refused_connection(request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("Connection refused") from ConnectionRefusedError()


@pytest.mark.parametrize(
    ("fail", "message", "is_retried"),
    [
        (unknown_host, "Name or service not known", False),
        (refused_connection, "Connection refused", True),
    ],
)
def test_retries_unless_the_host_is_unknown_and_names_the_cause(
    servers: list[ScriptedServer], fail: Any, message: str, is_retried: bool
) -> None:
    retried: list[object] = []
    options = options_for(servers)
    http_client = httpx.Client(transport=httpx.MockTransport(fail))
    with JobsDelete(**options, retry_for=1, on_retry=retried.append, http_client=http_client) as client:
        with pytest.raises(ConnectionError, match=f"no answer from http.*: {message}"):
            client.whoami()
    assert (retried != []) == is_retried


def test_retries_a_host_that_is_unknown_after_it_has_answered(servers: list[ScriptedServer]) -> None:
    retried: list[object] = []
    answers = iter([lambda _: httpx.Response(401, json={"code": "token_invalid"}), unknown_host])
    http_client = httpx.Client(transport=httpx.MockTransport(lambda request: next(answers, unknown_host)(request)))
    with JobsDelete(**options_for(servers), retry_for=1, on_retry=retried.append, http_client=http_client) as client:
        with pytest.raises(UnauthenticatedError):
            client.whoami()
        with pytest.raises(ConnectionError):
            client.whoami()
    assert retried != []


@pytest.mark.parametrize("kind", [JobsDelete, AsyncJobsDelete])
def test_does_not_retry_https_to_a_server_without_tls(servers: list[ScriptedServer], kind: Any) -> None:
    retried: list[object] = []
    options = options_for(servers)
    options["base_url"] = options["base_url"].replace("http:", "https:")
    client = kind(**options, retry_for=1, on_retry=retried.append)
    with pytest.raises(ConnectionError, match="no answer from https.*SSL"):
        asyncio.run(client.whoami()) if kind is AsyncJobsDelete else client.whoami()
    assert retried == []


@pytest.mark.parametrize(
    ("name", "value"), [("client_technology", "Py\nthon"), ("language", ""), ("retry_for", "5"), ("concurrency", "2")]
)
def test_refuses_a_wrong_option(servers: list[ScriptedServer], name: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be"):
        JobsDelete(**{**options_for(servers), name: value})
