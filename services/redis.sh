#!/usr/bin/env bash
# Redis for tests: the machine's own package, run as a private process that keeps nothing.
#   redis.sh up      install and start when needed, print the address
#   redis.sh install | start | stop | status
# Settings: REDIS_PORT, REDIS_DATA.
. "$(dirname "${BASH_SOURCE[0]}")/daemon.sh"
STATE=${REDIS_DATA:-$CACHE/redis}
PORT=${REDIS_PORT:-36379}

install() {
  command -v redis-server >/dev/null && return 0
  apt-get -qq update
  DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install redis-server >/dev/null
}

run() {
  exec redis-server --port "$PORT" --bind 127.0.0.1 --dir "$STATE" --save '' --appendonly no --maxmemory 64mb \
    --maxmemory-policy allkeys-lru
}

verbs "${1:-up}" "redis://127.0.0.1:$PORT/0"
