"""Translates simple requests to queries and edits by rules, for use without an LLM; pure.

It understands types with an ordinal, a container or a topic ("restaurants on day 2", "first task of the Garden
project", "days about art"), comparisons with an attribute ("tasks with priority 1", "places with price under 10"),
example values of the schema ("open tasks"), and edits: add, remove, move, rename, set, go back.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mnemo.models.tree import TreeNode, TreeSchema
from mnemo.semxpath.language.printer import show_name
from mnemo.semxpath.natural_language.llm_plan import TreeRequest, VersionReference
from mnemo.semxpath.trees.edits import Delete, Insert, Move, TreeEdit, Update

__all__ = ["translate"]

_ORDINALS = {
    **{
        word: index for index, word in enumerate(("first", "second", "third", "fourth", "fifth", "sixth", "seventh"), 1)
    },
    "last": -1,
}
_NAMES = ("name", "title", "label", "text", "id")
_LEAD = re.compile(
    r"^(?:(?:please|can you|could you|i want to|show(?: me)?|list|give me|find|get"
    r"|what(?:'s| is| are)?|which|where(?:'s| is| are))\b\s*)+"
    r"|^(?:the|all|any|every|my|our)\b\s*",
    re.IGNORECASE,
)
_OPS = {
    "under": "<",
    "below": "<",
    "less than": "<",
    "fewer than": "<",
    "before": "<",
    "cheaper than": "<",
    "up to": "<=",
    "at most": "<=",
    "over": ">",
    "above": ">",
    "more than": ">",
    "after": ">",
    "from": ">=",
    "at least": ">=",
    "is": "=",
    "of": "=",
    "=": "=",
}
_LINKS = r"(?:on|in|of|for|from|at|to|under|within)"

_LINKED = re.compile(rf"(?:^| ){_LINKS}(?: |$)", re.IGNORECASE)


def translate(words: str, schema: TreeSchema) -> TreeRequest | None:
    """Return the translation of a request, or None if no rule matches."""
    text = re.sub(r"\s+", " ", words.strip().rstrip("?.!"))
    rules = _Rules(schema)
    return rules.back(text) or rules.edit(text) or rules.read(text)


@dataclass(frozen=True, slots=True)
class _Target:
    """Query for the nodes that a phrase refers to."""

    query: str
    type: str | None


class _Rules:
    def __init__(self, schema: TreeSchema) -> None:
        self._schema = schema
        self._types = {form: name for name in reversed(tuple(schema.types)) for form in _forms(name)}
        self._singular = {form for name in schema.types for form in tuple(_forms(name))[::3]}

    def back(self, text: str) -> TreeRequest | None:
        found = re.fullmatch(r"(?:go back|revert|return|reset) to version (\d+)", text, re.IGNORECASE)
        if found:
            return _revert(VersionReference(query=f"/Version[@number = {int(found[1])}]"))
        if re.fullmatch(r"undo(?: (?:that|it|the last (?:change|edit)))?", text, re.IGNORECASE):
            return _revert(VersionReference(query="(/Version)[-1]", before=True))
        found = re.fullmatch(
            r"(?:(?:go back to|restore|make it|put it back to)(?: the way| how)? )?"
            r"(?:it|as it|how it) was before (?:i |we |you )?(.+)",
            text,
            re.IGNORECASE,
        )
        if found:
            return _revert(VersionReference(query=f"/Version[node ~= {_string(found[1])}]", before=True))
        return None

    def edit(self, text: str) -> TreeRequest | None:
        for pattern, make in (
            (r"(?:move|put|shift) (?P<what>.+?) (?:to|into|onto|under) (?P<where>.+)", self._move),
            (r"(?:delete|remove|cancel|drop|skip) (?P<what>.+)", self._delete),
            (r"rename (?P<what>.+?) to (?P<value>.+)", self._rename),
            (r"(?:set|change) (?:the )?(?P<name>[\w-]+) of (?P<what>.+?) to (?P<value>.+)", self._set),
            (r"mark (?P<what>.+?) (?:as )?(?P<value>[\w-]+)", self._mark),
            (r"add (?:an? |the )?(?:new )?(?P<what>.+?) (?:to|on|in|under) (?P<where>.+)", self._add),
        ):
            found = re.fullmatch(pattern, text, re.IGNORECASE)
            edits = make(found) if found else None
            if edits:
                return TreeRequest(kind="edit", by="rules", edits=edits)
        return None

    def read(self, text: str) -> TreeRequest | None:
        target = self._nodes(text)
        return TreeRequest(kind="read", by="rules", query=target.query) if target else None

    def _move(self, found: re.Match[str]) -> tuple[TreeEdit, ...] | None:
        what, where = self._one(found["what"]), self._nodes(found["where"])
        return (Move(query=what.query, parent=where.query),) if where else None

    def _delete(self, found: re.Match[str]) -> tuple[TreeEdit, ...]:
        return (Delete(query=self._one(found["what"]).query),)

    def _rename(self, found: re.Match[str]) -> tuple[TreeEdit, ...]:
        what = self._one(found["what"])
        return (Update(query=what.query, attributes={self._name_of(what.type): _unquoted(found["value"])}),)

    def _set(self, found: re.Match[str]) -> tuple[TreeEdit, ...] | None:
        what = self._one(found["what"])
        name = next((name for name in self._attributes(what.type) if name.lower() == found["name"].lower()), None)
        return (Update(query=what.query, attributes={name: _unquoted(found["value"])}),) if name else None

    def _mark(self, found: re.Match[str]) -> tuple[TreeEdit, ...] | None:
        what = self._one(found["what"])
        for type_name in [what.type] if what.type else self._schema.types:
            for name, known in self._schema.types[type_name].attributes.items():
                if found["value"].lower() in {example.lower() for example in known.examples}:
                    return (Update(query=what.query, attributes={name: found["value"]}),)
        return None

    def _add(self, found: re.Match[str]) -> tuple[TreeEdit, ...] | None:
        where = self._nodes(found["where"])
        words = found["what"].split(" ", 1)
        type_name = self._types.get(words[0].lower())
        if where is None or type_name is None:
            return None
        rest = re.sub(r"^(?:called|named|:)\s*", "", words[1]) if len(words) > 1 else ""
        attributes = {self._name_of(type_name): _unquoted(rest)} if rest else {}
        return (Insert(parent=where.query, node=TreeNode(type=type_name, attributes=attributes)),)

    def _one(self, text: str) -> _Target:
        """Return the one node that a phrase refers to, by position or by name."""
        bare = _bare(text)
        target = self._nodes(bare)
        if target is not None:
            several = any(
                word.lower() in self._types and word.lower() not in self._singular for word in bare.split(" ")
            )
            if several or re.search(r"\[-?\d+\]$", target.query):
                return target
            if target.query.endswith("]"):
                return _Target(f"({target.query})[1]", target.type)
        found = re.fullmatch(rf"(.+?) {_LINKS} (.+)", bare, re.IGNORECASE)
        inside = self._nodes(found[2]) if found else None
        phrase = found[1] if found and inside else bare
        words = phrase.split(" ")
        typed = self._types.get(words[0].lower()) or self._types.get(words[-1].lower())
        test = "*" if typed is None else show_name(typed)
        base = inside.query if inside else ""
        named = f"@{show_name(self._name_of(typed))} contains {_string(_stripped(words, self._types))}"
        return _Target(f"({base}//{test}[max({named}, node ~= {_string(phrase)})])[1]", typed)

    def _nodes(self, text: str) -> _Target | None:
        """Return the nodes that a phrase with a type or a known value refers to; None if it has neither."""
        bare = _bare(text)
        for at in _splits(bare):
            head, link, tail = at
            if link in {"about", "like", "related to", "matching"}:
                target = self._plain(head)
                if target:
                    return _Target(self._about(target, tail), target.type)
                continue
            container = self._nodes(tail)
            target = self._plain(head) or self._of_value(_bare(head))
            if container and target and container.type != target.type:
                return _Target(self._inside(container, target), target.type)
        return self._plain(bare) or self._of_value(bare)

    def _of_value(self, text: str) -> _Target | None:
        """Return the nodes with an example value of the schema, such as "Porto", "dinner" or "museums"."""
        position = ""
        first, _, rest = text.partition(" ")
        if rest and first.lower() in _ORDINALS:
            position, text = f"[{_ORDINALS[first.lower()]}]", rest
        forms = {text.lower(), text.lower().removesuffix("s")}
        for name, known in self._schema.types.items():
            for attribute, seen in known.attributes.items():
                for example in seen.examples:
                    if example.lower() in forms and not example[:1].isdigit():
                        return _Target(
                            f"//{show_name(name)}{position}[@{show_name(attribute)} = {_string(example)}]", name
                        )
        return None

    def _plain(self, text: str) -> _Target | None:
        """Return the nodes of a type with ordinals and conditions."""
        words = _bare(text).split(" ")
        for index, word in enumerate(words):
            name = self._types.get(word.lower())
            if name is None:
                continue
            before, after = words[:index], words[index + 1 :]
            conditions = self._conditions(name, before, " ".join(after))
            if conditions is not None:
                return _Target(f"//{show_name(name)}{conditions}", name)
        return None

    def _conditions(self, name: str, before: list[str], after: str) -> str | None:
        position, conditions = "", ""
        for word in before:
            if word.lower() in _ORDINALS:
                position = f"[{_ORDINALS[word.lower()]}]"
            elif value := self._valued(name, word):
                conditions += value
            else:
                named = " ".join(part for part in before if part.lower() not in _ORDINALS)
                if _LINKED.search(named):
                    return None
                conditions = f"[@{show_name(self._name_of(name))} contains {_string(named)}]"
                break
        if not after:
            return position + conditions
        if re.fullmatch(r"\d+", after):
            return f"[{int(after)}]{conditions}"
        compared = self._compared(name, after)
        if compared:
            return position + conditions + compared
        if (before and not conditions and not position) or _LINKED.search(after):
            return None
        return f"{position}{conditions}[@{show_name(self._name_of(name))} contains {_string(_unquoted(after))}]"

    def _valued(self, name: str, word: str) -> str | None:
        for attribute, known in self._schema.types[name].attributes.items():
            for example in known.examples:
                if example.lower() == word.lower():
                    return f"[@{show_name(attribute)} = {_string(example)}]"
        return None

    def _compared(self, name: str, text: str) -> str | None:
        """Return the condition of a comparison such as "with priority 1" or "due before 2026-03-05"."""
        for attribute in self._schema.types[name].attributes:
            ops = "|".join(sorted(map(re.escape, _OPS), key=len, reverse=True))
            lead = r"(?:with |whose |where |that (?:are|is) )?(?:an? |the )?"
            found = re.fullmatch(
                rf"{lead}{re.escape(attribute)} ?(?P<op>{ops})? ?(?P<value>\S+)",
                text,
                re.IGNORECASE,
            )
            if found:
                return f"[@{show_name(attribute)} {_OPS[(found['op'] or '=').lower()]} {_literal(found['value'])}]"
        return None

    def _about(self, target: _Target, topic: str) -> str:
        """Match the node itself, or its best descendant if its type has children."""
        inner = self._schema.types[target.type or ""].children
        phrase = _string(_unquoted(topic))
        return f"{target.query}[max(//*[node ~= {phrase}])]" if inner else f"{target.query}[node ~= {phrase}]"

    def _inside(self, container: _Target, target: _Target) -> str:
        axis = "/" if target.type in self._schema.types[container.type or ""].children else "//"
        return container.query + axis + target.query.removeprefix("//")

    def _attributes(self, type_name: str | None) -> tuple[str, ...]:
        types = [type_name] if type_name else list(self._schema.types)
        return tuple(dict.fromkeys(name for one in types for name in self._schema.types[one].attributes))

    def _name_of(self, type_name: str | None) -> str:
        """Return the attribute that is the name of nodes of a type."""
        known = self._attributes(type_name)
        return next((name for name in _NAMES if name in known), known[0] if known else "name")


def _revert(reference: VersionReference) -> TreeRequest:
    return TreeRequest(kind="revert", by="rules", version=reference)


def _forms(name: str) -> Iterator[str]:
    """Yield the forms of a type name in text: as written and as words, each in singular and plural."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    for form in (name.lower(), spaced):
        yield from (form, form + "s", form[:-1] + "ies" if form.endswith("y") else form + "es")


def _splits(text: str) -> Iterator[tuple[str, str, str]]:
    for found in re.finditer(rf" ({_LINKS}|about|like|related to|matching) ", text, re.IGNORECASE):
        yield text[: found.start()], found[1].lower(), text[found.end() :]


def _bare(text: str) -> str:
    before = None
    while before != text:
        before, text = text, _LEAD.sub("", text).strip()
    return text


def _stripped(words: list[str], types: dict[str, str]) -> str:
    kept = [word for word in words if word.lower() not in types]
    return _unquoted(" ".join(kept or words))


def _unquoted(text: str) -> str:
    return text.strip().strip("\"'")


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _literal(text: str) -> str:
    return text if re.fullmatch(r"-?\d+(?:\.\d+)?", text) else _string(_unquoted(text))
