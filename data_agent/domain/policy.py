"""What a role may see: tables and columns, rows, masks, and what its statements may cost."""

from functools import cached_property
from typing import Literal

from pydantic import Field, model_validator

from data_agent.domain.frozen import Frozen
from data_agent.domain.time import Grain

MaskKind = Literal["null", "hash", "partial", "bucket"]
OnExpensive = Literal["refuse", "approve"]


class RowFilter(Frozen):
    """Only rows of `table` for which `where` is true are there for the role.

    `where` is a condition in MySQL's writing over the table's columns (subqueries name their own tables);
    `:caller.NAME` stands for an attribute of the caller. `says` is what an answer tells the reader about it.
    """

    table: str = Field(min_length=1)
    where: str = Field(min_length=1)
    says: str = ""


class Mask(Frozen):
    """What the role gets in place of `column` (`table.column`).

    `null` nothing; `hash` the hex SHA-256 of the policy's salt and the value, so equal values stay equal; `partial`
    the first `keep_first` and last `keep_last` characters around `****` (a value that short becomes `****`); `bucket`
    a number rounded down to a multiple of `size`, or a date to the start of its `by`.
    """

    column: str = Field(pattern=r"^.+\..+$")
    kind: MaskKind
    keep_first: int = Field(default=0, ge=0, le=64)
    keep_last: int = Field(default=0, ge=0, le=64)
    size: int | None = Field(default=None, ge=2)
    by: Grain | None = None

    @model_validator(mode="after")
    def _fits_its_kind(self) -> "Mask":
        if self.kind == "bucket" and (self.size is None) == (self.by is None):
            raise ValueError("a bucket needs either `size` (numbers) or `by` (dates)")
        if self.kind != "bucket" and (self.size or self.by):
            raise ValueError("`size` and `by` belong to kind `bucket`")
        if self.kind != "partial" and (self.keep_first or self.keep_last):
            raise ValueError("`keep_first` and `keep_last` belong to kind `partial`")
        return self


class Budget(Frozen):
    """The most one statement of the role may cost; None leaves the general limit. `on_expensive`: refuse, or ask."""

    max_rows: int | None = Field(default=None, ge=1)
    seconds: float | None = Field(default=None, gt=0)
    max_estimated_rows: int | None = Field(default=None, ge=1)
    on_expensive: OnExpensive | None = None


class Role(Frozen):
    """What one role may see. `allow` and `deny` hold `*`, `table` or `table.column`; what is not allowed is hidden,
    and `deny` wins."""

    name: str = Field(min_length=1)
    description: str = ""
    allow: tuple[str, ...] = Field(min_length=1)
    deny: tuple[str, ...] = ()
    filters: tuple[RowFilter, ...] = ()
    masks: tuple[Mask, ...] = ()
    budget: Budget = Budget()

    @cached_property
    def _patterns(self) -> tuple[frozenset[str], frozenset[str]]:
        return frozenset(map(str.casefold, self.allow)), frozenset(map(str.casefold, self.deny))

    @cached_property
    def _filters(self) -> dict[str, tuple[RowFilter, ...]]:
        tables = [each.table.casefold() for each in self.filters]
        return {name: tuple(f for f, of in zip(self.filters, tables, strict=True) if of == name) for name in tables}

    @cached_property
    def _masks(self) -> dict[str, Mask]:
        return {mask.column.casefold(): mask for mask in reversed(self.masks)}

    def sees(self, table: str, column: str) -> bool:
        """Whether the role may read `table.column`, letter case ignored; a masked column is seen masked."""
        folded = table.casefold()
        names = ("*", folded, f"{folded}.*", f"{folded}.{column.casefold()}")
        allowed, denied = self._patterns
        return not allowed.isdisjoint(names) and denied.isdisjoint(names)

    def filters_of(self, table: str) -> tuple[RowFilter, ...]:
        """The row filters of a table; all of them hold."""
        return self._filters.get(table.casefold(), ())

    def mask_of(self, table: str, column: str) -> Mask | None:
        """How `table.column` is masked, or None."""
        return self._masks.get(f"{table}.{column}".casefold())


class Policy(Frozen):
    """Every role. A role that is not in it may see nothing. `salt` goes into every hash mask."""

    roles: tuple[Role, ...] = Field(min_length=1)
    salt: str = Field(default="", repr=False)

    @model_validator(mode="after")
    def _whole(self) -> "Policy":
        if len({role.name for role in self.roles}) < len(self.roles):
            raise ValueError("two roles have the same name")
        if any(mask.kind == "hash" for role in self.roles for mask in role.masks) and len(self.salt) < 16:
            raise ValueError("a hash mask needs `salt` of 16 characters or more: without it phone numbers can be tried")
        return self

    def role(self, name: str) -> Role | None:
        """The role of that exact name."""
        return next((role for role in self.roles if role.name == name), None)
