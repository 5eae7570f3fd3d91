"""Results of building the categories, and of comparing them with a fresh build."""

from dataclasses import dataclass

from mnemo.models.results import Usage

__all__ = ["Agreement", "BuildResult", "DriftCheck", "TopCategory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """The result of a build."""

    generation: int
    entities: int
    categories: tuple[int, ...]
    """Number of categories per layer, bottom layer first; empty if there was nothing to categorise."""
    usage: Usage
    ignored: int
    """Member numbers from the categoriser that were out of range."""
    refused: int
    """Categories dropped because their name still joined two ideas after a second request."""
    discarded: bool
    """Whether the build stopped because the next layer would have been larger than the one below it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How far two groupings of the same entities agree."""

    pairs: int
    """Pairs of entities that share a category in the first grouping."""
    others: int
    """Pairs that share one in the second."""
    shared: int
    """Pairs that share one in both."""

    @property
    def precision(self) -> float:
        """Share of the first grouping's pairs that the second has too; 1 if the first has none."""
        return self.shared / self.pairs if self.pairs else 1.0

    @property
    def recall(self) -> float:
        """Share of the second grouping's pairs that the first has too; 1 if the second has none."""
        return self.shared / self.others if self.others else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0 if both are 0."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TopCategory:
    """A top category of the current generation."""

    hierarchy: str
    """Uuid of the root."""
    layers: int
    """Number of layers in the hierarchy."""
    uuid: str
    name: str
    leaves: int
    """Entities under it."""
    placed: int
    """Of these, entities placed since the build."""

    @property
    def drift(self) -> float:
        """Share of entities under it that were placed since the build, 0 to 1."""
        return min(1.0, self.placed / self.leaves) if self.leaves else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftCheck:
    """The current categories compared with a fresh build."""

    entities: int
    agreement: Agreement
    tops: tuple[TopCategory, ...]
    usage: Usage
    """Usage of the fresh build."""
