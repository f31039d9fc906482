#!/usr/bin/env bash
# Builds Portcullis: a JDK 25, pinned jars, javac, JUnit, jlink. `build.sh help` lists the targets.
set -euo pipefail
shopt -s nullglob
# What is built does not depend on who builds it.
umask 022
export TZ=UTC
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"

# A folder with run/*.jar, test/*.jar and format/*.jar as jlink/dependencies.lock lists them; fill it beforehand where
# Maven has no network.
DEPS=${PORTCULLIS_DEPS:-build/deps}

say() { printf '%s\n' "$*" >&2; }
die() { say "build.sh: $*"; exit 1; }

# --- JDK --------------------------------------------------------------------------------------------------------------

# Prints the feature release of the JDK at $1, or 0 where none is.
jdk_release() {
  local line
  [[ -x $1/bin/javac && -f $1/release ]] || { echo 0; return; }
  line=$(grep -m 1 '^JAVA_VERSION=' "$1/release" || true)
  line=${line#*\"}
  line=${line%%[!0-9]*}
  echo "${line:-0}"
}

find_jdk() {
  local home on_path
  on_path=$(command -v javac || true)
  [[ -z $on_path ]] || on_path=$(dirname -- "$(dirname -- "$(readlink -f -- "$on_path")")")
  for home in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/* /usr/java/* /opt/* /opt/*/* \
    ~/.sdkman/candidates/java/* ~/.jdks/*; do
    if [[ -n $home ]] && (($(jdk_release "$home") >= 25)); then
      export JAVA_HOME=$home
      return
    fi
  done
  die "no JDK 25 or newer in JAVA_HOME, PATH, /usr/lib/jvm, /usr/java, /opt, ~/.sdkman or ~/.jdks:" \
    "install one, or set JAVA_HOME to it"
}

# --- dependencies -----------------------------------------------------------------------------------------------------

# How publishers of jars with native code name this machine in them.
NATIVE=linux-$(uname -m | sed 's/^aarch64$/aarch_64/')

# Prints the lock without the jars of other machines.
lock_lines() { sed -E "/-linux-[a-z0-9_]+\.jar\$/{/-$NATIVE\.jar\$/!d}" jlink/dependencies.lock; }

locked() { lock_lines | cut -d ' ' -f 3; }

# Runs a command that ends after $1 seconds at the latest, with the signal $2, where there is a timeout command.
limited() {
  local limit=$1 signal=$2
  shift 2
  if command -v timeout >/dev/null; then
    timeout --foreground --signal "$signal" --kill-after 30 "$limit" "$@"
  else
    "$@"
  fi
}

# Lets Maven copy the closure of pom profile $1 to folder $2, with native code for $NATIVE. A connection on which
# nothing arrives is given up after 30 s (Maven's own limit is half an hour), and what failed is tried three times. Of
# the output only the errors are shown, when it fails: Debian's Maven warns at length on a new JDK.
resolve() {
  local log attempt
  log=$(mktemp)
  for attempt in 1 2 3; do
    if limited 600 TERM mvn -B -q -Dstyle.color=never -f jlink/pom.xml -P "$1" dependency:copy-dependencies \
      -Dmaven.wagon.rto=30000 -Daether.connector.requestTimeout=30000 -Daether.connector.connectTimeout=10000 \
      -Dnative="$NATIVE" -DoutputDirectory="$2" >"$log" 2>&1; then
      rm -f "$log"
      return
    fi
    ((attempt == 3)) || say "mvn could not fetch the dependencies, trying again"
  done
  grep ERROR "$log" >&2 || cat "$log" >&2
  rm -f "$log"
  die "mvn could not fetch the dependencies"
}

# Fetches aside and moves each jar in place, so that builds running side by side see whole files only.
fetch() {
  local part jar
  command -v mvn >/dev/null ||
    die "jars are missing from $DEPS and there is no mvn to fetch them:" \
      "install Maven, or put what jlink/dependencies.lock lists there"
  mkdir -p "$DEPS"/{run,test,format}
  fetched=$(mktemp -d "$DEPS/.fetch.XXXXXX")
  trap 'rm -rf "$fetched"' EXIT
  say "fetching the dependencies with Maven (the first time about 20 s)"
  for part in run test format; do
    resolve "$part" "$(cd "$fetched" && pwd)/$part"
    for jar in "$fetched/$part"/*.jar; do
      touch "$jar"
      mv -f "$jar" "$DEPS/$part/"
    done
  done
  rm -rf "$fetched"
}

# Takes jars away that the lock listed once: in a folder of our own they are left over from another state of the tree.
forget() {
  local jar known
  known=$(locked)
  for jar in "$DEPS"/{run,test,format}/*.jar; do
    grep -q -x -F -- "${jar#"$DEPS"/}" <<<"$known" || rm -f "$jar"
  done
}

deps() {
  local jar extra
  [[ -n ${PORTCULLIS_DEPS:-} ]] || forget
  while read -r jar; do
    [[ -f $DEPS/$jar ]] || { fetch; break; }
  done < <(locked)
  lock_lines | (cd "$DEPS" && sha256sum --check --quiet --strict >&2) ||
    die "jars in $DEPS are not those of jlink/dependencies.lock (listed above): remove them and build again"
  extra=$(comm -13 <(locked | sort) <(cd "$DEPS" && find -L run test format -type f | sort))
  [[ -z $extra ]] || die "$DEPS has files that jlink/dependencies.lock does not list for $NATIVE: ${extra//$'\n'/ }"
}

# Writes the lock anew from what Maven resolves now, with native code for all machines; to be read before it is
# committed.
lock() {
  DEPS=$(mktemp -d)
  fetch
  for NATIVE in linux-x86_64 linux-aarch_64; do
    resolve run "$DEPS/$NATIVE"
    mv "$DEPS/$NATIVE"/*-"$NATIVE".jar "$DEPS/run/"
  done
  (cd "$DEPS" && LC_ALL=C sha256sum run/*.jar test/*.jar format/*.jar) >jlink/dependencies.lock
  rm -rf "$DEPS"
  say "jlink/dependencies.lock has $(wc -l <jlink/dependencies.lock) jars"
}

# --- compile ----------------------------------------------------------------------------------------------------------

# Strings are joined without invokedynamic, which is linked at the start.
JAVAC_FLAGS=(--release 25 -encoding UTF-8 -proc:none -Xlint:all -g -XDstringConcat=inline)

# Runs a step that writes to build/ while no other build does.
alone() {
  mkdir -p build
  (
    ! command -v flock >/dev/null || flock 9
    "$@"
  ) 9>build/.lock
}

run_jars() { printf '%s' "$DEPS/run/*"; }
test_jars() { printf '%s' "$DEPS/test/*"; }

# True when the stamp $1 is older than any file or folder of the rest; a folder's time tells of files taken away.
stale() {
  local stamp=$1
  shift
  [[ ! -f $stamp || -n $(find "$@" -newer "$stamp" -print -quit) ]]
}

# Compiles the tree $1 with class path $3 to the folder $2 unless nothing changed since; the rest of the arguments are
# what else it depends on. Everything goes through javac at once: a change in one file may break any other.
compile_tree() {
  local from=$1 to=$2 path=$3
  shift 3
  stale "$to.stamp" "$from" build.sh jlink/DirectCalls.java jlink/dependencies.lock "$@" || return 0
  rm -rf "$to.new"
  mkdir -p "$to.new"
  touch "$to.stamp.new"
  find "$from" -name '*.java' | LC_ALL=C sort | sed 's/.*/"&"/' >"$to.sources"
  "$JAVA_HOME/bin/javac" "${JAVAC_FLAGS[@]}" -Werror -cp "$path" -d "$to.new" "@$to.sources" ||
    die "$from does not compile"
  [[ $from != src ]] ||
    "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 jlink/DirectCalls.java "$to.new" "$DEPS/run" ||
    die "calls could not be replaced"
  (cd "$from" && find . -type f ! -name '*.java' ! -name '*.md' -exec cp --parents {} "$OLDPWD/$to.new" \;)
  rm -rf "$to"
  mv "$to.new" "$to"
  mv "$to.stamp.new" "$to.stamp"
}

compile() {
  deps
  alone compile_tree src build/classes "$(run_jars)"
}

compile_tests() {
  compile
  alone compile_tree test build/test-classes "build/classes:$(run_jars):$(test_jars)" build/classes.stamp
}

# --- format -----------------------------------------------------------------------------------------------------------

# Runs jlink/format/Format.java: `check` reports Java and Markdown that is not formatted and lines over 120 columns, in
# scripts, C, Python and CSS too.
formatter() {
  deps
  "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$DEPS/format/*" jlink/format/Format.java "$1" \
    jlink/format/format.properties src test jlink config rules *.md build.sh .ci/run jlink/portcullis Makefile
}

format() { formatter format; }
format_check() { formatter check; }

# --- tests, image -----------------------------------------------------------------------------------------------------

export CORPORA=${CORPORA:-../shared/corpora}

. test/run.sh
. test/bench.sh
. jlink/image.sh
. jlink/packages.sh
. jlink/release.sh

run() {
  image
  exec build/image/bin/portcullis demo "$@"
}

# --- targets ----------------------------------------------------------------------------------------------------------

help() {
  cat <<'EOF'
build.sh TARGET, or make TARGET:
  run      build the image and start the demonstration
  check    compile, unit tests and floors test
  test     check, then the image and the release, their acceptance tests, and the conformance cases
  golden   the golden rows of test/data alone; which ones failed is in build/golden.txt
  release  build/release: the one file, the tar.gz, packages, what belongs to them
  conformance  the release, and the conformance cases on its one file
  bench    what it costs beside other programs, and how costs grow, as build/bench.svg; `build.sh bench NAME...` takes
           small measurements instead, `small` all of them; test/bench.sh tells more
  format   lay Java out as jlink/format/format.properties says, and wrap Markdown; `check` compares
  image    build/image, with bin/portcullis, which needs no other Java
  compile  src to build/classes
  deps     the jars of jlink/dependencies.lock, fetched by Maven once; PORTCULLIS_DEPS names a folder that has them
  fuzz     try random configurations, rules and paths: [SECONDS [SEED]], 60 seconds unless told otherwise
  clean    remove build/
build.sh only:
  compile_tests    compile src and test, run nothing
  unit_tests       the unit tests alone
  soak [SECONDS]   full load on the image, ten minutes unless told otherwise: memory stays, each request is logged once
  mutate [COUNT [SEED [PLACE...]] | uncovered]
                   change 200 random lines one at a time: which changes does no unit test notice? A place is FILE, or
                   FILE:LINE for all changes of that line
  pages            write config/docs/reference as the program generates it; a test compares
  release-test     build the release twice and compare
  train-test [N]   train for the AOT cache nine times and compare what is learnt
  unit PACKAGE...  compile and test single packages, as wire or http/client, whatever state the others are in
  lock             write jlink/dependencies.lock anew after a change to jlink/pom.xml
EOF
}

case ${1:-help} in
  help) help ;;
  clean) rm -rf build ;;
  test) find_jdk && all_tests ;;
  release-test) find_jdk && release_test ;;
  train-test) find_jdk && train_test "${@:2}" ;;
  deps | lock | compile | compile_tests | unit | check | format | format_check | golden | conformance | bench | soak | \
    fuzz | mutate | pages | image | release | run | unit_tests) find_jdk && "$@" ;;
  *) die "there is no target $1; build.sh help lists them" ;;
esac
