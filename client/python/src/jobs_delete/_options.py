"""The options of a client."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

Language = Literal["fr", "en", "es"]
Format = Literal["json", "xml"]


@dataclass(frozen=True)
class Attempt:
    """One attempt of a request."""

    method: str
    url: str
    #: 1 for the first attempt.
    attempt: int


@dataclass(frozen=True)
class Retry(Attempt):
    """A failed attempt, and the pause before the next one."""

    #: A ``ConnectionError`` or a ``ProblemError``.
    error: Exception
    pause_seconds: float


@dataclass(frozen=True)
class Options:
    base_url: str
    token: str
    secret_key: str
    origin: str
    user_agent: str
    language: Language
    format: Format
    sandbox: bool
    client_technology: str
    max_jobs_per_request: int
    concurrency: int
    request_timeout: float
    retry_for: float
    allow_http: bool
    on_request: Callable[[Attempt], None] | None
    on_retry: Callable[[Retry], None] | None

    def __post_init__(self) -> None:
        for name in ("sandbox", "allow_http"):
            require_bool(name, getattr(self, name))
        for name in ("max_jobs_per_request", "concurrency"):
            _require_at_least(1, name, getattr(self, name))
        if not self.request_timeout > 0:
            raise ValueError(f"request_timeout must be more than 0, not {self.request_timeout}")
        _require_at_least(0, "retry_for", self.retry_for)
        _require_usable_url(self.base_url, self.allow_http)
        for name in ("token", "secret_key", "origin", "user_agent", "language", "client_technology"):
            _require_header_value(name, getattr(self, name))

    @property
    def headers(self) -> dict[str, str]:
        """The headers that every endpoint requires."""
        return {
            "Authorization": f"Bearer {self.token}",
            "Usersecretkey": self.secret_key,
            "Origin": self.origin,
            "Accept-Language": self.language,
            "User-Agent": self.user_agent,
            "X-Client-Lang": self.client_technology,
        }

    def __repr__(self) -> str:
        # The credentials must not reach a log.
        return f"Options(base_url={self.base_url!r})"


def require_bool(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, not {value!r}")


def _require_at_least(least: int, name: str, value: object) -> None:
    # This form refuses NaN too.
    if not isinstance(value, (int, float)) or not value >= least:
        raise ValueError(f"{name} must be at least {least}, not {value}")


def _require_usable_url(base_url: str, allow_http: bool) -> None:
    """Errors name the URL, so it must have no password."""
    url = None if re.search(r"[@?#\s]", base_url) else urlsplit(base_url)
    if url is None or url.scheme not in ("http", "https") or not url.hostname:
        raise ValueError(
            "base_url must be a URL such as https://jobs.example.com, without user, password and query"
        )
    if url.scheme == "http" and not allow_http and not _is_this_machine(url.hostname):
        raise ValueError(
            f"base_url must begin with https://: everybody between here and {url.hostname} could read "
            "the credentials. Set allow_http to allow that."
        )


def _is_this_machine(hostname: str) -> bool:
    return re.fullmatch(r"(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|::1", hostname) is not None


def _require_header_value(name: str, value: object) -> None:
    """The message never has the value."""
    if not isinstance(value, str) or not re.fullmatch(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?", value):
        raise ValueError(f"{name} must be a text of printable ASCII characters, without a line break")
