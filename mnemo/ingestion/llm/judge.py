"""Asks an LLM about the cases that the resolution rules leave uncertain, in one call per window."""

from collections.abc import Sequence

from mnemo.ingestion.llm.prompts import judge_prompt
from mnemo.ingestion.llm.replies import JudgeReply
from mnemo.ingestion.resolution.types import JudgeQuestion, Verdict, Verdicts
from mnemo.providers.base import Llm

__all__ = ["LlmJudge"]


class LlmJudge:
    """Asks an LLM about all uncertain pairs in one call."""

    def __init__(self, llm: Llm) -> None:
        """Store the LLM."""
        self._llm = llm

    async def decide(self, questions: Sequence[JudgeQuestion]) -> Verdicts:
        """Return one verdict per question, in order.

        A missing verdict counts as `different`, as does a `contradicts` that is not allowed. Numbers out of range are
        ignored.

        Raises:
            ProviderError: The LLM failed.
        """
        reply = await self._llm.complete(judge_prompt(questions), JudgeReply)
        verdict_by_number = {verdict.number: verdict.verdict for verdict in reversed(reply.value.verdicts)}
        verdicts = tuple(
            _allowed(verdict_by_number.get(number, "different"), q) for number, q in enumerate(questions, start=1)
        )
        return Verdicts(verdicts=verdicts, usage=reply.usage)


def _allowed(verdict: Verdict, question: JudgeQuestion) -> Verdict:
    return "different" if verdict == "contradicts" and not question.may_contradict else verdict
