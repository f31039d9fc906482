# Part of build.sh: what it costs. Needs the functions and variables of build.sh.
# shellcheck shell=bash

# Takes the small measurements of these names, or of all where the name is `small`; without names compares.
bench() {
  case ${1-} in
    '') compare ;;
    small) measure portcullis.bench.Bench ;;
    *) measure portcullis.bench.Bench "$@" ;;
  esac
}

# Runs the program $1 of the tests with the rest of the arguments.
measure() {
  compile_tests
  "$JAVA_HOME/bin/java" -XX:+UseSerialGC -Dstdout.encoding=UTF-8 \
    -cp "build/classes:build/test-classes:$(run_jars):$(test_jars)" "$@"
}

# Full load on the image for $1 seconds, 600 unless told otherwise: its memory stays, its log has each request once.
soak() {
  [[ ${1:-600} =~ ^[1-9][0-9]{0,5}$ ]] || die "soak: for how many seconds?"
  image
  measure portcullis.bench.Soak build/image/bin/portcullis build/soak "${1:-600}"
}

# Prints the tables of test/bench (requests, tunnels and uploads, streams of gRPC, idle streams that end in time),
# beside heimdall where HEIMDALL names it, and draws how costs grow to build/bench.svg. Between them stands what the
# decision log and shadow rules cost. BENCH_SECONDS bounds each of the picture's 32 measurements a program. The figures
# are good on a quiet machine only.
compare() {
  local targets=("portcullis=$PWD/build/image/bin/portcullis") table=test/bench/bench.py tool missing=
  image
  [[ -z ${HEIMDALL:-} ]] || targets+=("heimdall=$HEIMDALL")
  for tool in python3 wrk nginx openssl; do
    command -v "$tool" >/dev/null || missing+=" $tool"
  done
  if [[ -z $missing ]]; then
    python3 -u "$table" "${targets[@]/#/--target=}"
    python3 -u test/bench/tunnels.py "${targets[@]/#/--target=}"
    python3 -u test/bench/streams.py "${targets[@]/#/--target=}"
    python3 -u test/bench/idle.py "--target=${targets[0]}"
  else
    echo "table: skipped, there is no$missing"
  fi
  measure portcullis.bench.Beside 3 8 build/image/bin/portcullis
  measure portcullis.bench.Growth build/bench.svg "${BENCH_SECONDS:-10}" "${targets[@]}"
}
