"""Say what is wrong with the settings: where, what, and what it should be, in English and Chinese."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from api.settings_file import Place, SettingsFile

SAID = {
    "missing": "is required · 必填",
    "extra_forbidden": "there is no such field · 没有这个字段",
    "int_parsing": "must be a whole number · 应为整数",
    "int_type": "must be a whole number · 应为整数",
    "int_from_float": "must be a whole number · 应为整数",
    "float_parsing": "must be a number · 应为数字",
    "float_type": "must be a number · 应为数字",
    "bool_parsing": "must be true or false · 应为 true 或 false",
    "string_type": "must be text · 应为文本",
    "path_type": "must be a path · 应为路径",
    "model_type": "must be a section of fields · 应为一组键值",
    "dict_type": "must be a section of fields · 应为一组键值",
    "tuple_type": "must be a list · 应为列表",
    "literal_error": "must be {expected} · 应为 {expected}",
    "greater_than": "must be greater than {gt} · 应大于 {gt}",
    "greater_than_equal": "must be at least {ge} · 不能小于 {ge}",
    "less_than_equal": "must be at most {le} · 不能大于 {le}",
    "datetime_from_date_parsing": "must be a date and time · 应为日期时间",
}


def explain(
    error: ValidationError, file: SettingsFile, environ: Mapping[str, str], model: type[BaseModel]
) -> Iterator[str]:
    """One line per mistake. A wrong value is never repeated: it may be a secret."""
    for detail in error.errors(include_url=False, include_input=False):
        yield f"{_where(detail['loc'], file, environ)}: {_dotted(detail['loc'])}: {_what(detail, model)}"


def _dotted(place: Place) -> str:
    return ".".join(str(part) for part in place)


def _where(place: Place, file: SettingsFile, environ: Mapping[str, str]) -> str:
    variable = "DATA_AGENT_" + "__".join(str(part).upper() for part in place)
    if variable in environ:
        return variable
    if file.path == file.path.parent:
        return "settings"
    line = file.line(place)
    return f"{file.path}:{line}" if line else str(file.path)


def _what(detail: ErrorDetails, model: type[BaseModel]) -> str:
    template = SAID.get(detail["type"])
    if template is None:
        return detail["msg"].removeprefix("Value error, ")
    said = template.format_map(detail.get("ctx", {}))
    if detail["type"] == "extra_forbidden":
        near = get_close_matches(str(detail["loc"][-1]), _fields(model, detail["loc"][:-1]), n=1)
        said += f"; did you mean {near[0]}? · 是否想写 {near[0]}？" if near else ""
    return said


def _fields(model: type[BaseModel], place: Place) -> list[str]:
    for part in place:
        field = model.model_fields.get(str(part))
        inner = field.annotation if field else None
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return []
        model = inner
    return list(model.model_fields)
