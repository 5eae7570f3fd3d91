"""Builds what makes the categories and keeps them up to date."""

from mnemo.clock import Clock
from mnemo.config import Settings
from mnemo.hierarchy.categories.builder import Builder
from mnemo.hierarchy.categories.layers import LayerRules
from mnemo.hierarchy.categories.llm_categoriser import LlmCategoriser
from mnemo.hierarchy.categories.local_categoriser import LocalCategoriser
from mnemo.hierarchy.categories.maintenance import CategoryMaintenance, NameReviewOptions
from mnemo.hierarchy.categories.naming import LlmNamer, LocalNamer, Namer
from mnemo.memory.llm_settings import required_llm
from mnemo.providers.base import Embedder, Llm
from mnemo.store.driver import Database

__all__ = ["build_builder", "build_maintenance"]

_SETTING = "MNEMO_HIERARCHY__CATEGORISER"


def build_builder(settings: Settings, database: Database, embedder: Embedder, llm: Llm | None, clock: Clock) -> Builder:
    """Return the builder of the categories; the settings say who names them."""
    hierarchy = settings.hierarchy
    categoriser: LocalCategoriser | LlmCategoriser
    if hierarchy.categoriser == "local" or (hierarchy.categoriser == "auto" and llm is None):
        categoriser = LocalCategoriser(embedder)
    else:
        categoriser = LlmCategoriser(required_llm(llm, _SETTING), embedder, batch=hierarchy.batch)
    rules = LayerRules(min_children=hierarchy.min_children, max_layers=hierarchy.max_layers)
    return Builder(database=database, categoriser=categoriser, embedder=embedder, clock=clock, rules=rules)


def build_maintenance(settings: Settings, llm: Llm | None, builder: Builder) -> CategoryMaintenance:
    """Return what updates the categories after a run; local categories cost nothing, so it also rebuilds them."""
    hierarchy = settings.hierarchy
    namer: Namer
    local = isinstance(builder.categoriser, LocalCategoriser)
    if local:
        namer = LocalNamer(builder.database, builder.categoriser)
    else:
        namer = LlmNamer(required_llm(llm, _SETTING), tokens=hierarchy.rename_tokens)
    renaming = NameReviewOptions(namer=namer, most=hierarchy.rename, seconds=hierarchy.rename_seconds)
    return CategoryMaintenance(builder, drift=hierarchy.drift if local else None, name_review=renaming)
