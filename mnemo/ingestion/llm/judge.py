"""Lets an LLM decide what the rules of resolution leave open: one call per window."""

from collections.abc import Sequence

from mnemo.ingestion.llm.prompts import judge_prompt
from mnemo.ingestion.llm.replies import JudgeReply
from mnemo.ingestion.resolution.types import JudgeQuestion, Verdict, Verdicts
from mnemo.providers.base import Llm

__all__ = ["LlmJudge"]


class LlmJudge:
    """Asks an LLM about all uncertain pairs in one call."""

    def __init__(self, llm: Llm) -> None:
        """Take the LLM."""
        self._llm = llm

    async def decide(self, questions: Sequence[JudgeQuestion]) -> Verdicts:
        """Return one verdict per question, in their order.

        A missing verdict is `different`, and so is `contradicts` where it is not allowed. Numbers out of range
        are ignored.

        Raises:
            ProviderError: The LLM failed.
        """
        reply = await self._llm.complete(judge_prompt(questions), JudgeReply)
        said = {verdict.number: verdict.verdict for verdict in reversed(reply.value.verdicts)}
        verdicts = tuple(_allowed(said.get(place, "different"), q) for place, q in enumerate(questions, start=1))
        return Verdicts(verdicts=verdicts, usage=reply.usage)


def _allowed(verdict: Verdict, question: JudgeQuestion) -> Verdict:
    return "different" if verdict == "contradicts" and not question.may_contradict else verdict
