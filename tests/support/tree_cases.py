"""Reads tests/cases/*.semxpath: trees, scores, queries and expected results as plain text.

tree T            a tree, indented by two spaces per level: TYPE name=value …; Versions under the root; `active N`
scores m          scores of the semantic string m: NAME SCORE; `others SCORE`
## title          start of a case
query …           the query; an `options …` line may follow: threshold=.3 top_k=2 limit=1 version=2 all_versions
= A .9            name (or path) and score of a match, in result order; no such line is an empty result
! KIND OFFSET text     expected error instead: syntax or schema, its offset, and a part of its message
"""

import re
import shlex
from dataclasses import dataclass, field
from typing import Any

from mnemo.models.tree import TreeNode
from support.paths import CASES
from support.tree_oracle import History, Options


@dataclass
class Case:
    title: str
    history: History
    scores: dict[str, dict[str, float]]
    query: str = ""
    options: Options = field(default_factory=Options)
    rows: list[tuple[str, float]] = field(default_factory=list)
    error: tuple[str, int, str] | None = None

    def score(self, subject: str, text: str) -> float:
        table = self.scores[text]
        named = re.search(r"name: (\w+)", subject)
        return table.get(named.group(1) if named else "", table.get("others", 0.0))


def load(name: str) -> list[Case]:
    return _Reader().read((CASES / name).read_text(encoding="utf-8"))


class _Reader:
    def __init__(self) -> None:
        self.history = History([], 0)
        self.scores: dict[str, dict[str, float]] = {}
        self.cases: list[Case] = []

    def read(self, text: str) -> list[Case]:
        blocks = [block for block in text.split("\n\n") if block.strip()]
        for block in blocks:
            lines = [line for line in block.splitlines() if line and not line.startswith("# ")]
            if lines and lines[0].startswith("tree "):
                self.history = _history(lines[1:])
            elif lines and lines[0].startswith("scores "):
                rows = (line.split() for line in lines[1:])
                self.scores[lines[0].split()[1]] = {name: float(score) for name, score in rows}
            elif lines:
                self.cases.append(self._case(lines))
        return self.cases

    def _case(self, lines: list[str]) -> Case:
        case = Case(lines[0].removeprefix("## "), self.history, self.scores)
        for line in lines[1:]:
            word, _, rest = line.partition(" ")
            match word:
                case "query":
                    case.query = rest
                case "options":
                    case.options = _options(rest)
                case "=":
                    name, score = rest.rsplit(maxsplit=1)
                    case.rows.append((name, float(score)))
                case "!":
                    kind, offset, words = rest.split(maxsplit=2)
                    case.error = (kind, int(offset), words)
        return case


def _options(text: str) -> Options:
    options = Options()
    for word in text.split():
        name, _, value = word.partition("=")
        setattr(options, name, True if not value else float(value) if name == "threshold" else int(value))
    if options.version is not None:
        options.version -= 1
    return options


def _history(lines: list[str]) -> History:
    active = 0
    if lines[-1].startswith("active "):
        active = int(lines.pop().split()[1]) - 1
    root = _nested(lines)
    versions: list[tuple[dict[str, Any], TreeNode]] = []
    for index, version in enumerate(root.children, start=1):
        node = TreeNode(type=root.type, attributes=root.attributes, children=version.children)
        versions.append(({"number": index, **version.attributes}, node))
    return History(versions, active)


def _nested(lines: list[str]) -> TreeNode:
    head, *rest = lines
    depth = len(head) - len(head.lstrip())
    groups: list[list[str]] = []
    for line in rest:
        if len(line) - len(line.lstrip()) == depth + 2:
            groups.append([])
        groups[-1].append(line)
    type_name, *pairs = shlex.split(head.strip())
    attributes = {name: value for name, _, value in (pair.partition("=") for pair in pairs)}
    return TreeNode(type=type_name, attributes=attributes, children=tuple(_nested(group) for group in groups))
