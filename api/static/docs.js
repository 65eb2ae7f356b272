// The API as OpenAPI describes it, readable without a tool and without another host.
import { find, make } from "./dom.js";

const shape = (value) => make("pre", { tabindex: "0" }, make("code", {}, JSON.stringify(value, null, 2)));
const folded = (name, ...parts) => make("details", {}, make("summary", {}, name), ...parts);

function operation(method, path, described) {
  const body = described.requestBody?.content?.["application/json"]?.schema;
  const replies = Object.entries(described.responses ?? {}).map(([status, reply]) => folded(`${status} ${reply.description}`, shape(reply.content ?? {})));
  return make("section", {}, make("h2", {}, make("span", { class: "method" }, method.toUpperCase()), ` ${path}`), make("p", {}, described.description ?? ""),
    body ? folded("request body", shape(body)) : null, ...replies);
}

const api = await (await fetch("/openapi.json")).json();
const events = await (await fetch("/api/events")).json();
find("main h1").textContent = `${api.info.title} ${api.info.version}`;
find("main p").textContent = api.info.summary ?? "";
find("#operations").append(
  ...Object.entries(api.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, described]) => operation(method, path, described))),
  make("section", {}, make("h2", {}, "Events"), ...Object.entries(events).map(([name, schema]) => folded(name, make("p", {}, schema.description ?? ""), shape(schema)))),
  make("section", {}, make("h2", {}, "Schemas"), ...Object.entries(api.components?.schemas ?? {}).map(([name, schema]) => folded(name, shape(schema)))),
);
