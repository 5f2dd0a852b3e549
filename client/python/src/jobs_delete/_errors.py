"""What the server refuses, and what the network loses."""

from __future__ import annotations

import builtins
import json
import socket
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._deletion import Report


class JobsDeleteError(Exception):
    """Base of every error of this package, apart from ``ValueError`` and ``TypeError`` for wrong arguments."""


class ConnectionError(JobsDeleteError, builtins.ConnectionError):
    """The request could not be sent, or its answer did not arrive. The message says why."""

    #: True if no retry can help: the certificate of the host is not valid, or it has no TLS.
    is_hopeless = False
    #: True if the name service does not know the host. No retry can help if the host has never answered.
    is_unknown_host = False


class DeletionCancelledError(JobsDeleteError):
    """The deletion was cancelled before its jobs were removed."""


class JournalError(JobsDeleteError):
    """The file is no journal, belongs to another call, or has a key that may have expired."""


class IncompleteError(JobsDeleteError):
    """Ends a call early. ``cause`` is a ``ProblemError``, a ``ConnectionError``, or an error of the ids or the journal."""

    def __init__(self, report: Report, cause: Exception) -> None:
        super().__init__(str(cause))
        self.report = report
        self.cause = cause


@dataclass(frozen=True)
class ProblemEntry:
    """One fault of a request."""

    code: str
    message: str
    #: JSON pointer to the entry, in the JSON form, such as ``/jobs/job/3/id``.
    pointer: str | None = None
    job_id: str | None = None
    header: str | None = None
    parameter: str | None = None
    detail: str | None = None


class ProblemError(JobsDeleteError):
    """A refusal by the server, from its problem document (RFC 9457). Its class tells the kind of the refusal."""

    def __init__(self, status: int, request_id: str | None, document: Mapping[str, Any]) -> None:
        message = document.get("detail") or document.get("title") or f"The server answered {status}."
        super().__init__(str(message))
        #: HTTP status.
        self.status = status
        #: Never changes with the language; ``unexpected_answer`` if there is no problem document.
        self.code = str(document.get("code", "unexpected_answer"))
        self.errors: Sequence[ProblemEntry] = _entries(document.get("errors"))
        #: True when more than the listed entries are wrong.
        self.errors_truncated = document.get("errors_truncated") is True
        #: For the operator of the service to find the request in its log.
        self.request_id = request_id


class InvalidRequestError(ProblemError):
    """400, 413 and every 4xx without a class of its own: correct the request."""


class UnauthenticatedError(ProblemError):
    """401: the request has no bearer token."""


class ForbiddenError(ProblemError):
    """403: the token, the secret key or the origin is refused, or a limit of the account is exceeded."""


class NotFoundError(ProblemError):
    """404: the account has no such job or deletion."""


class ConflictError(ProblemError):
    """409: the state of the deletion does not allow the request."""


class TooManyRequestsError(ProblemError):
    """429, beyond ``retry_for``."""


class ServerError(ProblemError):
    """5xx. Those that a retry may change come after ``retry_for``."""


def connection_error(url: str, reason: BaseException) -> ConnectionError:
    error = ConnectionError(f"no answer from {url}: {str(reason) or type(reason).__name__}")
    cause = _cause_of_system(reason)
    error.is_unknown_host = isinstance(cause, socket.gaierror) and cause.errno == socket.EAI_NONAME
    error.is_hopeless = isinstance(cause, ssl.SSLError) and cause.reason in _HOPELESS_REASONS
    return error


_HOPELESS_REASONS = ("CERTIFICATE_VERIFY_FAILED", "WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE")


def _cause_of_system(reason: BaseException | None) -> BaseException | None:
    """httpx and httpcore wrap the error of the system."""
    if reason is None or isinstance(reason, (socket.gaierror, ssl.SSLError)):
        return reason
    return _cause_of_system(reason.__cause__ or reason.__context__)


_BY_STATUS: dict[int, type[ProblemError]] = {
    401: UnauthenticatedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    429: TooManyRequestsError,
}


def problem_of(status: int, headers: Mapping[str, str], text: str) -> ProblemError:
    kind = _BY_STATUS.get(status)
    if kind is None:
        # Below 400: a redirect, or a 200 from something other than the service.
        kind = ServerError if status >= 500 else InvalidRequestError if status >= 400 else ProblemError
    return kind(status, headers.get("request-id"), _document(text))


def _document(text: str) -> Mapping[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) and "code" in value else {}


def _entries(value: object) -> list[ProblemEntry]:
    entries = value if isinstance(value, list) else []
    names = {field.name for field in fields(ProblemEntry)}
    return [
        ProblemEntry(**{"code": "", "message": "", **{k: v for k, v in entry.items() if k in names}})
        for entry in entries
        if isinstance(entry, dict)
    ]
