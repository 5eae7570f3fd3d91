"""Answers the requests of the three sample domains; reports accuracy and cost in tokens."""

import json
from dataclasses import dataclass, replace

from mnemo.errors import MnemoError
from mnemo.models.results import Usage
from mnemo.models.tree import Match, QueryOptions, TreeNode
from mnemo.models.tree_text import as_text, node_text
from mnemo.providers.tokens import count_tokens
from mnemo.samples.domains import Domain, GoldRequest
from mnemo.semxpath.formats.convert import dump
from mnemo.semxpath.natural_language.llm_plan import PlanDraft, TreeRequest, read
from mnemo.semxpath.natural_language.translate import Translator, carry_out, prompt_of
from mnemo.semxpath.trees.memory import TreeMemory, Trees

__all__ = ["ScoredRequest", "label", "run"]

_FLAT_K = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredRequest:
    """The result of one request."""

    domain: str
    words: str
    kind: str
    right: bool
    subtree_tokens: int
    """Tokens of the subtrees that the query found, which an LLM would read to answer."""
    tree_tokens: int
    """Tokens of the whole tree."""
    flat_tokens: int
    """Tokens of the ten nodes nearest to the request, as a flat store would return them."""
    prompt_tokens: int
    """Tokens of the prompt that creates the query: schema, guide and request."""
    note: str = ""
    """Why the result is wrong; empty if it is right."""


async def run(trees: Trees, domain: Domain, translator: Translator | None) -> list[ScoredRequest]:
    """Answer the requests of a domain in order, on a temporary tree.

    Args:
        trees: Where the tree is created; it is deleted at the end.
        domain: Document and requests.
        translator: Translates the requests; None uses the gold plans.
    """
    tree = trees.tree(f"bench {domain.name}")
    await tree.import_(domain.text, domain.format_name)
    try:
        return [await _answer(tree, domain, gold, translator) for gold in domain.requests]
    finally:
        await tree.delete()


async def _answer(tree: TreeMemory, domain: Domain, gold: GoldRequest, translator: Translator | None) -> ScoredRequest:
    schema = await tree.schema()
    whole = await tree.show()
    found: tuple[Match, ...] = ()
    note = ""
    try:
        request = await translator.request(gold.words, schema) if translator else _gold_plan(gold)
        found = await _found(tree, gold, request)
    except MnemoError as error:
        note = str(error)
    names = tuple(label(match) for match in found)
    right = sorted(names) == sorted(gold.expect)
    if not right and gold.check is not None:
        await _apply_gold_edit(tree, gold, base=whole)
    nearest = f"//*[node ~= {json.dumps(gold.words, ensure_ascii=False)}]"
    flat = await tree.xpath(nearest, options=QueryOptions(top_k=_FLAT_K))
    return ScoredRequest(
        domain=domain.name,
        words=gold.words,
        kind=str(gold.reply["kind"]),
        right=right,
        subtree_tokens=sum(_tokens(match.subtree) for match in found if match.subtree),
        tree_tokens=_tokens(whole),
        flat_tokens=sum(count_tokens(node_text(match.type, match.attributes)) for match in flat.matches),
        prompt_tokens=sum(count_tokens(chat.content) for chat in prompt_of(gold.words, schema)),
        note=note or ("" if right else f"got {', '.join(names) or 'nothing'}"),
    )


async def _found(tree: TreeMemory, gold: GoldRequest, request: TreeRequest) -> tuple[Match, ...]:
    """Carry out a request and return the matches to compare with the gold result, with subtrees.

    A semantic query ranks all nodes, so only as many of the best are compared as the gold result has.
    """
    outcome = await carry_out(tree, request, gold.words)
    result = outcome.result or await tree.xpath(gold.check or "/*")
    if result.semantic:
        result = replace(result, matches=result.matches[: len(gold.expect)])
    return (await tree.subtrees(result)).matches if result.matches else ()


async def _apply_gold_edit(tree: TreeMemory, gold: GoldRequest, base: TreeNode) -> None:
    """Replace a wrong edit by the gold one, so that one mistake counts once in a dialogue."""
    log = await tree.log()
    before = next(version.number for version in log if version.active)
    if await tree.show() != base:
        parent = next(version.parent for version in log if version.active)
        before = await tree.checkout(parent or before)
    await carry_out(tree, _gold_plan(gold), gold.words)


def _gold_plan(gold: GoldRequest) -> TreeRequest:
    return read(PlanDraft.model_validate(gold.reply), Usage())


def label(match: Match) -> str:
    """Return the name or title of a node, or else its path."""
    return next((as_text(match.attributes[name]) for name in ("name", "title") if name in match.attributes), match.path)


def _tokens(node: TreeNode) -> int:
    return count_tokens(dump(node, "xml")[0])
