"""Renders a hierarchy as one HTML page without scripts or external resources."""

from collections.abc import Sequence
from html import escape

from mnemo.models.hierarchy import Branch, Category

__all__ = ["page"]

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: #1c2530; }
h1 { font-size: 1.3rem } p { color: #5a6673 }
details, .leaf { margin: .15rem 0 .15rem 1.1rem; border-left: 2px solid #d5dde6; padding-left: .7rem }
summary { cursor: pointer } summary b { color: #0b6e99; font-weight: 600 }
.leaf { border-color: #9ac7a5; white-space: pre-wrap }
.more { color: #8a949e; font-style: italic }
@media (prefers-color-scheme: dark) { body { background: #14181d; color: #d8dee6 } details { border-color: #36414d } }
"""


def page(title: str, line: str, branches: Sequence[Branch]) -> str:
    """Return a page with collapsible nodes.

    Args:
        title: Heading, plain text.
        line: Text below the heading.
        branches: The root's branches.
    """
    head = f"<meta charset='utf-8'><meta name='viewport' content='width=device-width'><title>{escape(title)}</title>"
    body = "".join(_render(branch, 1) for branch in branches)
    return (
        f"<!doctype html><html lang='en'><head>{head}<style>{_STYLE}</style></head>"
        f"<body><h1>{escape(title)}</h1><p>{escape(line)}</p>{body}</body></html>\n"
    )


def _render(branch: Branch, depth: int) -> str:
    node = branch.node
    if not isinstance(node, Category):
        return f"<div class='leaf'>{escape(node.text)}</div>"
    name = f"{escape(node.name)} " if node.name else ""
    tags = f" <i>{escape(', '.join(node.tags))}</i>" if node.tags else ""
    open_ = " open" if depth == 1 else ""
    below = "".join(_render(child, depth + 1) for child in branch.children)
    below = below or "<div class='more'>more below</div>"
    return (
        f"<details{open_}><summary><b>{name}{node.leaves}</b> {escape(node.content)}{tags}</summary>{below}</details>"
    )
