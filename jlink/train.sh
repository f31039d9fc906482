#!/usr/bin/env bash
# Lets the image $1 do for some seconds what it will do later, and writes what the JVM learnt to the AOT cache $2.
set -euo pipefail

image=$(cd -- "$1" && pwd)
aside=$(mktemp -d)
trap 'rm -rf "$aside"' EXIT
cd -- "$aside"

export PORTCULLIS_JAVA_OPTIONS=-XX:AOTCacheOutput=learnt.aot
"$image/bin/portcullis" --help
cd - >/dev/null
mv "$aside/learnt.aot" "$2"
