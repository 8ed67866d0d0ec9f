"""A real Firefox without a window, driven by its own WebDriver BiDi.

Playwright drives a Firefox of its own only, which no package manager has.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox")
HEADLESS = ("--headless", "--no-remote", "--remote-debugging-port", "0")
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "ArrowRight": "\ue014"}
READY = """new Reference((done, failed) => {
    const begun = Date.now();
    const look = () => {
        if (document.documentElement.dataset.ready) done(true);
        else if (Date.now() - begun > 60_000) failed(new Error("never"));
        else setTimeout(look, 20);
    };
    look();
})"""
PATIENCE = 120.0  # seconds until an answer that does not come is an error


@contextmanager
def open_firefox(folder: Path, *, dark: bool) -> Iterator[Firefox]:
    """Start Firefox with a new profile; downloads go to ``folder``."""
    profile = folder / "profile"
    profile.mkdir()
    wishes = {
        "ui.systemUsesDarkTheme": int(dark),
        "browser.download.folderList": 2,  # that of the next line
        "browser.download.dir": str(folder),
    }
    lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in wishes.items()]
    (profile / "user.js").write_text("".join(lines), encoding="utf-8")
    process = subprocess.Popen(
        [PROGRAM, *HEADLESS, "--profile", profile],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    with process:
        try:
            found = (
                re.search(r"BiDi listening on (ws:\S+)", line) for line in process.stderr
            )
            address = next(filter(None, found))[1]
            with connect(
                f"{address}/session", max_size=None, open_timeout=PATIENCE
            ) as socket:
                yield Firefox(socket)
        finally:
            process.terminate()


class Firefox:
    """One window; ``complaints`` collects errors, warnings and requests to elsewhere."""

    def __init__(self, socket: ClientConnection):
        self.complaints: list[str] = []
        self._socket = socket
        self._count = 0
        self._send("session.new", capabilities={})
        self._send(
            "session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"]
        )
        # The first window is not in front, and there Enter presses no button.
        self._tab = self._send("browsingContext.create", type="window")["context"]

    def _send(self, method: str, **params: Any) -> dict[str, Any]:
        self._count += 1
        self._socket.send(
            json.dumps({"id": self._count, "method": method, "params": params})
        )
        while True:
            answer = json.loads(self._socket.recv(timeout=PATIENCE))
            if answer.get("id") == self._count:
                if answer["type"] == "error":
                    raise RuntimeError(f"{method}: {answer['message']}")
                return answer["result"]
            self._note(answer)

    def _note(self, event: dict[str, Any]) -> None:
        if event.get("method") == "log.entryAdded":
            self.complaints.append(event["params"]["text"])
        elif event.get("method") == "network.beforeRequestSent":
            address = event["params"]["request"]["url"]
            if not address.startswith(("file:", "blob:", "data:", "about:")):
                self.complaints.append(address)

    def open(self, path: Path, width: int, height: int = 900) -> None:
        """Open a page in a window of some size, and wait until it is ready."""
        size = {"width": width, "height": height}
        self._send("browsingContext.setViewport", context=self._tab, viewport=size)
        place = {"url": path.as_uri(), "wait": "complete"}
        self._send("browsingContext.navigate", context=self._tab, **place)
        self.evaluate(READY)

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression, awaited."""
        answer = self._send(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({expression})))()",
            target={"context": self._tab},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        text = answer["result"].get("value")
        return None if text is None else json.loads(text)

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        both = ("keyDown", "keyUp")
        strokes = [
            {"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in both
        ]
        source = {"type": "key", "id": "keyboard", "actions": strokes}
        self._send("input.performActions", context=self._tab, actions=[source])
