#!/usr/bin/env bash
# A Docker engine for tests, on a machine without one, as root: Debian's packages, no registry, nothing of the host's own
# touched. It listens on a socket of its own and lives in a network namespace of its own, so that neither bridges nor
# firewall rules nor forwarding of the host change.
#
#   engine.sh start      install what is missing, start the engine, import the images; prints the line to export
#   engine.sh stop       end that engine, with its containers, and nothing else
set -euo pipefail

dir=${STOCKADE_DOCKER_DIR:-/var/lib/stockade-test-engine}
socket=/run/stockade-test-engine.sock
group=docker
pidfile=$dir/dockerd.pid
log=$dir/dockerd.log
export DOCKER_HOST=unix://$socket

say() { printf 'engine: %s\n' "$*" >&2; }
fail() {
  say "$*"
  tail -5 "$log" 2>/dev/null | cut -c1-300 >&2
  exit 1
}
answers() { docker version --format '{{.Server.Version}}' >/dev/null 2>&1; }
ours() { [ -s "$pidfile" ] && [ "$(cat "/proc/$(cat "$pidfile")/comm" 2>/dev/null)" = dockerd ]; }

stop() {
  ours || return 0
  local pid
  pid=$(cat "$pidfile")
  docker ps -aq 2>/dev/null | xargs -r docker rm -f >/dev/null 2>&1 || true
  kill "$pid"
  for _ in $(seq 150); do [ -d "/proc/$pid" ] || break; sleep .1; done
  rm -f "$pidfile" "$socket"
}

install() {
  local missing=()
  { command -v dockerd && command -v docker; } >/dev/null || missing+=(docker.io)
  [ -x /bin/busybox ] || missing+=(busybox-static)
  command -v ip >/dev/null || missing+=(iproute2)
  command -v iptables >/dev/null || missing+=(iptables)
  [ -x /usr/bin/python3 ] || missing+=(python3)
  [ ${#missing[@]} -eq 0 ] && return
  say "installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >&2 || true
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 || fail "apt-get cannot install ${missing[*]}"
}

launch() {
  if ! grep -qE '^cgroup2? ' /proc/mounts; then
    mkdir -p /sys/fs/cgroup
    mount -t cgroup2 cgroup2 /sys/fs/cgroup
  fi
  getent group "$group" >/dev/null || groupadd --system "$group"
  mkdir -p "$dir"
  rm -f "$pidfile" "$socket"
  # A configuration file of its own: one of the host's engine must not be read.
  cat >"$dir/daemon.json" <<JSON
{"data-root": "$dir/data", "exec-root": "$dir/exec", "pidfile": "$pidfile", "hosts": ["$DOCKER_HOST"],
 "group": "$group", "exec-opts": ["native.cgroupdriver=cgroupfs"], "userland-proxy": false}
JSON
  # "unchanged": mounts made in this namespace by the host later are wanted, the private /sys is not.
  setsid nohup unshare --net --mount --propagation unchanged \
    sh -c 'ip link set lo up; exec "$@"' sh dockerd --config-file "$dir/daemon.json" >"$log" 2>&1 </dev/null &
  for _ in $(seq 150); do answers && return; sleep .2; done
  fail "dockerd did not answer within 30 s"
}

# import NAME TREE
import() {
  tar -C "$2" -c . | docker import -c 'CMD ["/bin/sh"]' - "$1" >/dev/null
  rm -rf "$2"
}

# busybox TREE: a small operating system, in which uid 1000 has a name. Who grants the host's /usr finds its programs working.
busybox() {
  mkdir -p "$1"/{bin,etc,tmp,proc,sys,dev,root,run,usr/bin,usr/lib,usr/lib64}
  chmod 755 "$1"
  cp "$(readlink -f /bin/busybox)" "$1/bin/busybox"
  chroot "$1" /bin/busybox --install -s /bin
  ln -s usr/lib usr/lib64 "$1"
  printf 'root:x:0:0:root:/root:/bin/sh\nu:x:1000:1000:u:/:/bin/sh\n' >"$1/etc/passwd"
}

busybox_image() {
  docker image inspect stockade-test/busybox:1 >/dev/null 2>&1 && return
  local tree
  tree=$(mktemp -d)
  busybox "$tree"
  import stockade-test/busybox:1 "$tree"
}

# python: the host's python3 beside busybox, with the libraries it needs
python_image() {
  docker image inspect stockade-test/python:1 >/dev/null 2>&1 && return
  local tree python version library
  tree=$(mktemp -d)
  busybox "$tree"
  python=$(readlink -f /usr/bin/python3)
  version=${python##*/}
  cp "$python" "$tree/usr/bin/python3"
  tar -C /usr/lib -c --exclude=__pycache__ --exclude=dist-packages --exclude=test "$version" | tar -C "$tree/usr/lib" -x
  { ldd "$python" && find "/usr/lib/$version" -name '*.so' -exec ldd {} + ; } 2>/dev/null |
    grep -oE '/[^ ]+\.so[^ ]*' | grep -v : | sort -u | while read -r library; do
    mkdir -p "$tree$(dirname "$library")"
    cp -L "$library" "$tree$library"
  done
  import stockade-test/python:1 "$tree"
}

# empty: nothing but a program that is no shell
empty_image() {
  docker image inspect stockade-test/empty:1 >/dev/null 2>&1 && return
  local tree
  tree=$(mktemp -d)
  chmod 755 "$tree"
  mkdir -p "$tree/bin"
  cp "$(readlink -f /bin/busybox)" "$tree/bin/true"
  import stockade-test/empty:1 "$tree"
}

case ${1:-} in
  start)
    [ "$(id -u)" = 0 ] || fail "must be root"
    install
    ours && answers || launch
    busybox_image
    python_image
    empty_image
    echo "export DOCKER_HOST=$DOCKER_HOST"
    ;;
  stop) stop ;;
  *) fail "say start or stop" ;;
esac
