"""The command `bench tree`: the tree over episodes by its objective, its shape and the evidence it finds."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Annotated

import typer
from rich.console import Console

from mnemo.bench.memtree.growth import ROOT, grow
from mnemo.bench.memtree.objective import average_linkage, moseley_wang, random_tree, resolved, shape
from mnemo.bench.memtree.recall import Recall, recalls, shelf
from mnemo.bench.recall.locomo_data import LocomoQuestion, questions
from mnemo.cli.rendering.output import JsonOption, Output, failing_clearly
from mnemo.cli.rendering.results import table
from mnemo.config import Settings, load_settings
from mnemo.hierarchy.memtree.aggregate import ExtractAggregator
from mnemo.hierarchy.memtree.thresholds import descent_rule
from mnemo.ingestion.readers import read
from mnemo.models.embedding_text import episode_text
from mnemo.models.graph import Message
from mnemo.providers.base import Embedder
from mnemo.providers.factory import build_embedder

__all__ = ["memtree"]

BUDGETS = (250, 500, 1_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Report:
    conversation: str
    numbers: dict[str, float]
    recalls: list[dict[int, Recall]]


def memtree(
    path: Annotated[Path, typer.Argument(help="A LoCoMo file.")],
    conversations: Annotated[int, typer.Option("--conversations", min=1, help="How many of its first.")] = 5,
    as_json: JsonOption = False,
) -> None:
    """Grow the tree over episodes of LoCoMo conversations in memory: objective, shape, evidence at equal tokens.

    The objective (Moseley and Wang) stands beside that of average linkage on the same vectors and that of a
    random binary tree; `resolved` is the tree with its wide nodes split in two by average linkage.
    """
    output = Output(json=as_json)
    with failing_clearly(output):
        reports = asyncio.run(_all(load_settings(), path, conversations))
        found = _recall(reports)
        trees = [{"conversation": each.conversation, **each.numbers} for each in reports]
        output.show({"trees": trees, "recall": found}, lambda console: _draw(console, reports, found))


def _draw(console: Console, reports: Sequence[_Report], found: Sequence[dict[str, float]]) -> None:
    rows = [[each.conversation, *(f"{value:.4g}" for value in each.numbers.values())] for each in reports]
    console.print(table(["conversation", *(f"#{name}" for name in reports[0].numbers)], rows))
    lines = [[f"{value:.4g}" for value in row.values()] for row in found]
    console.print(table([f"#{name}" for name in found[0]], lines, title="evidence recall at equal tokens"))


async def _all(settings: Settings, path: Path, count: int) -> list[_Report]:
    embedder = build_embedder(settings)
    asked = questions(path)
    reports = []
    for conversation in list(read(path, zone=settings.ingestion.zone))[:count]:
        own = [question for question in asked if question.conversation == conversation.name]
        reports.append(await _one(settings, embedder, conversation.name, list(conversation.messages), own))
    await embedder.close()
    return reports


async def _one(
    settings: Settings, embedder: Embedder, name: str, messages: Sequence[Message], asked: Sequence[LocomoQuestion]
) -> _Report:
    texts = [episode_text(message.content, message.speaker) for message in messages]
    ids = [message.source_id or "" for message in messages]
    vectors = await embedder.passages(texts)
    rule = descent_rule(settings.memtree, embedder.model)
    aggregator = ExtractAggregator(settings.memtree.summary_tokens)
    grown = await grow(
        texts, vectors, rule=rule, aggregator=aggregator, embedder=embedder, batch=settings.memtree.batch
    )
    leaves = {str(number): vector for number, vector in enumerate(vectors)}
    linked, top = average_linkage(list(leaves), vectors)
    drawn, apex = random_tree(list(leaves))
    seen = shape(grown.tree, ROOT)
    numbers = {
        "leaves": seen["leaves"],
        "inner": seen["inner"],
        "deepest": seen["depth_max"],
        "depth": seen["depth_mean"],
        "branching": seen["branching_mean"],
        "root": seen["root_children"],
        "calls/insert": grown.path,
        "batched": grown.aggregations / len(texts),
        "objective": moseley_wang(grown.tree, ROOT, leaves, rule.floor),
        "resolved": moseley_wang(resolved(grown.tree, ROOT, leaves), ROOT, leaves, rule.floor),
        "linkage": moseley_wang(linked, top, leaves, rule.floor),
        "random": moseley_wang(drawn, apex, leaves, rule.floor),
    }
    books = shelf(texts, vectors, grown)
    wanted = await embedder.questions([question.text for question in asked])
    found = [recalls(books, question, row, ids, BUDGETS) for question, row in zip(asked, wanted, strict=True)]
    return _Report(conversation=name, numbers=numbers, recalls=found)


def _recall(reports: Sequence[_Report]) -> list[dict[str, float]]:
    every = [each for report in reports for each in report.recalls]
    return [
        {
            "budget": budget,
            "questions": len(every),
            "flat": fmean(each[budget].flat for each in every),
            "collapsed": fmean(each[budget].collapsed for each in every),
            "with summaries": fmean(each[budget].collapsed_covered for each in every),
            "summaries": fmean(each[budget].summaries for each in every),
        }
        for budget in BUDGETS
    ]
