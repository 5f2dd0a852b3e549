"""Both clients pass the table in client/conformance."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import aclosing, closing
from dataclasses import asdict
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import httpx
import pytest

from jobs_delete import (
    AcceptedJob,
    AsyncJobsDelete,
    DeletionStatus,
    FileJournal,
    IncompleteError,
    JobOutcome,
    JobsDelete,
    ProblemError,
    Report,
    Retry,
    WhoAmI,
)
from scripted_server import ScriptedServer

Case = dict[str, Any]
TABLE: list[Case] = json.loads((Path(__file__).parents[2] / "conformance" / "cases.json").read_text("utf-8"))
CASES = [case for case in TABLE if "python" in case.get("clients", ["python"])]


class Failed(Exception):
    """The call failed, after these results."""

    def __init__(self, cause: Exception, result: object = None) -> None:
        self.cause = cause
        self.result = result


@pytest.fixture(params=CASES, ids=[case["title"] for case in CASES])
def case(request: pytest.FixtureRequest) -> Case:
    case: Case = request.param
    return case


@pytest.fixture
def server(case: Case) -> Iterator[ScriptedServer]:
    answers = [request["answer"] for request in case.get("requests", [])]
    server = ScriptedServer(answers, case.get("closed_connections", 0))
    yield server
    server.stop()


@pytest.mark.parametrize("run", ["sync", "async"])
def test_conformance(case: Case, server: ScriptedServer, run: str, tmp_path: Path) -> None:
    retries: list[Retry] = []
    options = {
        "base_url": server.base_url + case.get("base_path", ""),
        "token": "a-token",
        "secret_key": "a-key",
        "origin": "https://example.com",
        "user_agent": "shop/1.0",
        "concurrency": 1,
        "on_retry": retries.append,
        **in_seconds(case.get("options", {})),
    }
    journal_path = tmp_path / "journal"
    error: Exception | None = None
    result: object = None
    try:
        call_options = dict(case.get("call_options", {}))
        if "journal" in case:
            journal_path.write_text(journal_text(case["journal"], str(options["base_url"])))
            with FileJournal(journal_path) as journal:
                result = RUNS[run](case, options, {**call_options, "journal": journal})
        else:
            result = RUNS[run](case, options, call_options)
    except Failed as failed:
        error, result = failed.cause, failed.result
    except Exception as other:
        error = other

    if "usage_error" in case:
        assert case["usage_error"] in str(error)
        assert "secret\n" not in str(error) and "password@" not in str(error)
    elif "error" not in case:
        assert error is None
    else:
        expect_error(case["error"], error)
    if "result" in case:
        assert with_keys(result, server.keys) == case["result"]
    expect_requests(case, server)
    if "retries" in case:
        assert [type(retry.error).__name__ for retry in retries] == [one["error"] for one in case["retries"]]
        for retry, one in zip(retries, case["retries"], strict=True):
            assert retry.pause_seconds * 1_000 <= one["pause_at_most_ms"]
    if "journal_after" in case:
        assert journal_lines(journal_path, server) == case["journal_after"]


def run_sync(case: Case, options: dict[str, Any], call_options: dict[str, Any]) -> object:
    with JobsDelete(**options) as client:
        call, ids, deletion_id = case["call"], job_ids_of(case), case.get("deletion_id", "")
        rows: list[object] = []
        try:
            match call:
                case "delete_jobs":
                    return report_of(client.delete_jobs(ids, **call_options))
                case "outcomes" | "first outcome":
                    with closing(client.outcomes(ids, **call_options)) as outcomes:
                        for outcome in outcomes:
                            rows.append(outcome_row(outcome))
                            if call == "first outcome":
                                return rows[0]
                    return rows
                case "status":
                    return status_of(client.status(deletion_id))
                case "whoami":
                    return whoami_of(client.whoami())
                case "cancel":
                    return status_of(client.cancel(deletion_id))
                case "wait_until_removed":
                    return removed_of(client.wait_until_removed(deletion_id))
                case "jobs":
                    for job_id in client.jobs(**call_options):
                        rows.append(job_id)
                    return rows
                case "create":
                    return None
            raise AssertionError(f"the table has an unknown call: {call}")
        except IncompleteError as error:
            raise Failed(error, rows if call == "outcomes" else report_of(error.report)) from error
        except ProblemError as error:
            raise Failed(error, rows) from error


def run_async(case: Case, options: dict[str, Any], call_options: dict[str, Any]) -> object:
    return asyncio.run(run_async_call(case, options, call_options))


async def run_async_call(case: Case, options: dict[str, Any], call_options: dict[str, Any]) -> object:
    async with AsyncJobsDelete(**options) as client:
        call, ids, deletion_id = case["call"], job_ids_of(case), case.get("deletion_id", "")
        rows: list[object] = []
        try:
            match call:
                case "delete_jobs":
                    return report_of(await client.delete_jobs(ids, **call_options))
                case "outcomes" | "first outcome":
                    async with aclosing(client.outcomes(ids, **call_options)) as outcomes:
                        async for outcome in outcomes:
                            rows.append(outcome_row(outcome))
                            if call == "first outcome":
                                return rows[0]
                    return rows
                case "status":
                    return status_of(await client.status(deletion_id))
                case "whoami":
                    return whoami_of(await client.whoami())
                case "cancel":
                    return status_of(await client.cancel(deletion_id))
                case "wait_until_removed":
                    return removed_of(await client.wait_until_removed(deletion_id))
                case "jobs":
                    async for job_id in client.jobs(**call_options):
                        rows.append(job_id)
                    return rows
                case "create":
                    return None
            raise AssertionError(f"the table has an unknown call: {call}")
        except IncompleteError as error:
            raise Failed(error, rows if call == "outcomes" else report_of(error.report)) from error
        except ProblemError as error:
            raise Failed(error, rows) from error


RUNS: dict[str, Callable[[Case, dict[str, Any], dict[str, Any]], object]] = {"sync": run_sync, "async": run_async}


def in_seconds(options: dict[str, Any]) -> dict[str, Any]:
    return {
        name.removesuffix("_ms"): value / 1_000 if name.endswith("_ms") else value for name, value in options.items()
    }


def job_ids_of(case: Case) -> Any:
    ids = case.get("job_ids", 0)
    return (f"Job{index}" for index in range(ids)) if isinstance(ids, int) else ids


def report_of(report: Report) -> dict[str, Any]:
    return {
        "accepted_jobs": report.accepted_jobs,
        "deletions": [[deletion.deletion_id, deletion.jobs] for deletion in report.deletions],
        "refused": [[job.job_id, job.reason.code] for job in report.refused],
        "unknown": [[request.idempotency_key, list(request.job_ids)] for request in report.unknown],
    }


def outcome_row(outcome: JobOutcome) -> list[Any]:
    if isinstance(outcome, AcceptedJob):
        return [outcome.job_id, "accepted", outcome.deletion_id]
    return [outcome.job_id, "refused", outcome.reason.code]


def status_of(status: DeletionStatus) -> dict[str, Any]:
    return {
        "deletion_id": status.deletion_id,
        "state": status.state,
        "jobs": status.jobs,
        "accepted_at": time_of(status.accepted_at),
        "completed_at": time_or_none_of(status.completed_at),
    }


def whoami_of(who: WhoAmI) -> dict[str, Any]:
    body = asdict(who)
    for name in ("token", "secret_key"):
        body[name]["expires_at"] = time_or_none_of(body[name]["expires_at"])
    return body


def removed_of(status: DeletionStatus) -> dict[str, Any]:
    return {name: value for name, value in status_of(status).items() if name != "state"}


def time_or_none_of(time: datetime | None) -> str | None:
    return None if time is None else time_of(time)


def time_of(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def with_keys(result: object, keys: list[str]) -> object:
    """Replaces the keys of unknown requests by their numbers."""
    if not isinstance(result, dict) or "unknown" not in result:
        return result
    return {**result, "unknown": [[keys.index(key), ids] for key, ids in result["unknown"]]}


def expect_error(expected: dict[str, Any], error: Exception | None) -> None:
    cause = error.cause if isinstance(error, IncompleteError) else error
    assert cause is not None
    for name, value in expected.items():
        if name == "class":
            assert type(cause).__name__ == value
        elif name == "message":
            assert value in str(cause)
        elif name == "pointers":
            assert isinstance(cause, ProblemError)
            assert [entry.pointer for entry in cause.errors] == value
        else:
            assert getattr(cause, name) == value


def expect_requests(case: Case, server: ScriptedServer) -> None:
    expected = case.get("requests", [])
    received = list(server.received)
    if case["call"] == "first outcome":
        assert len(received) <= len(expected)
    else:
        assert len(received) == len(expected)
    for got, wanted in zip(received, expected, strict=False):
        for name in ("method", "path", "job_ids", "body"):
            if name in wanted:
                assert getattr(got, name) == wanted[name]
        assert got.headers.items() >= wanted.get("headers", {}).items()
        if "key" in wanted:
            assert server.keys.index(got.key) == wanted["key"]


def journal_text(lines: list[Any], base_url: str) -> str:
    now = datetime.now(timezone.utc).isoformat()
    text = "".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines)
    return text.replace("BASE_URL", base_url).replace("NOW", now)


def journal_lines(path: Path, server: ScriptedServer) -> list[dict[str, Any]]:
    """Returns the lines of the journal, without times, and with numbers for the keys of this run."""
    lines = [json.loads(line) for line in path.read_text().replace(server.base_url, "BASE_URL").splitlines()]
    for line in lines:
        line.pop("at", None)
        if line.get("key") in server.keys:
            line["key"] = server.keys.index(line["key"])
    return lines


def test_hides_credentials_from_logs() -> None:
    with httpx.Client() as http:
        client = JobsDelete(
            base_url="https://jobs.example.com",
            token="a-token",
            secret_key="a-key",
            origin="https://example.com",
            user_agent="shop/1.0",
            http_client=http,
        )
        assert "a-token" not in repr(vars(client)) and "a-key" not in repr(vars(client))
        client.close()
        assert not http.is_closed
