"""The small shop under a policy of one row filter."""

from data_agent.domain.admitted import AdmittedSql
from data_agent.domain.caller import Caller
from data_agent.domain.policy import Policy, Role, RowFilter
from data_agent.options import Limits
from data_agent.policy.rights import Rights
from data_agent.sql.admit import admit
from data_agent.verify.verify import verify
from tests.cases.sql_shop import sql_shop


def rights_with(table: str, where: str, **attributes: str) -> Rights:
    """The rights of a caller who sees of `table` only the rows for which `where` holds."""
    policy = Policy(roles=(Role(name="one", allow=("*",), filters=(RowFilter(table=table, where=where),)),))
    return Rights.of(sql_shop(), policy, Caller(role="one", attributes=attributes))


def admitted_under(rights: Rights, sql: str, max_rows: int = 1000) -> AdmittedSql:
    """The statement with the caller's rights in it, proven."""
    limits, rewriting = Limits(max_rows=max_rows), rights.rewriting("mysql")
    admitted = admit(sql, catalog=rights.view, dialect="mysql", limits=limits, rewrite=rewriting)
    verify(admitted.sql, dialect="mysql", catalog=rights.whole, policy=rights.policy, caller=rights.caller)
    return admitted
