#!/usr/bin/env bash
# Lets the image $1 do for some seconds what it will do later, and lets the JVM write what it learnt to $2 by its
# option $3: DumpLoadedClassList or AOTCacheOutput. The service runs with the configuration beside this file, for a list
# a second one with decision.yaml; a demonstration, which is not what is learnt, has the services that it asks.
set -euo pipefail

PATHS=(/open/1 /api/1 /documents/1 /documents/2 /pages/1 /pages/all /report /closed/1 /partner/1 /machine/1 /nowhere)
PEOPLE=(ann bob)
ROUNDS=20

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
image=$(cd -- "$1" && pwd)
list=$(cd -- "$(dirname -- "$2")" && pwd)/$(basename -- "$2")
option=$3
aside=$(mktemp -d)
world= trained=
trap 'kill $world $trained 2>/dev/null || true; wait; rm -rf "$aside"' EXIT
cd -- "$aside"

# The image runs in an environment of its own, so that what is learnt does not depend on whoever builds it, nor on the
# certificates that the host trusts.
clean=(env -i LC_ALL=C TZ=UTC PATH="$PATH" HOME="$aside" SSL_CERT_FILE="$here/trusted.pem")

# Waits until the file $1 has the text $2, which the process $3 writes.
await() {
  for _ in {1..3000}; do
    ! grep -q -- "$2" "$1" || return 0
    kill -0 "$3" 2>/dev/null || return 1
    sleep 0.1
  done
  return 1
}

# Starts the demonstration at ports that are free, the first of them $port.
start_world() {
  mkdir -p tmp
  for _ in {1..5}; do
    port=$((26000 + RANDOM % 6000))
    "${clean[@]}" PORTCULLIS_JAVA_OPTIONS=-Djava.io.tmpdir=tmp "$image/bin/portcullis" demo --port "$port" \
      --management-port $((port + 1)) --world-port $((port + 2)) >world 2>&1 &
    world=$!
    ! await world 'Its rules are in' "$world" || return 0
    kill "$world" 2>/dev/null || true
    wait "$world" || true
    world=
  done
  return 1
}

# Starts the service that is to learn at the ports after those of the demonstration, whose folder has a key.
start_service() {
  local keys
  keys=$(echo "$aside"/tmp/portcullis-demo-*)
  TRAIN_PORT=$((port + 5)) TRAIN_MANAGEMENT=$((port + 6))
  mkdir -p rules
  (umask 077 && cp "$here/tls.pem" tls.pem)
  sed -n '/BEGIN CERTIFICATE/,$p' tls.pem >ca.pem
  sed "s/\${WORLD_UPSTREAM}/127.0.0.1:$((port + 2))/" "$here/rules.yaml" >rules/rules.yaml
  # The options are split at spaces, the folder may have some: hence the name of a file in the working folder.
  "${clean[@]}" WORLD_UPSTREAM=127.0.0.1:$((port + 2)) WORLD_IDENTITY=127.0.0.1:$((port + 3)) \
    WORLD_RELATIONS=127.0.0.1:$((port + 4)) TRAIN_PORT="$TRAIN_PORT" TRAIN_MANAGEMENT="$TRAIN_MANAGEMENT" \
    TRAIN_KEY="$keys/proxy.pem" TRAIN_TLS="$aside/tls.pem" PORTCULLISCFG_SERVE_TIMEOUT_IDLE=30s \
    NOTIFY_SOCKET="$aside/nowhere" PORTCULLIS_JAVA_OPTIONS=-XX:$option=learnt \
    timeout 1200 "$image/bin/portcullis" serve proxy -c "$here/config.yaml" --insecure >said 2>&1 &
  trained=$!
  await said '"Starting listening".*"_service":"proxy"' "$trained"
}

# Sends the port $1 a request, $2 is its method and path, $3 its further header lines, $4 its body, and prints the
# answer, whatever it is; a shell can, so that curl need not be there.
ask() {
  exec 3<>"/dev/tcp/127.0.0.1/$1" || return 0
  printf '%s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nAccept: text/html\r\nConnection: close\r\n%s\r\n%s' \
    "$2" "$1" "$3" "${4-}" >&3
  timeout 60 cat <&3 || true
  exec 3>&-
}

