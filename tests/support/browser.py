"""Drives Neo4j Browser in headless Chromium: login, statements, graphs, pictures."""

import re
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

__all__ = ["Browser"]

T = TypeVar("T")
WAIT_S = 240.0
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--window-size=1750,1100",
)
_SHOWN = re.compile(r"Displaying (\d+) nodes, (\d+) relationships")
_SETTLE_S = 4.0
"""Seconds until the layout of the drawing is stable."""


class Browser:
    """A browser window; a context manager."""

    def __init__(
        self, profile: Path, *, chromium: str = "/usr/bin/chromium", driver: str = "/usr/bin/chromedriver"
    ) -> None:
        """Start Chromium with a temporary profile; does not wait for complete pages, since some need the internet."""
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        options.page_load_strategy = "none"
        for flag in (*_FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        self._driver = webdriver.Chrome(options=options, service=Service(driver))

    def __enter__(self) -> Self:
        """Return the browser."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop Chromium."""
        self._driver.quit()

    def open(self, address: str) -> None:
        """Open the page of Neo4j Browser."""
        self._driver.get(address)

    def connect(self, uri: str, username: str, password: str) -> None:
        """Log in and wait until Browser is connected."""
        for field, value in (("boltaddress", uri), ("username", username), ("password", password)):
            box = self._element(f"[data-testid={field}]")
            box.send_keys(Keys.CONTROL + "a")
            box.send_keys(value)
        self._element("[data-testid=connect]").click()
        self._until(lambda: "You are connected as user" in self._text(), "a connection")

    def run(self, statement: str) -> None:
        """Run a statement or command; returns once the editor has accepted it."""
        editor = self._element("textarea")
        editor.send_keys(Keys.CONTROL + "a")
        editor.send_keys(statement)
        editor.send_keys(Keys.CONTROL + Keys.ENTER)
        time.sleep(1)

    def graph(self) -> tuple[int, int]:
        """Wait until the latest result is drawn; return its numbers of nodes and relationships."""
        self._until(lambda: _SHOWN.search(self._text()) or "ERROR" in self._text(), "a graph")
        shown = _SHOWN.search(self._text())
        if shown is None:
            message = f"Browser shows an error: {self._text()[-500:]}"
            raise AssertionError(message)
        return int(shown[1]), int(shown[2])

    def picture(self, path: Path) -> None:
        """Show the drawing full-size and write it as PNG."""
        pointer = ActionBuilder(self._driver)
        pointer.pointer_action.move_to_location(1, 1)  # away from any node, which would be shown instead of the legend
        pointer.perform()
        self._click("Fullscreen")
        time.sleep(1)
        self._click("zoom-to-fit")
        time.sleep(_SETTLE_S)
        self._driver.save_screenshot(str(path))

    def _click(self, title: str) -> None:
        script = """
            const found = [...document.querySelectorAll('article button')].filter(
                each => (each.title + ' ' + (each.getAttribute('aria-label') || '')).includes(arguments[0]));
            if (found.length) found[0].click();
            return found.length;
        """
        if not self._driver.execute_script(script, title):
            buttons = self._driver.execute_script(
                "return [...document.querySelectorAll('article button')].map(e => e.outerHTML.slice(0, 160))"
            )
            message = f"Browser has no button {title!r}: {buttons}"
            raise AssertionError(message)

    def _text(self) -> str:
        return str(self._driver.execute_script("return document.body ? document.body.innerText : ''"))

    def _element(self, selector: str) -> WebElement:
        return self._until(lambda: next(iter(self._driver.find_elements(By.CSS_SELECTOR, selector)), None), selector)

    def _until(self, ready: Callable[[], T | None], what: str) -> T:
        deadline = time.monotonic() + WAIT_S
        while time.monotonic() < deadline:
            found = ready()
            if found:
                return found
            time.sleep(0.2)
        message = f"Browser did not show {what} in {WAIT_S:.0f} s: {self._text()[-300:]}"
        raise AssertionError(message)
