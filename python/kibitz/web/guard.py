"""Who may talk to the server: the right host, the right origin and, where one is set, the right token."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

__all__ = ["Guard"]

_Scope = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_COOKIE = "kibitz_token"
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}

_ASK = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>kibitz</title><body style="font-family:sans-serif;max-width:24rem;margin:4rem auto;padding:0 1rem">
<h1>kibitz</h1><p>This lab is protected. Enter the token that it was started with.</p>
<form><label>Token <input name="token" type="password" autofocus></label> <button>Enter</button></form></body></html>"""


class Guard:
    """An ASGI middleware in front of everything, websockets included.

    - A page of another site must not reach the lab through the visitor's browser: a request that says where it comes
      from (`Origin`) must come from the lab itself.
    - A lab on the loopback answers only to its names, so that no foreign name can be pointed at it (DNS rebinding).
    - With a token, whoever has not shown it gets a page that asks for it. A cookie keeps a digest of the token.
    """

    def __init__(self, app: Callable[..., Awaitable[None]], loopback: bool, token: str | None) -> None:
        self._app = app
        self._loopback = loopback
        self._token = token
        self._digest = hashlib.sha256(f"kibitz {token}".encode()).hexdigest()

    async def __call__(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        """Passes a request on, or answers it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if not self._is_ours(headers):
            await _refuse(scope, send, 403, "This is not an address of the lab.")
        elif self._token is None or self._has_cookie(headers):
            await self._app(scope, receive, send)
        elif self._shows_token(scope):
            await self._let_in(scope, send)
        else:
            await _refuse(scope, send, 401, _ASK, "text/html; charset=utf-8")

    def _is_ours(self, headers: dict[str, str]) -> bool:
        host = headers.get("host", "")
        if self._loopback and urlsplit(f"//{host}").hostname not in _LOOPBACK:
            return False
        origin = headers.get("origin")
        return origin is None or urlsplit(origin).netloc == host

    def _has_cookie(self, headers: dict[str, str]) -> bool:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(_COOKIE)
        except CookieError:
            return False
        return found is not None and hmac.compare_digest(found.value.encode(), self._digest.encode())

    def _shows_token(self, scope: _Scope) -> bool:
        given = dict(parse_qsl(scope["query_string"].decode("latin-1"))).get("token", "")
        return hmac.compare_digest(given.encode(), (self._token or "").encode())

    async def _let_in(self, scope: _Scope, send: _Send) -> None:
        """Remembers the visitor and takes the token out of the address."""
        rest = [(name, value) for name, value in parse_qsl(scope["query_string"].decode("latin-1")) if name != "token"]
        # Always a path of ours: two slashes at the beginning would name another host.
        path = "/" + scope["path"].lstrip("/") + (f"?{urlencode(rest)}" if rest else "")
        cookie = f"{_COOKIE}={self._digest}; Path=/; HttpOnly; SameSite=Lax"
        headers = [(b"location", path.encode("latin-1", "replace")), (b"set-cookie", cookie.encode())]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


async def _refuse(scope: _Scope, send: _Send, status: int, text: str, kind: str = "text/plain") -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    headers = [(b"content-type", kind.encode()), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})
