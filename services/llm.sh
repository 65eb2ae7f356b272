#!/usr/bin/env bash
# A small real language model behind an OpenAI-compatible endpoint, on loopback, on the CPU.
#   llm.sh up      fetch the engine and the model (once, 1.1 GB), start, print the base URL
#   llm.sh stop    stop it
set -euo pipefail
cache=${XDG_CACHE_HOME:-$HOME/.cache}/data-agent/llm
port=${LLM_PORT:-38080}
here=$(cd "$(dirname "$0")/llm" && pwd)
answers() { (exec 3<>/dev/tcp/127.0.0.1/"$port"; printf 'GET /health HTTP/1.0\r\n\r\n' >&3; grep -q '"ok"' <&3) 2>/dev/null; }
up() {
  if ! answers; then
    mkdir -p "$cache"
    [ -x "$cache/venv/bin/python" ] || python3 -m venv "$cache/venv"
    "$cache/venv/bin/python" -c 'import xllamacpp' 2>/dev/null ||
      "$cache/venv/bin/pip" install -q --require-hashes -r "$here/engine.lock" >&2
    "$cache/venv/bin/python" "$here/fetch.py" "$cache/model-1.5b.gguf" >&2
    "$cache/venv/bin/python" "$here/serve.py" "$cache/model-1.5b.gguf" "$port" </dev/null >"$cache/log" 2>&1 &
    echo $! >"$cache/pid"
    for _ in $(seq 600); do answers && break; kill -0 "$(cat "$cache/pid")" 2>/dev/null || break; sleep 0.2; done
    answers || { tail -20 "$cache/log" >&2; exit 1; }
  fi
  echo "http://127.0.0.1:$port/v1"
}
stop() { [ -s "$cache/pid" ] && kill "$(cat "$cache/pid")" 2>/dev/null || true; rm -f "$cache/pid"; }
case ${1:-up} in up) up ;; stop) stop ;; *) echo "usage: $0 up|stop" >&2; exit 64 ;; esac
