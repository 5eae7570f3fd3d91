"""Extraction with an LLM: one strict-schema call per window, and a second one in the profile `paper`."""

from mnemo.config import IngestionSettings
from mnemo.ingestion.extraction import Extraction, Window
from mnemo.ingestion.llm.prompts import extract_prompt, reflect_prompt
from mnemo.ingestion.llm.replies import ExtractReply
from mnemo.ingestion.llm.validate import validate_replies
from mnemo.ingestion.speakers import extractable
from mnemo.providers.base import Llm

__all__ = ["LlmExtractor"]


class LlmExtractor:
    """Asks an LLM for a window's entities and facts, and keeps only those that the window supports."""

    def __init__(self, llm: Llm, settings: IngestionSettings) -> None:
        """Store the LLM and the settings; the profile `fast` calls once per window, `paper` twice."""
        self._llm = llm
        self._settings = settings

    async def extract(self, window: Window) -> Extraction:
        """Return what the window's episodes state; makes no call if there is nothing to extract from.

        Raises:
            ProviderError: The LLM failed; nothing is known about the window.
        """
        chosen = extractable(window, extract_system=self._settings.extract_system)
        if not chosen:
            return Extraction()
        reply = await self._llm.complete(extract_prompt(window, chosen), ExtractReply)
        extraction = validate_replies(window, chosen, [reply.value], reply.usage)
        if self._settings.profile != "paper":
            return extraction
        notes = [mention.name for mention in extraction.mentions] + [fact.fact for fact in extraction.facts]
        second = await self._llm.complete(reflect_prompt(window, chosen, notes), ExtractReply)
        return validate_replies(window, chosen, [reply.value, second.value], reply.usage + second.usage)
