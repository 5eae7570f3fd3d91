"""Reply models of the LLM that plans tree requests, and the plain values they are converted to."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel, Field

from mnemo.errors import ArgumentError
from mnemo.models.results import Usage
from mnemo.models.tree import TreeNode, Value
from mnemo.semxpath.trees.edits import Delete, Insert, Move, Replace, TreeEdit, Update

__all__ = ["EditDraft", "PlanDraft", "TreeRequest", "VersionReference", "read"]


class AttributeDraft(BaseModel):
    """One attribute."""

    name: str
    value: str | None = Field(description="As text; null removes the attribute.")


class NodeDraft(BaseModel):
    """A new node."""

    type: str
    attributes: list[AttributeDraft]


class EditDraft(BaseModel):
    """One edit."""

    kind: Literal["insert", "update", "replace", "delete", "move"]
    query: str = Field(description="The nodes meant; for insert, the parent.")
    parent: str | None = Field(default=None, description="For move: a query for the new parent.")
    position: int | None = Field(default=None, description="For insert and move: place among all children, from 1.")
    node: NodeDraft | None = Field(default=None, description="For insert and replace.")
    attributes: list[AttributeDraft] = Field(default_factory=list, description="For update.")


class PlanDraft(BaseModel):
    """What a request means: one query to read, or edits, or going back."""

    kind: Literal["read", "edit", "revert"]
    query: str | None = Field(default=None, description="For read: the query.")
    edits: list[EditDraft] = Field(default_factory=list, description="For edit: all meant against the same version.")
    version_query: str | None = Field(
        default=None, description="A query for the version to read or go back to, over /Version; null is the present."
    )
    before: bool = Field(default=False, description="Take the version that the one found was made from.")


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionReference:
    """Reference to a version."""

    query: str
    """Query over versions; its first result is the version."""
    before: bool = False
    """Whether to use the parent of that version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeRequest:
    """A request, translated to queries and edits."""

    kind: Literal["read", "edit", "revert"]
    by: Literal["llm", "rules"]
    query: str | None = None
    edits: tuple[TreeEdit, ...] = ()
    version: VersionReference | None = None
    """None is the active version."""
    usage: Usage = field(default_factory=Usage)


def read(draft: PlanDraft, usage: Usage) -> TreeRequest:
    """Return the request of an LLM reply.

    Raises:
        ArgumentError: A field that the kind of request needs is missing.
    """
    needs = {"read": draft.query, "edit": draft.edits, "revert": draft.version_query}
    if not needs[draft.kind]:
        names = {"read": "query", "edit": "edits", "revert": "version_query"}
        message = f"a plan of kind {draft.kind} needs {names[draft.kind]}"
        raise ArgumentError(message)
    version = VersionReference(query=draft.version_query, before=draft.before) if draft.version_query else None
    edits = tuple(_edit(edit) for edit in draft.edits) if draft.kind == "edit" else ()
    return TreeRequest(
        kind=draft.kind,
        by="llm",
        query=draft.query if draft.kind == "read" else None,
        edits=edits,
        version=version,
        usage=usage,
    )


def _edit(draft: EditDraft) -> TreeEdit:
    match draft.kind:
        case "insert":
            return Insert(parent=draft.query, node=_node(draft), position=draft.position)
        case "replace":
            return Replace(query=draft.query, node=_node(draft))
        case "delete":
            return Delete(query=draft.query)
        case "update":
            return Update(query=draft.query, attributes=_attributes(draft.attributes))
        case "move":
            if not draft.parent:
                message = "a move needs a query for the new parent"
                raise ArgumentError(message)
            return Move(query=draft.query, parent=draft.parent, position=draft.position)


def _node(draft: EditDraft) -> TreeNode:
    if draft.node is None:
        message = f"an edit of kind {draft.kind} needs a node"
        raise ArgumentError(message)
    return TreeNode(type=draft.node.type, attributes=_attributes(draft.node.attributes))


def _attributes(drafts: list[AttributeDraft]) -> dict[str, Value]:
    return {draft.name: draft.value for draft in drafts}
