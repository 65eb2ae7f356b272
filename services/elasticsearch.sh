#!/usr/bin/env bash
# One Elasticsearch node for tests, put together from the server's published Java artifacts: no Docker, no download of a
# distribution. Needs mvn and Java 17 (the default version) or 21 (ES_VERSION=9.0.4, with JAVA_HOME).
# Missing in it: _reindex, _delete_by_query, Painless, security, the ik analyser.
#   elasticsearch.sh up      install and start when needed, print the address
#   elasticsearch.sh install | start | stop | status
# Settings: ES_PORT, ES_VERSION, ES_HEAP, ES_ROOT (a folder of its own beside the usual one, for a second node).
. "$(dirname "${BASH_SOURCE[0]}")/daemon.sh"
# the server refuses to run as root and then runs as nobody, who cannot look into root's home
[ "$(id -u)" = 0 ] && CACHE=/var/tmp/data-agent
ES_VERSION=${ES_VERSION:-8.19.9}
INSTALLED=$CACHE/elasticsearch-$ES_VERSION
STATE=$CACHE/${ES_ROOT:-elasticsearch-$ES_VERSION}
PORT=${ES_PORT:-39200}
PARTS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/elasticsearch
[ -n "${JAVA_HOME:-}" ] && PATH=$JAVA_HOME/bin:$PATH

answers() { # over HTTP, with its indexes open
  (
    exec 3<>"/dev/tcp/127.0.0.1/$PORT"
    printf 'GET /_cluster/health?wait_for_status=yellow&timeout=1s HTTP/1.0\r\n\r\n' >&3
    grep -q '"timed_out":false' <&3
  ) 2>/dev/null
}

describe() { # folder and name of a module, its class, its Java module if it has one
  {
    printf 'name=%s\ndescription=%s\nclassname=%s\n' "$1" "$1" "$2"
    printf 'version=%s\nelasticsearch.version=%s\njava.version=17\n' "$ES_VERSION" "$ES_VERSION"
    [ -z "${3:-}" ] || printf 'modulename=%s\n' "$3"
  } >"$STATE/home/modules/$1/plugin-descriptor.properties"
}

linked() { # the programs of the installed node, for one with a port and data of its own
  mkdir -p "$STATE/home"
  cp -al "$INSTALLED"/{lib,classes,ready} "$STATE/"
  cp -al "$INSTALLED"/home/{config,modules} "$STATE/home/"
}

install() {
  [ -f "$STATE/ready" ] && return 0
  rm -rf "$STATE"
  [ -f "$INSTALLED/ready" ] && { linked; return 0; }
  mkdir -p "$STATE"/{classes,plugin,home/config,home/modules/{transport-netty4,missing}}
  mvn -q -B -Dstyle.color=never -Des.version="$ES_VERSION" -f "$PARTS/pom.xml" dependency:copy-dependencies \
    -DincludeScope=runtime -DoutputDirectory="$STATE/lib" >&2
  mv "$STATE"/lib/*netty* "$STATE/home/modules/transport-netty4/"
  describe transport-netty4 org.elasticsearch.transport.netty4.Netty4Plugin org.elasticsearch.transport.netty4
  javac -nowarn -cp "$STATE/lib/*" -d "$STATE/classes" "$PARTS/EsNode.java"
  javac -nowarn -cp "$STATE/lib/*" -d "$STATE/plugin" "$PARTS/Missing.java"
  jar cf "$STATE/home/modules/missing/missing.jar" -C "$STATE/plugin" .
  describe missing Missing
  cp "$PARTS/log4j2.properties" "$STATE/classes/"
  touch "$STATE/ready"
}

run() {
  local user=()
  if [ "$(id -u)" = 0 ]; then
    chmod -R o+rX "$STATE"
    chown -R nobody "$STATE/home"
    user=(setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME="$STATE/home")
  fi
  exec "${user[@]}" java -Xms"${ES_HEAP:-512m}" -Xmx"${ES_HEAP:-512m}" -p "$STATE/lib" --add-modules=ALL-MODULE-PATH \
    -cp "$STATE/classes" EsNode "$STATE/home" "$PORT" "$((PORT + 100))"
}

verbs "${1:-up}" "http://127.0.0.1:$PORT"
