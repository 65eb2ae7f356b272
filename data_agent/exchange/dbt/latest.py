"""The latest YAML of dbt (Core 1.12, Fusion): semantics beside each model, rewritten into the older, separate form."""

from data_agent.exchange.dbt.project import Plain, columns_of, values

ABOUT = frozenset({"name", "type", "label", "description", "filter"})
INLINE = ("agg", "expr", "agg_time_dimension", "non_additive_dimension")


def semantic_of(model: Plain) -> Plain | None:
    """The semantic model of a model's own block; None when it has none, or it is switched off."""
    block = model.get("semantic_model")
    if block is None or block is False or (isinstance(block, dict) and block.get("enabled") is False):
        return None
    named = block if isinstance(block, dict) else {}
    columns, derived = columns_of(model), model.get("derived_semantics") or {}
    entities = [_part(column, "entity") for column in columns if column.get("entity")]
    dimensions = [_part(column, "dimension") for column in columns if column.get("dimension")]
    return {
        "name": named.get("name") or model.get("name"),
        "model": f"ref('{model.get('name')}')",
        "description": model.get("description"),
        "primary_entity": model.get("primary_entity"),
        "defaults": {"agg_time_dimension": model.get("agg_time_dimension")},
        "entities": [*entities, *values(derived.get("entities"))],
        "dimensions": [*dimensions, *values(derived.get("dimensions"))],
    }


def metrics_of(model: Plain) -> list[Plain]:
    """The metrics of a model's own block."""
    block = model.get("semantic_model")
    nested = values(block.get("metrics")) if isinstance(block, dict) else ()
    name = (block.get("name") if isinstance(block, dict) else None) or model.get("name")
    return [in_params(metric, str(name)) for metric in (*values(model.get("metrics")), *nested)]


def in_params(metric: Plain, semantic_model: str = "") -> Plain:
    """A metric whose settings stand at its top, with them under `type_params` as before."""
    if metric.get("type_params") or "calculation_method" in metric:
        return metric
    params = {key: value for key, value in metric.items() if key not in ABOUT}
    if metric.get("agg"):
        inline = {key: metric[key] for key in INLINE if metric.get(key)}
        params["metric_aggregation_params"] = {"semantic_model": semantic_model, **inline}
    return {**metric, "type_params": params}


def _part(column: Plain, kind: str) -> Plain:
    """An entity or dimension on its column; written as a word it is nothing but its type."""
    given = column[kind]
    own = dict(given) if isinstance(given, dict) else {"type": given}
    told: Plain = {"type": "time"} if kind == "dimension" and column.get("granularity") else {}
    told |= {"description": column.get("description")} if kind == "dimension" else {}
    return {"name": column.get("name"), **told, **own, "expr": column.get("name")}
