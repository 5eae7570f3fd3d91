"""Long-term memory for LLM agents, kept in Neo4j.

    from mnemo import Memory

    with Memory() as memory:
        memory.add({"role": "user", "content": "I moved to Porto.", "name": "Ana"})
        answer = memory.ask("Where does Ana live?")

Every public name is here and is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from mnemo.version import VERSION

if TYPE_CHECKING:
    from mnemo.config import Settings, load_settings
    from mnemo.deprecation import FormerNameWarning
    from mnemo.errors import (
        ArgumentError,
        ArtifactError,
        ConfigError,
        ConflictError,
        DiskError,
        EmbeddingMismatchError,
        GroupError,
        IngestionError,
        LauncherError,
        MalformedReplyError,
        MnemoError,
        NotFoundError,
        ProviderAuthError,
        ProviderError,
        ProviderTimeoutError,
        ProviderUnavailableError,
        QueryError,
        QuerySchemaError,
        QuerySyntaxError,
        RateLimitError,
        ReaderError,
        RunawayReplyError,
        SchemaError,
        StartError,
        StoreAuthError,
        StoreError,
        StoreReadOnlyError,
        StoreTransientError,
        StoreUnavailableError,
        StoreVersionError,
    )
    from mnemo.memory import AsyncMemory, Memory
    from mnemo.memory.trees import AsyncTree, Tree
    from mnemo.models.category_builds import BuildResult, DriftCheck
    from mnemo.models.files import FilesAdded
    from mnemo.models.graph import Edge, Entity, Episode, Message
    from mnemo.models.hierarchy import Category, HierarchyView
    from mnemo.models.progress import OnProgress, Progress, ignore_progress
    from mnemo.models.results import (
        Added,
        Answer,
        Citation,
        Context,
        Counts,
        EdgeSource,
        Forgotten,
        Found,
        GroupInfo,
        Page,
        Processed,
        Route,
        SearchResult,
        Usage,
        WalkLayer,
    )
    from mnemo.models.tree import Diff, Match, QueryOptions, TreeNode, TreeSchema, TreeSummary, Version, XPathResult
    from mnemo.semxpath.trees.edits import Delete, Insert, Move, Replace, Update

__all__ = [
    "Added",
    "Answer",
    "ArgumentError",
    "ArtifactError",
    "AsyncMemory",
    "AsyncTree",
    "BuildResult",
    "Category",
    "Citation",
    "ConfigError",
    "ConflictError",
    "Context",
    "Counts",
    "Delete",
    "Diff",
    "DiskError",
    "DriftCheck",
    "Edge",
    "EdgeSource",
    "EmbeddingMismatchError",
    "Entity",
    "Episode",
    "FilesAdded",
    "Forgotten",
    "FormerNameWarning",
    "Found",
    "GroupError",
    "GroupInfo",
    "HierarchyView",
    "IngestionError",
    "Insert",
    "LauncherError",
    "MalformedReplyError",
    "Match",
    "Memory",
    "Message",
    "MnemoError",
    "Move",
    "NotFoundError",
    "OnProgress",
    "Page",
    "Processed",
    "Progress",
    "ProviderAuthError",
    "ProviderError",
    "ProviderTimeoutError",
    "ProviderUnavailableError",
    "QueryError",
    "QueryOptions",
    "QuerySchemaError",
    "QuerySyntaxError",
    "RateLimitError",
    "ReaderError",
    "Replace",
    "Route",
    "RunawayReplyError",
    "SchemaError",
    "SearchResult",
    "Settings",
    "StartError",
    "StoreAuthError",
    "StoreError",
    "StoreReadOnlyError",
    "StoreTransientError",
    "StoreUnavailableError",
    "StoreVersionError",
    "Tree",
    "TreeNode",
    "TreeSchema",
    "TreeSummary",
    "Update",
    "Usage",
    "Version",
    "WalkLayer",
    "XPathResult",
    "__version__",
    "ignore_progress",
    "load_settings",
]

__version__ = VERSION

_MODULES = {
    "mnemo.config": ("Settings", "load_settings"),
    "mnemo.deprecation": ("FormerNameWarning",),
    "mnemo.errors": (
        "ArgumentError",
        "ArtifactError",
        "ConfigError",
        "ConflictError",
        "DiskError",
        "EmbeddingMismatchError",
        "GroupError",
        "IngestionError",
        "LauncherError",
        "MalformedReplyError",
        "MnemoError",
        "NotFoundError",
        "ProviderAuthError",
        "ProviderError",
        "ProviderTimeoutError",
        "ProviderUnavailableError",
        "QueryError",
        "QuerySchemaError",
        "QuerySyntaxError",
        "RateLimitError",
        "ReaderError",
        "RunawayReplyError",
        "SchemaError",
        "StartError",
        "StoreAuthError",
        "StoreError",
        "StoreReadOnlyError",
        "StoreTransientError",
        "StoreUnavailableError",
        "StoreVersionError",
    ),
    "mnemo.memory": ("AsyncMemory", "Memory"),
    "mnemo.memory.trees": ("AsyncTree", "Tree"),
    "mnemo.models.category_builds": ("BuildResult", "DriftCheck"),
    "mnemo.models.files": ("FilesAdded",),
    "mnemo.models.graph": ("Edge", "Entity", "Episode", "Message"),
    "mnemo.models.hierarchy": ("Category", "HierarchyView"),
    "mnemo.models.progress": ("OnProgress", "Progress", "ignore_progress"),
    "mnemo.models.results": (
        "Added",
        "Answer",
        "Citation",
        "Context",
        "Counts",
        "Forgotten",
        "Found",
        "GroupInfo",
        "EdgeSource",
        "Page",
        "Processed",
        "Route",
        "SearchResult",
        "Usage",
        "WalkLayer",
    ),
    "mnemo.models.tree": (
        "Diff",
        "Match",
        "QueryOptions",
        "TreeNode",
        "TreeSchema",
        "TreeSummary",
        "Version",
        "XPathResult",
    ),
    "mnemo.semxpath.trees.edits": ("Delete", "Insert", "Move", "Replace", "Update"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import a public name from its module at first use."""
    if name not in _MODULE_OF:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value: object = getattr(import_module(_MODULE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
