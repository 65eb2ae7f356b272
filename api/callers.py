"""How a caller of the HTTP door is known: by a key in the `Authorization` header."""

from collections.abc import Sequence
from hmac import compare_digest

from pydantic import Field, SecretStr
from starlette.exceptions import HTTPException

from data_agent.domain.caller import Caller
from data_agent.domain.frozen import Frozen


class KnownCaller(Frozen):
    """Who sends `Authorization: Bearer KEY`: a name, a role of the policy, and the attributes of its row filters."""

    key: SecretStr = Field(min_length=16)
    name: str = Field(min_length=1)
    role: str = Caller().role
    attributes: dict[str, str] = Field(default_factory=dict)

    @property
    def caller(self) -> Caller:
        """The caller, without the key."""
        return Caller(name=self.name, role=self.role, attributes=self.attributes)


def signed_in(authorization: str, known: Sequence[KnownCaller]) -> Caller:
    """The caller whose key the header holds; where nobody is known by a key, everybody is the local analyst.

    Raises:
        HTTPException: 401, the header holds no known key.
    """
    if not known:
        return Caller()
    scheme, _, given = authorization.partition(" ")
    # each key is compared in full, so that the time taken tells nothing
    found = [each for each in known if compare_digest(each.key.get_secret_value().encode(), given.strip().encode())]
    if scheme.casefold() != "bearer" or not found:
        raise HTTPException(
            401,
            "this service needs a key: Authorization: Bearer KEY · 需要密钥",
            headers={"WWW-Authenticate": "Bearer"},
        )
    return found[0].caller