# Requests all paths of the service on one connection, as clients do, with the further header lines $1, and prints the
# answers.
ask_all() {
  local path last=${PATHS[-1]} end=
  exec 3<>"/dev/tcp/127.0.0.1/$TRAIN_PORT" || return 0
  for path in "${PATHS[@]}"; do
    [[ $path != "$last" ]] || end=$'Connection: close\r\n'
    printf 'GET %s HTTP/1.1\r\nHost: train.test\r\nAccept: */*\r\n%s%s\r\n' "$path" "$end" "$1" >&3
  done
  timeout 60 cat <&3 || true
  exec 3>&-
}

# Sends the form $2 to the path $1 of the demonstration.
post() {
  ask "$port" "POST $1" $'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: '"${#2}"$'\r\n' "$2"
}

# Prints a header line each that the people are known by, a token, and of one whom only a password knows.
credentials() {
  local person
  for person in "${PEOPLE[@]}"; do
    post /token "user=$person" | tr -d '\r' | sed -n '1,/^$/d; s/^/Authorization: Bearer /; p; q'
  done
  echo 'Authorization: Basic b3BlcmF0b3I6c2VjcmV0'
}

requests() {
  local path line known
  mapfile -t known < <(credentials)
  for ((round = 0; round < ROUNDS; round++)); do
    for line in '' "${known[@]/%/$'\r\n'}"; do
      ask_all "$line"
    done
  done
  for path in "${PATHS[@]}"; do
    ask "$TRAIN_PORT" "GET $path" ''
  done
  ask "$TRAIN_PORT" 'POST /open/2' $'Content-Length: 5\r\n' hello
  ask "$TRAIN_PORT" 'GET /encrypted' ''
}

# Lets the management service answer over TLS.
encrypted() {
  "${clean[@]}" "$image/bin/portcullis" health --ca ca.pem --endpoint "https://127.0.0.1:$TRAIN_MANAGEMENT"
}

# The JVM writes it on its way out, so that it has to be awaited.
train() {
  start_world && start_service || return 1
  requests >answers
  encrypted >>answers || return 1
  grep -qa '^HTTP/1.1 200' answers || return 1
  kill "$trained"
  wait "$trained" || true
  trained=
  [[ -f learnt ]]
}

# Adds to the class list what a service needs that only decides, and one outside of UTC.
decisions() {
  local try path
  mkdir -p decision
  cp "$here/decision-rules.yaml" decision/
  for try in 1 2 3; do
    : >answers
    : >"decided.$try" # before it is read, as the service begins beside
    TRAIN_PORT=$((port + 5 + 2 * try)) TRAIN_MANAGEMENT=$((port + 6 + 2 * try))
    "${clean[@]}" TZ=Europe/Berlin TRAIN_PORT="$TRAIN_PORT" TRAIN_MANAGEMENT="$TRAIN_MANAGEMENT" \
      TRAIN_RULES="$aside/decision" PORTCULLIS_JAVA_OPTIONS=-XX:$option=decided \
      timeout 1200 "$image/bin/portcullis" serve decision -c "$here/decision.yaml" --insecure >"decided.$try" 2>&1 &
    trained=$!
    if await "decided.$try" 'Portcullis started' "$trained"; then
      for path in /open/1 /open/2 /elsewhere; do
        ask "$TRAIN_PORT" "GET $path" ''
      done >answers
    fi
    kill "$trained" 2>/dev/null || true
    wait "$trained" || true
    trained=
    if grep -qa '^HTTP/1.1 200' answers; then
      cat decided >>learnt
      return
    fi
  done
  return 1
}

train || {
  cat world said 2>/dev/null || true
  echo "train.sh: the service did not start; training on --help instead, so that starts will be slower" >&2
  "${clean[@]}" PORTCULLIS_JAVA_OPTIONS=-XX:$option=learnt "$image/bin/portcullis" --help
}
if [[ $option = DumpLoadedClassList ]] && ! decisions; then
  cat decided.* 2>/dev/null || true
  echo "train.sh: the service that only decides did not start: starts will be slower, and other builds differ" >&2
fi
mv learnt "$list"
