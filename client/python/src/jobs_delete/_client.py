"""What both clients share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from ._options import Attempt, Format, Language, Options, Retry

Http = TypeVar("Http")


class Client(Generic[Http]):
    """Takes the options of a client.

    :param base_url: address of the gateway, with its base path if it has one, such as ``https://jobs.example.com/api``
    :param origin: one of the account's allowed domains, such as ``https://example.com``
    :param user_agent: ``name/version`` of the calling program
    :param language: language of the server's messages
    :param format: wire format of the requests
    :param sandbox: checks every request without deleting anything
    :param client_technology: value of the X-Client-Lang header
    :param max_jobs_per_request: largest request. A server that allows less is found out.
    :param concurrency: requests in flight at the same time
    :param request_timeout: longest wait for one answer, in seconds
    :param retry_for: longest time for one request and its retries, in seconds
    :param allow_http: sends the credentials over ``http://`` to another machine, where everybody on the way can read them
    :param on_request: called before each attempt of a request, for logs
    :param on_retry: called before the pause that precedes a retry, for logs
    :param http_client: replaces the HTTP client, for proxies or certificates. ``close`` does not close it.
    :raises ValueError: for an option out of range, or a ``base_url`` that is no plain URL
    """

    def __init__(
        self,
        *,
        base_url: str,
        token: str,
        secret_key: str,
        origin: str,
        user_agent: str,
        language: Language = "en",
        format: Format = "json",
        sandbox: bool = False,
        client_technology: str = "Python",
        max_jobs_per_request: int = 10_000,
        concurrency: int = 2,
        request_timeout: float = 30.0,
        retry_for: float = 300.0,
        allow_http: bool = False,
        on_request: Callable[[Attempt], None] | None = None,
        on_retry: Callable[[Retry], None] | None = None,
        http_client: Http | None = None,
    ) -> None:
        self._options = Options(
            base_url=base_url,
            token=token,
            secret_key=secret_key,
            origin=origin,
            user_agent=user_agent,
            language=language,
            format=format,
            sandbox=sandbox,
            client_technology=client_technology,
            max_jobs_per_request=max_jobs_per_request,
            concurrency=concurrency,
            request_timeout=request_timeout,
            retry_for=retry_for,
            allow_http=allow_http,
            on_request=on_request,
            on_retry=on_retry,
        )
        self._owns_http = http_client is None
        self._http = http_client or self._new_http()

    def _new_http(self) -> Http:
        raise NotImplementedError
