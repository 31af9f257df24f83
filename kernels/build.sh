#!/bin/sh
# Compiles every kernel to PTX with clang 14 or newer; no CUDA SDK is needed. clang declares no texture references: a line `// texref NAME` does.
set -eu
cd "$(dirname "$0")"
for source in *.cu own/*.cu; do
  ptx="${source%.cu}.ptx"
  clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S "$source" -o "$ptx"
  for name in $(sed -n 's,^// texref ,,p' "$source"); do
    sed -i "s/^\.address_size .*/&\n.global .texref $name;/" "$ptx"
  done
done
