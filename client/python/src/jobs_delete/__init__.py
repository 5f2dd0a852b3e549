"""Deletes job postings in bulk through the jobs-delete API."""

from ._async import AsyncJobsDelete
from ._deletion import AcceptedDeletion, AcceptedJob, JobOutcome, Progress, Report, UnknownRequest
from ._errors import (
    ConflictError,
    ConnectionError,
    DeletionCancelledError,
    ForbiddenError,
    IncompleteError,
    InvalidRequestError,
    JobsDeleteError,
    JournalError,
    NotFoundError,
    ProblemEntry,
    ProblemError,
    ServerError,
    TooManyRequestsError,
    UnauthenticatedError,
)
from ._journal import (
    Accepted,
    Failed,
    FileJournal,
    Journal,
    Refused,
    RefusedJob,
    RequestOutcome,
    TooLarge,
    UnfinishedRequest,
)
from ._options import Attempt, Retry
from ._requests import CredentialInfo, DeletionStatus, Limits, WhoAmI
from ._sync import JobsDelete

__all__ = [
    "Accepted",
    "AcceptedDeletion",
    "AcceptedJob",
    "AsyncJobsDelete",
    "Attempt",
    "ConflictError",
    "ConnectionError",
    "CredentialInfo",
    "DeletionCancelledError",
    "DeletionStatus",
    "Failed",
    "FileJournal",
    "ForbiddenError",
    "IncompleteError",
    "InvalidRequestError",
    "JobOutcome",
    "JobsDelete",
    "JobsDeleteError",
    "Journal",
    "JournalError",
    "Limits",
    "NotFoundError",
    "ProblemEntry",
    "ProblemError",
    "Progress",
    "Refused",
    "RefusedJob",
    "Report",
    "RequestOutcome",
    "Retry",
    "ServerError",
    "TooLarge",
    "TooManyRequestsError",
    "UnauthenticatedError",
    "UnfinishedRequest",
    "UnknownRequest",
    "WhoAmI",
]
