#!/bin/sh
# Links node_modules/.bin/node to the Node.js package of this machine, which all npm scripts and bin/tutti run on.
# npm 11 creates the link itself. npm 10 reserves it for the first package with that command, which may be the one of another platform.
cd "$(dirname "$0")/../node_modules" || exit 1
if [ -x .bin/node ]; then exit 0; fi
for program in node-*/bin/node; do
  if [ -x "$program" ]; then
    exec ln -sfn "../$program" .bin/node
  fi
done
echo "tutti: no Node.js was installed for $(uname -sm); install on Linux or macOS (x64 or arm64), without --omit=optional" >&2
exit 1
