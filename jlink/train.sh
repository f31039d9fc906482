#!/usr/bin/env bash
# Lets the image $1 do for some seconds what it will do later, and writes what the JVM learnt to the AOT cache $2.
set -euo pipefail

# The demonstration is the training ground: a start with a real configuration, then requests of each kind. Its ports are
# free ones, since it may be running for somebody already. Each page is asked for by nobody, by somebody who is signed in and
# may see it, by somebody who may not, and by the two by a token.
GROUND=(demo --port 0)
PATHS=(/ /login /me /admin /api/documents /api/documents/1 /nowhere)
PEOPLE=(ann bob)
ROUNDS=20

image=$(cd -- "$1" && pwd)
cache=$(cd -- "$(dirname -- "$2")" && pwd)/$(basename -- "$2")
aside=$(mktemp -d)
trained=
trap '[[ -z $trained ]] || kill "$trained" 2>/dev/null || true; rm -rf "$aside"' EXIT
cd -- "$aside"

# The options are split at spaces, the folder may have some: hence the name of a file in the working folder.
export PORTCULLIS_JAVA_OPTIONS=-XX:AOTCacheOutput=learnt.aot

# Prints host:port of the first address that the demonstration names, as soon as it does.
address() {
  local found
  for _ in {1..150}; do
    found=$(grep -o -m 1 'http://127\.0\.0\.1:[0-9]*' said | head -n 1) || true
    [[ -z $found ]] || { echo "${found#http://}"; return; }
    kill -0 "$trained" 2>/dev/null || return 1
    sleep 0.1
  done
  return 1
}

# Sends host:port $1 a request, $2 is its method and path, $3 its further header lines, $4 its body, and prints the answer,
# whatever it is; a shell can, so that curl need not be there.
ask() {
  exec 3<>"/dev/tcp/${1/://}" || return 0
  printf '%s HTTP/1.1\r\nHost: %s\r\nAccept: text/html\r\nConnection: close\r\n%s\r\n%s' "$2" "$1" "$3" "${4-}" >&3
  timeout 5 cat <&3 || true
  exec 3>&-
}

# Sends host:port $1 the form $3 to the path $2.
post() {
  ask "$1" "POST $2" $'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: '"${#3}"$'\r\n' "$3"
}

# Prints a header line each that host:port $1 knows the people by: the cookie of a session, and a token.
credentials() {
  local person
  for person in "${PEOPLE[@]}"; do
    post "$1" /login "user=$person" | sed -n 's/^Set-Cookie: \([^;]*\);.*/Cookie: \1/p'
    post "$1" /token "user=$person" | tr -d '\r' | sed -n '1,/^$/d; s/^/Authorization: Bearer /; p; q'
  done
}

train_on_demonstration() {
  local at path known line
  timeout 120 "$image/bin/portcullis" "${GROUND[@]}" >said 2>&1 &
  trained=$!
  at=$(address) || { end; return 1; }
  mapfile -t known < <(credentials "$at")
  for ((round = 0; round < ROUNDS; round++)); do
    for path in "${PATHS[@]}"; do
      ask "$at" "GET $path" ''
      for line in "${known[@]}"; do
        ask "$at" "GET $path" "$line"$'\r\n'
      done
    done
  done >/dev/null
  end
  [[ -f learnt.aot ]]
}

# The JVM writes the cache on its way out, so that it has to be awaited.
end() {
  kill "$trained" 2>/dev/null || true
  wait "$trained" || true
  trained=
}

train_on_demonstration || {
  cat said
  echo "train.sh: the demonstration did not start; training on --help instead, so that starts will be slower" >&2
  "$image/bin/portcullis" --help
}
mv learnt.aot "$cache"
