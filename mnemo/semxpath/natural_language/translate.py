"""Translates natural-language requests to queries or edits of a tree, and carries them out."""

from dataclasses import dataclass, replace

from mnemo.errors import ArgumentError, NotFoundError, QueryError
from mnemo.models.results import Usage
from mnemo.models.tree import Diff, QueryOptions, TreeSchema, Version, XPathResult
from mnemo.providers.base import Chat, Llm, Prompt
from mnemo.semxpath.language.parser import parse
from mnemo.semxpath.language.validate import check, tree_vocabulary
from mnemo.semxpath.natural_language import rules
from mnemo.semxpath.natural_language.llm_plan import PlanDraft, TreeRequest, VersionReference, read
from mnemo.semxpath.schema import describe
from mnemo.semxpath.trees.edits import Delete, Insert, Move, Replace, TreeEdit, Update
from mnemo.semxpath.trees.memory import TreeMemory

__all__ = ["Translator", "TreeOutcome", "queries_of"]

_GUIDE = """You turn a request about a tree into a Semantic XPath query, or into edits. Reply with the JSON plan only.
The language: /Type is a child, //Type a descendant, * any type; [2], [-1], [1:3] are positions, counted before
predicates; [node ~= "words"] matches by meaning, [@name = "x"] exactly (= != < <= > >= contains);
[avg(/Type[node ~= "words"])] scores a node by those below it (avg min max gmean exists); (…)[1] is the best of all.
Scores multiply along the path; nothing is removed by ~=, results come best first.
Versions: /Version[@number = 2], /Version[request ~= "words"]; with version_query a read or revert means that version,
with before the one that it was made from. Start paths below the root. All edits mean the present version.
Use types and attributes of this schema only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeOutcome:
    """Result of a request."""

    request: TreeRequest
    result: XPathResult | None = None
    """Result of a read."""
    version: Version | None = None
    """Version made by an edit or a revert; None in a dry run."""
    base: int | None = None
    """Version that the edits are based on, the version read, or the version reverted to."""
    diff: Diff | None = None
    """What an edit changed, or would change in a dry run."""


class Translator:
    """Translates requests with an LLM, or with rules if there is none."""

    def __init__(self, llm: Llm | None) -> None:
        """Translate with an LLM; None uses rules only."""
        self._llm = llm

    async def request(self, words: str, schema: TreeSchema) -> TreeRequest:
        """Return the translation of a request.

        Args:
            words: The user's request, 1 to 4,000 characters.
            schema: Schema of the tree.

        Raises:
            ArgumentError: There is no LLM and no rule matches, or the request is empty or too long.
            QueryError: The LLM's query does not match the schema, also after one correction.
            ProviderError: The LLM fails.
        """
        if not words.strip() or len(words) > 4_000:  # noqa: PLR2004 - stated above
            message = f"a request must have 1 to 4,000 characters, got {len(words):,}"
            raise ArgumentError(message)
        if self._llm is None:
            return self._by_rules(words, schema)
        chats = prompt_of(words, schema)
        reply = await self._llm.complete(Prompt(name="tree", chats=chats), PlanDraft)
        try:
            return _checked(reply.value, schema, reply.usage)
        except (QueryError, ArgumentError) as error:
            wrong = error.underlined if isinstance(error, QueryError) else str(error)
        again = (
            *chats,
            Chat(role="assistant", content=reply.value.model_dump_json()),
            Chat(role="user", content=f"That plan does not fit:\n{wrong}\nReply with the whole plan, mended."),
        )
        second = await self._llm.complete(Prompt(name="tree", chats=again), PlanDraft)
        return _checked(second.value, schema, _sum(reply.usage, second.usage))

    def _by_rules(self, words: str, schema: TreeSchema) -> TreeRequest:
        found = rules.translate(words, schema)
        if found is None:
            message = (
                "no LLM is configured, and without one only simple requests are understood, such as "
                "'restaurants on day 2', 'first task of the Garden project', 'days about art', 'move … to …'; "
                "write the query itself, or set OPENAI_API_KEY or MNEMO_LLM__BASE_URL"
            )
            raise ArgumentError(message)
        return _validated(found, schema)

    async def ask(self, tree: TreeMemory, words: str, options: QueryOptions | None = None) -> TreeOutcome:
        """Answer a request that reads; errors as for `request` and `TreeMemory.xpath`."""
        request = await self.request(words, await tree.schema())
        if request.kind != "read":
            message = f"this request would change the tree ({request.kind}); use an edit request for it"
            raise ArgumentError(message)
        return await carry_out(tree, request, words, options)

    async def act(self, tree: TreeMemory, words: str, options: QueryOptions | None = None) -> TreeOutcome:
        """Carry out a request of any kind; errors as for `request`, `TreeMemory.xpath` and `TreeMemory.edit`."""
        return await carry_out(tree, await self.request(words, await tree.schema()), words, options)

    async def preview(self, tree: TreeMemory, words: str, options: QueryOptions | None = None) -> TreeOutcome:
        """Return the plan of a request and what it would change, without changing anything; errors as for `act`."""
        request = await self.request(words, await tree.schema())
        if request.kind == "edit":
            base, diff = await tree.rehearse(request.edits)
            return TreeOutcome(request=request, base=base, diff=diff)
        if request.kind == "revert":
            number = await version_of(tree, request.version)
            active = next(version.number for version in await tree.log() if version.active)
            return TreeOutcome(request=request, base=number, diff=await tree.diff(active, number))
        return await carry_out(tree, request, words, options)


async def carry_out(
    tree: TreeMemory, request: TreeRequest, words: str, options: QueryOptions | None = None
) -> TreeOutcome:
    """Carry out a translated request; a version that it makes stores the words."""
    if request.kind == "edit":
        version = await tree.edit(request.edits, request=words)
        base = version.parent or version.number
        return TreeOutcome(request=request, version=version, base=base, diff=await tree.diff(base, version.number))
    number = await version_of(tree, request.version) if request.version else None
    if request.kind == "revert" and number is not None:
        version = await tree.revert(number, request=words)
        return TreeOutcome(request=request, version=version, base=number)
    result = await tree.xpath(request.query or "", version=number, options=options)
    return TreeOutcome(request=request, result=result, base=number)


async def version_of(tree: TreeMemory, reference: VersionReference | None) -> int:
    """Return the number of a referenced version.

    Raises:
        NotFoundError: There is no such version.
    """
    found = (await tree.xpath(reference.query)).matches if reference else ()
    if reference is None or not found or found[0].type != "Version":
        message = f"no version matches {reference.query if reference else 'the request'!r}; list the versions with log"
        raise NotFoundError(message)
    number = int(found[0].attributes["number"])
    if not reference.before:
        return number
    parent = next(version.parent for version in await tree.log() if version.number == number)
    if parent is None:
        message = f"version {number} has no parent version"
        raise NotFoundError(message)
    return parent


def prompt_of(words: str, schema: TreeSchema) -> tuple[Chat, ...]:
    """Return the prompt for a plan."""
    return (
        Chat(role="system", content=f"{_GUIDE}\n\n{describe(schema)}"),
        Chat(role="user", content=words),
    )


def queries_of(edit: TreeEdit) -> tuple[str, ...]:
    """Return the queries of an edit."""
    match edit:
        case Insert(parent=parent):
            return (parent,)
        case Move(query=query, parent=parent):
            return (query, parent)
        case Update(query=query) | Replace(query=query) | Delete(query=query):
            return (query,)


def _checked(draft: PlanDraft, schema: TreeSchema, usage: Usage) -> TreeRequest:
    return _validated(read(draft, usage), schema)


def _validated(request: TreeRequest, schema: TreeSchema) -> TreeRequest:
    """Check every query of a request against the schema."""
    queries = [request.query, request.version.query if request.version else None]
    queries += [query for edit in request.edits for query in queries_of(edit)]
    vocabulary = tree_vocabulary(schema)
    for query in queries:
        if query is not None:
            check(parse(query), vocabulary)
    return request


def _sum(one: Usage, other: Usage) -> Usage:
    return replace(
        one,
        calls=one.calls + other.calls,
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
    )
