#!/bin/sh
# The core, compiled as the bindings compile it, must not put a name into the process that is not its own.
set -eu
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
${CC:-cc} -std=c11 -O2 -Wall -Wextra -Werror -c ../../csrc/pp.c -o "$out/pp.o"
${CC:-cc} -std=c11 -O2 -Wall -Wextra -Werror -fPIC -fvisibility=hidden -shared ../../csrc/pp.c -o "$out/pp.so" \
  -lprotobuf-c -lz -lm
strangers=$(nm --defined-only --extern-only "$out/pp.o" | awk '$3 !~ /^pp_/ { print $3 }')
exported=$(nm --dynamic --defined-only "$out/pp.so" | awk '$3 !~ /^_(init|fini)$/ { print $3 }')
if [ -n "$strangers$exported" ]; then
  echo "0 passed, 1 failed"
  echo "without the prefix pp_:" $strangers "exported although hidden:" $exported >&2
  exit 1
fi
echo "2 passed, 0 failed"
