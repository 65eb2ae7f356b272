# Sourced by the scripts beside it: what every private server needs. The script sets STATE (a folder of its own) and
# PORT (and PIDFILE when the server writes its own), and defines install, run (becomes the server: exec) and, when an open port proves too little, answers.
set -euo pipefail
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/data-agent

# one at a time: several test runs may ask for the same server at once
locked() { (flock 9; "$@") 9>"$STATE.lock"; }

answers() { (exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null; }

alive() { [ -s "$PIDFILE" ] && kill -0 "$(cat "$PIDFILE")" 2>/dev/null; }

status() { alive && answers; }

start() {
  status && return 0
  mkdir -p "$STATE"
  (run) </dev/null >"$STATE/log" 2>&1 9>&- &
  echo $! >"$PIDFILE"
  for _ in $(seq 600); do
    status && return 0
    alive || break
    sleep 0.1
  done
  echo "$(basename "$0"): the server did not start; the end of $STATE/log:" >&2
  tail -n 20 "$STATE/log" >&2
  return 1
}

stop() {
  alive || return 0
  kill "$(cat "$PIDFILE")"
  while alive; do sleep 0.1; done
}

verbs() { # the verb, the address of the running server
  PIDFILE=${PIDFILE:-$STATE/pid}
  mkdir -p "$(dirname "$STATE")"
  case ${1:-up} in
    install) locked install ;;
    start) locked start ;;
    stop) locked stop ;;
    status) status ;;
    pid) cat "$PIDFILE" ;;
    remove) locked stop; rm -rf "$STATE" "$STATE.lock" ;;
    up) locked install && locked start && echo "$2" ;;
    *) echo "usage: $(basename "$0") install|start|stop|status|up|pid|remove" >&2; exit 2 ;;
  esac
}
