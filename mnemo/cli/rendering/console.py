"""A console that shows stored text as text: nothing in it can move the cursor, set a title or turn the line around."""

from collections.abc import Iterable

from rich import markup
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from mnemo.characters import visible

__all__ = ["PlainConsole", "escape"]


def escape(text: str) -> str:
    r"""Return text for console markup: brackets are literal, control and direction marks are escapes such as `\x1b`."""
    return markup.escape(visible(text))


class PlainConsole(Console):
    """Shows control and direction marks in whatever it prints as escapes, also where text was not escaped."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield segments whose text a terminal shows as it is."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))
