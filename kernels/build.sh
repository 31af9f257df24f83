#!/bin/sh
# Compiles every kernel to PTX with clang 14 or newer; no CUDA SDK is needed.
set -eu
cd "$(dirname "$0")"
for source in *.cu own/*.cu; do
  clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S "$source" -o "${source%.cu}.ptx"
done
