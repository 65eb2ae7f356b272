"""What one caller may do, as the nodes use it: a view, a rewriter, limits, and texts that give nothing away."""

import re
from dataclasses import dataclass, replace

from sqlglot import exp

from data_agent.domain.admitted import AdmittedSql
from data_agent.domain.caller import Caller
from data_agent.domain.catalog import Catalog
from data_agent.domain.language import Language
from data_agent.domain.policy import Policy, Role
from data_agent.options import Limits
from data_agent.policy.rewrite import rewrite, role_of
from data_agent.policy.view import hidden_words, view
from data_agent.sql import grammar
from data_agent.sql.copies import bare
from data_agent.sql.dialects import facts_for
from data_agent.sql.limits import cap

_QUOTES = re.compile(r"['\"`]")
_BEHIND_QUOTES = frozenset({"ambiguous", "clause", "from", "found", "in", "is", "not"})
_WORD = re.compile(r"\w+")
_ASIDE = re.compile(r"\n|\bLINE \d|Candidate|Did you mean", re.IGNORECASE)
_MASKS: dict[str, tuple[str, str]] = {
    "null": ("不显示", "not shown"),
    "hash": ("以哈希代替", "shown as a hash"),
    "partial": ("部分隐藏", "shown in part"),
    "bucket": ("按区间显示", "rounded to a range"),
}


@dataclass(frozen=True)
class Rights:
    """A caller under a policy. `view` is what the caller may know of the `whole` catalog, `hidden` the words that must
    not be said."""

    policy: Policy
    role: Role
    caller: Caller
    view: Catalog
    hidden: frozenset[str]
    whole: Catalog

    @classmethod
    def of(cls, catalog: Catalog, policy: Policy, caller: Caller) -> "Rights":
        """The rights of a caller to a catalog.

        Raises:
            NotPermitted: the policy has no such role.
        """
        role = role_of(policy, caller)
        seen = view(catalog, policy, role)
        return cls(policy, role, caller, seen, hidden_words(catalog, seen), catalog)

    def of_caller(self, caller: Caller) -> "Rights":
        """The same rights for another caller of the same role."""
        return replace(self, caller=caller)

    def rewriting(self, dialect: str) -> "Rewriting":
        """What `admit` calls with the resolved tree."""
        return Rewriting(self, dialect)

    def lowered(self, limits: Limits) -> Limits:
        """The limits under the role's budget, which never raises one."""
        budget = self.role.budget
        expected = [most for most in (limits.max_estimated_rows, budget.max_estimated_rows) if most is not None]
        return limits.model_copy(
            update={
                "max_rows": min(limits.max_rows, budget.max_rows or limits.max_rows),
                "seconds": min(limits.seconds, budget.seconds or limits.seconds),
                "max_estimated_rows": min(expected, default=None),
                "on_expensive": budget.on_expensive or limits.on_expensive,
            }
        )

    def cuts(self, table: str) -> bool:
        """Whether some rows of the table are hidden from the role."""
        return bool(self.role.filters_of(table))

    def masks(self, column_id: str) -> bool:
        """Whether the role gets `table.column` masked."""
        table, _, name = column_id.rpartition(".")
        return self.role.mask_of(table, name) is not None

    def notes(self, admitted: AdmittedSql, language: Language) -> tuple[str, ...]:
        """Which row filters and masks an answer stands under, in words that hold no value and no hidden name."""
        return (*self._row_notes(admitted, language), *self._mask_notes(admitted, language))

    def _row_notes(self, admitted: AdmittedSql, language: Language) -> list[str]:
        told = []
        for name in dict.fromkeys(admitted.tables):
            filters, table = self.role.filters_of(name), self.view.table(name)
            if not filters or table is None:
                continue
            says = "；".join(each.says for each in filters if each.says)
            shown = table.label(language)
            if language == "zh":
                told.append(f"{shown}：只含您的权限范围内的行" + (f"（{says}）" if says else "") + "。")
            else:
                told.append(f"{shown}: only the rows your role may see" + (f" ({says})" if says else "") + ".")
        return told

    def _mask_notes(self, admitted: AdmittedSql, language: Language) -> list[str]:
        told = []
        for column_id in dict.fromkeys(admitted.columns):
            table, _, name = column_id.rpartition(".")
            mask, column = self.role.mask_of(table, name), self.view.column(column_id)
            if mask and column:
                chinese, english = _MASKS[mask.kind]
                shown = column.label(language)
                told.append(f"{shown}：已脱敏，{chinese}。" if language == "zh" else f"{shown}: masked, {english}.")
        return told

    def told(self, complaint: str, sql: str) -> str:
        """A complaint of the database about the rewritten statement, cut to what the caller's own statement says.

        The server knows every column and quotes from the whole statement, so whatever follows its first quote must
        stand in the caller's text, and no hidden word may be left.
        """
        head = _ASIDE.split(complaint.strip(), maxsplit=1)[0].strip().rstrip(":")
        known = {word.casefold() for word in _WORD.findall(sql)}
        # A value may hold quotes itself, so where it ends cannot be known: all that follows the first quote counts.
        behind = _QUOTES.split(head, maxsplit=1)[1:]
        quoted = {word.casefold() for part in behind for word in _WORD.findall(part)} - _BEHIND_QUOTES
        words = {word.casefold() for word in _WORD.findall(head)}
        if not head or quoted - known or (words & self.hidden) - known or _told_numbers(head) - known:
            return "The database refused the statement; its own words are not shown to this role."
        return head


@dataclass
class Rewriting:
    """Rewrites one statement, and keeps it as it was to show it."""

    rights: Rights
    dialect: str
    kept: exp.Expression | None = None
    said: str = ""

    def __call__(self, tree: exp.Expression) -> exp.Expression:
        """The tree with the role's rows and masks in it."""
        rights, self.kept = self.rights, bare(tree)
        return rewrite(tree, rights.view, rights.policy, rights.caller, self.dialect)

    def shown(self, admitted: AdmittedSql) -> str:
        """The admitted statement as its reader may see it: capped, without the policy's conditions and masks."""
        facts = facts_for(admitted.dialect)
        if not self.said and self.kept is not None and facts is not None and admitted.limit is not None:
            self.said = grammar.render(cap(self.kept, admitted.limit).tree, facts.grammar)
        return self.said or admitted.sql


def _told_numbers(text: str) -> set[str]:
    """Numbers in a complaint may be values; one that the caller did not write is not told."""
    return {word for word in _WORD.findall(text) if word.isdigit()}
