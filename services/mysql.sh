#!/usr/bin/env bash
# Oracle MySQL for tests on a Debian machine without Docker. Nothing is installed: the packages of a newer Debian suite
# are unpacked into a folder and run with that folder's own loader. The mirror is the one this machine's apt uses.
#   mysql.sh up        install and start when needed, print the address
#   mysql.sh install | start | stop | status
# Settings: MYSQL_PORT, MYSQL_ROOT (programs), MYSQL_DATA (data, log), MYSQL_SUITE (Debian suite), MYSQL_ARGS (more
# server options; --lower-case-table-names=1 needs a MYSQL_DATA of its own), MYSQL_PFS=ON (performance schema).
. "$(dirname "${BASH_SOURCE[0]}")/daemon.sh"
MYSQL_ROOT=${MYSQL_ROOT:-$CACHE/mysql}
STATE=${MYSQL_DATA:-$CACHE/mysql-data}
PIDFILE=$STATE/mysql.pid
PORT=${MYSQL_PORT:-33306}
ARCH=$(dpkg --print-architecture)
LIBRARIES=$MYSQL_ROOT/usr/lib/$(gcc -print-multiarch 2>/dev/null || echo x86_64-linux-gnu)

mirror() { # the first address in apt's own list, in either of its two formats
  cat /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null |
    awk '/^URIs:/ {print $2; exit} /^deb / {for (i = 2; i <= NF; i++) if ($i ~ /:\/\//) {print $i; exit}}'
}

download() { # the server's packages into $1, with an apt state of its own that the machine's apt never sees
  local box=$1
  mkdir -p "$box"/lists/partial "$box"/archives/partial "$box"/parts
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(mirror) ${MYSQL_SUITE:-sid} main" >"$box/sources.list"
  # only side scripts need perl: saying that it is there saves 20 MB
  printf '%s\n' 'Package: perl' 'Status: install ok installed' 'Multi-Arch: allowed' "Architecture: $ARCH" \
    'Version: 99' 'Maintainer: nobody <nobody@localhost>' 'Description: stands in for perl' >"$box/status"
  local options=(-qq
    -o Dir::State="$box" -o Dir::State::lists="$box/lists" -o Dir::State::status="$box/status"
    -o Dir::Cache="$box" -o Dir::Cache::archives="$box/archives"
    -o Dir::Etc::sourcelist="$box/sources.list" -o Dir::Etc::sourceparts="$box/parts"
    -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts="$box/parts"
    -o APT::Sandbox::User=root -o APT::Update::Post-Invoke-Success::= -o Debug::NoLocking=1
    -o Acquire::Languages=none -o Acquire::Retries=3)
  apt-get "${options[@]}" update
  apt-get "${options[@]}" -y --no-install-recommends --download-only install mysql-server-core mysql-client-core >/dev/null
}

install() {
  [ -x "$MYSQL_ROOT/usr/sbin/mysqld" ] && return 0
  local box tree=$MYSQL_ROOT.part
  box=$(mktemp -d)
  download "$box"
  rm -rf "$tree"
  mkdir -p "$tree"/usr/{bin,sbin,lib,lib64}
  # merged /usr first, so that every package unpacks onto the same tree
  for folder in bin sbin lib lib64; do ln -s "usr/$folder" "$tree/$folder"; done
  for package in "$box"/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$tree" --keep-directory-symlink \
      --exclude='./usr/share/doc*' --exclude='./usr/share/man*' --exclude='./usr/share/locale*'
  done
  rm -rf "$MYSQL_ROOT" "$box"
  mv "$tree" "$MYSQL_ROOT"
}

server() { # mysqld with the folder's loader, libraries and files
  exec "$(ls "$LIBRARIES"/ld-linux-*.so.* | head -n 1)" --library-path "$LIBRARIES" "$MYSQL_ROOT/usr/sbin/mysqld" \
    --no-defaults --user="$(id -un)" --basedir="$MYSQL_ROOT/usr" --datadir="$STATE/data" \
    --lc-messages-dir="$MYSQL_ROOT/usr/share/mysql" --character-sets-dir="$MYSQL_ROOT/usr/share/mysql/charsets" \
    --plugin-dir="$MYSQL_ROOT/usr/lib/mysql/plugin" ${MYSQL_ARGS:-} "$@"
}

run() {
  [ -d "$STATE/data/mysql" ] || (server --initialize-insecure)
  server --bind-address=127.0.0.1 --port="$PORT" --mysqlx=OFF --socket="$STATE/mysql.sock" --pid-file="$PIDFILE" \
    --skip-log-bin --innodb-buffer-pool-size=256M --innodb-flush-log-at-trx-commit=2 --innodb-doublewrite=OFF \
    --character-set-server=utf8mb4 --collation-server=utf8mb4_0900_ai_ci --secure-file-priv= \
    --performance-schema="${MYSQL_PFS:-OFF}"
}

verbs "${1:-up}" "mysql+pymysql://root@127.0.0.1:$PORT/"
