#!/usr/bin/env bash
# MariaDB for tests: the machine's own package, run as a private process. A second target, not a stand-in for MySQL.
#   mariadb.sh up      install and start when needed, print the address
#   mariadb.sh install | start | stop | status
# Settings: MARIADB_PORT, MARIADB_DATA.
. "$(dirname "${BASH_SOURCE[0]}")/daemon.sh"
STATE=${MARIADB_DATA:-$CACHE/mariadb}
PORT=${MARIADB_PORT:-33307}

install() {
  command -v mariadbd >/dev/null && return 0
  apt-get -qq update
  DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install mariadb-server-core mariadb-client-core >/dev/null
}

run() {
  # "normal" gives root@127.0.0.1 an empty password instead of the operating system's login
  [ -d "$STATE/data/mysql" ] || mariadb-install-db --no-defaults --user="$(id -un)" --datadir="$STATE/data" \
    --auth-root-authentication-method=normal --skip-test-db
  exec mariadbd --no-defaults --user="$(id -un)" --datadir="$STATE/data" --bind-address=127.0.0.1 --port="$PORT" \
    --socket="$STATE/mariadb.sock" --pid-file="$PIDFILE" --skip-log-bin --skip-name-resolve \
    --innodb-buffer-pool-size=256M --innodb-flush-log-at-trx-commit=2 --innodb-doublewrite=OFF \
    --character-set-server=utf8mb4 --collation-server=utf8mb4_unicode_ci
}

verbs "${1:-up}" "mysql+pymysql://root@127.0.0.1:$PORT/"
