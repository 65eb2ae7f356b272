// Server-Sent Events over fetch: bytes may be cut anywhere, lines end only at CR or LF.
export async function* eventsOf(response) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of chunksOf(response.body)) {
    rest = (rest + decoder.decode(bytes, { stream: true })).replaceAll("\r\n", "\n");
    const blocks = rest.split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const event = parsed(block);
      if (event) yield event;
    }
  }
}

async function* chunksOf(body) {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

function parsed(block) {
  const data = block.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5).replace(/^ /, ""));
  return data.length ? JSON.parse(data.join("\n")) : null;
}

// A service that knows its callers by keys is told the one this tab was given.
export function headers() {
  const key = sessionStorage.getItem("key");
  return { "Content-Type": "application/json", Accept: "text/event-stream", ...(key ? { Authorization: `Bearer ${key}` } : {}) };
}

// Ask and hear: every event goes to `hear`; a problem document becomes an `error` event.
export async function ask(address, body, hear, signal) {
  const response = await fetch(address, {
    method: "POST",
    headers: headers(),
    body: JSON.stringify(body),
    signal,
  });
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    const problem = await response.json();
    hear({ type: "error", code: problem.code, message: problem.detail, hint: problem.hint, answer: problem.answer ?? null });
    return true;
  }
  let ended = false;
  for await (const event of eventsOf(response)) {
    ended ||= event.type === "done";
    hear(event);
  }
  return ended;
}
