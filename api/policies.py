"""The policy file: read with file, line and field in every complaint, checked against the catalog, kept for callers."""

from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from data_agent.catalog.check import nearest
from data_agent.catalog.load import load_catalog
from data_agent.catalog.source import Source, read_source
from data_agent.domain.caller import Caller
from data_agent.domain.catalog import Catalog
from data_agent.domain.policy import Budget, Mask, Policy, Role, RowFilter
from data_agent.errors import CatalogInvalid, InvalidSettings, NotPermitted
from data_agent.policy.check import problems
from data_agent.policy.rights import Rights

_HINT = "every field is described in docs/policy.md · 各字段说明见 docs/policy.md"
_BY_FIELD: dict[str, type[BaseModel]] = {
    "roles": Role,
    "filters": RowFilter,
    "masks": Mask,
    "budget": Budget,
    "": Policy,
}
_ROLES_KEPT = 64


def load_policy(path: Path, catalog: Catalog) -> Policy:
    """Read a policy file and hold every name and condition in it to the catalog.

    Raises:
        InvalidSettings: each mistake with file, line and field.
    """
    try:
        source = read_source(path)
    except CatalogInvalid as error:
        raise InvalidSettings(error.message.replace("a catalog", "a policy"), hint=_HINT) from None
    found = list(source.problems)
    try:
        policy = Policy.model_validate(source.data)
    except ValidationError as error:
        raise InvalidSettings(
            "\n".join(found + [_explain(source, each) for each in error.errors()]), hint=_HINT
        ) from None
    found += [source.say(route, problem) for route, problem in problems(policy, catalog)]
    if found:
        raise InvalidSettings("\n".join(found), hint=_HINT)
    return policy


def _explain(source: Source, detail: ErrorDetails) -> str:
    """What pydantic found, at our line; the value is not repeated, for it may be the salt."""
    route = tuple(detail["loc"])
    if detail["type"] == "extra_forbidden":
        model = _BY_FIELD.get(next((step for step in reversed(route[:-1]) if isinstance(step, str)), ""))
        return source.say(route, f"unknown field{nearest(str(route[-1]), model.model_fields) if model else ''}")
    if detail["type"] == "missing":
        return source.say(route, "is missing")
    return source.say(route, detail["msg"].removeprefix("Value error, "))


@dataclass
class Policies:
    """Gives every caller the rights of its role; the view of a role is made once for each catalog version."""

    policy: Policy
    _made: dict[tuple[str, str], Rights] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path, catalog: Path) -> "Policies":
        """Read the policy that belongs to a catalog file.

        Raises:
            InvalidSettings: the policy has mistakes.
            CatalogInvalid: the catalog has.
        """
        return cls(load_policy(path, load_catalog(catalog)[0]))

    def __call__(self, catalog: Catalog, caller: Caller) -> Rights:
        """The rights of a caller to the live catalog.

        Raises:
            NotPermitted: the policy has no such role.
        """
        key = (catalog.version, caller.role)
        if key not in self._made:
            made = Rights.of(catalog, self.policy, caller)
            if len(self._made) >= _ROLES_KEPT:
                self._made.clear()
            self._made[key] = made
        return self._made[key].of_caller(caller)


def no_policy(catalog: Catalog, caller: Caller) -> None:  # noqa: ARG001  the signature of `Policies`
    """Without a policy everybody sees everything, so nobody may come with a role that means to restrict them.

    Raises:
        NotPermitted: the caller's role is not the plain one.
    """
    if caller.role != Caller().role or caller.attributes:
        raise NotPermitted(
            f"the role `{caller.role}` needs a policy, and none is set",
            hint="set `policy: FILE` in the settings, or leave the role and its attributes out",
        )
