#!/bin/sh
# Runs the command line on the Node.js that was installed with it, or on the one of the machine.
self=$0
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in /*) self=$target ;; *) self=$(dirname "$self")/$target ;; esac
done
root=$(cd "$(dirname "$self")/.." && pwd)
for node in "$root"/node_modules/node-*/bin/node "$root"/../node-*/bin/node; do
  [ -x "$node" ] && break
  node=
done
major=
if [ -z "$node" ]; then
  node=$(command -v node)
  major=$("${node:-false}" -p 'process.versions.node.split(".")[0]' 2>/dev/null)
  if [ "${major:-0}" -lt 24 ]; then
    echo 'tutti: this needs Node.js 24 or newer; install it, or install tutti without --omit=optional' >&2
    exit 1
  fi
fi
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tutti}"
# Those of bin/tutti in the source, which has the reasons.
flags='--no-allocation-site-pretenuring --external-memory-accounted-in-global-limit'
# The Node.js of the machine, and the one that macOS gets, are other versions and refuse to start with flags that they do not know.
{ [ -z "$major" ] && [ "$(uname)" = Linux ]; } || "$node" $flags -e 0 2>/dev/null || flags=
exec "$node" --disable-warning=ExperimentalWarning $flags "$root/lib/cli.mjs" "$@"
