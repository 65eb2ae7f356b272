"""What one SQL dialect knows, as data; each dialect is a file of its own."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Gate:
    """A feature that only servers from `since` on have; `since` None means no server of this dialect has it."""

    feature: str
    since: tuple[int, ...] | None


@dataclass(frozen=True)
class Facts:
    """One dialect: its grammar, the functions the guard lets through by name, and what its servers lack.

    `functions` are upper-case names the parser has no class for; `forbidden` names known to be harmful or revealing
    even where the parser has a class for them, with the reason code to refuse them with; `classes` are extra
    expression classes this dialect may use; `table_functions` may stand in FROM; `default_schema` may qualify a table.
    `unlisted` are columns a table has without having been given them; `rows_by_name` says that the name of a table
    alone is its whole row, `merged_in_place` that `*` leaves a column of USING where it stood.
    """

    name: str
    grammar: str
    functions: frozenset[str]
    system_schemas: frozenset[str]
    classes: frozenset[str] = frozenset()
    table_functions: frozenset[str] = frozenset()
    gates: tuple[Gate, ...] = ()
    default_schema: str = ""
    alias_anywhere: bool = False
    quote: str = "`"
    unlisted: frozenset[str] = frozenset()
    rows_by_name: bool = False
    merged_in_place: bool = False
    absent: frozenset[str] = field(default_factory=frozenset)

    def lacks(self, feature: str, version: tuple[int, ...]) -> tuple[int, ...] | bool:
        """False when a server of this version has the feature; else the version that does, or True for none."""
        for gate in self.gates:
            if gate.feature != feature:
                continue
            if gate.since is None:
                return True
            return gate.since if version and version < gate.since else False
        return False
