import pytest

from data_agent.options import Limits, Options
from tests.fakes.run import World
from tests.fakes.warehouse import FakeWarehouse, Told

READ = "各渠道的已支付金额"


@pytest.mark.parametrize(("there", "cut"), [(4, False), (5, False), (6, True)])
async def test_a_result_that_was_cut_says_so_and_only_then(there: int, cut: bool) -> None:
    told = Told(names=("n",), rows=tuple((number,) for number in range(there)))
    world = await World(warehouse=FakeWarehouse(otherwise=told), options=Options(limits=Limits(max_rows=5))).indexed()
    rows = (await world.ask(READ))["rows"]
    assert (len(rows.rows), rows.truncated) == (min(there, 5), cut)
