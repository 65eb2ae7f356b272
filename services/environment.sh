#!/usr/bin/env bash
# Make the locked virtual environment:  environment.sh runtime|dev
# What is missing on the machine is said in one line with the command that mends it.
set -euo pipefail
cd "$(dirname "$0")/.."
kind=${1:-runtime}
case $kind in
  runtime) lock=requirements.lock ;;
  dev) lock=requirements-dev.lock ;;
  *) echo "usage: $0 runtime|dev" >&2; exit 64 ;;
esac
say() { echo "data-agent: $*" >&2; exit 1; }

wanted=$(cat "$lock" pyproject.toml | sha256sum | cut -d' ' -f1)
stamp=.venv/.$kind
[ -x .venv/bin/python ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && exit 0
# the development lock holds everything the run-time lock holds
[ "$kind" = runtime ] && [ "$(cat .venv/.dev-runtime 2>/dev/null)" = "$wanted" ] && exit 0

python=""
for candidate in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11; do
  if [ -n "$candidate" ] && command -v "$candidate" >/dev/null &&
    "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then python=$candidate; break; fi
done
if [ -z "$python" ]; then
  found=$(python3 --version 2>/dev/null || echo "no Python at all")
  say "Python 3.11 or newer is needed ($found is here): sudo apt-get install python3.11 python3.11-venv, or set PYTHON=/path/to/python3.11"
fi
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
"$python" -c 'import venv, ensurepip' 2>/dev/null ||
  say "the venv module of Python $version is missing: sudo apt-get install python$version-venv"

if [ ! -x .venv/bin/python ] || ! .venv/bin/python -c '' 2>/dev/null; then
  rm -rf .venv
  "$python" -m venv .venv >/dev/null || say "no virtual environment could be made: sudo apt-get install python$version-venv"
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "data-agent: installing the locked packages into .venv (once; a minute or two)" >&2
install() { .venv/bin/python -m pip --disable-pip-version-check --no-input install --quiet "$@" >"$log" 2>&1; }
if ! install --require-hashes --only-binary=:all: -r "$lock"; then
  if grep -qiE 'NewConnectionError|Temporary failure|ConnectTimeout|Max retries|Name or service|ProxyError|No matching distribution' "$log"; then
    say "the packages could not be fetched: check the network (or the proxy in ~/.config/pip/pip.conf), then run make again"
  fi
  tail -5 "$log" >&2
  say "the packages could not be installed (see above): rm -rf .venv, then run make again"
fi
install --no-deps --no-build-isolation -e . || { tail -5 "$log" >&2; say "the project could not be installed (see above)"; }
echo "$wanted" >"$stamp"
[ "$kind" = runtime ] || cat requirements.lock pyproject.toml | sha256sum | cut -d' ' -f1 >.venv/.dev-runtime
