#!/usr/bin/env bash
# Builds Portcullis: a JDK 25, pinned jars, javac, JUnit, jlink. `build.sh help` lists the targets.
set -euo pipefail
shopt -s nullglob
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"

# A folder with run/*.jar and test/*.jar as jlink/dependencies.lock lists them; fill it beforehand where Maven has no network.
DEPS=${PORTCULLIS_DEPS:-build/deps}

say() { printf '%s\n' "$*" >&2; }
die() { say "build.sh: $*"; exit 1; }

# --- JDK ---------------------------------------------------------------------------------------------------------------

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
  for home in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/* /usr/java/* /opt/* /opt/*/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/*; do
    if [[ -n $home ]] && (($(jdk_release "$home") >= 25)); then
      export JAVA_HOME=$home
      return
    fi
  done
  die "no JDK 25 or newer in JAVA_HOME, PATH, /usr/lib/jvm, /usr/java, /opt, ~/.sdkman or ~/.jdks: install one, or set JAVA_HOME to it"
}

# --- dependencies ------------------------------------------------------------------------------------------------------

locked() { cut -d ' ' -f 3 jlink/dependencies.lock; }

# Lets Maven copy the closure of pom profile $1 to folder $2. Its output is shown only when it fails: Debian's Maven
# warns at length on a new JDK.
resolve() {
  local log
  command -v mvn >/dev/null || die "jars are missing from $DEPS and there is no mvn to fetch them: install Maven, or put what jlink/dependencies.lock lists there"
  log=$(mktemp)
  mvn -B -q -Dstyle.color=never -f jlink/pom.xml -P "$1" dependency:copy-dependencies \
    -DoutputDirectory="$2" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; die "mvn could not fetch the dependencies"; }
  rm -f "$log"
}

# Fetches aside and moves each jar in place, so that builds running side by side see whole files only.
fetch() {
  local part jar aside
  mkdir -p "$DEPS/run" "$DEPS/test"
  aside=$(mktemp -d "$DEPS/.fetch.XXXXXX")
  say "fetching the dependencies with Maven (the first time about 20 s)"
  for part in run test; do
    resolve "$part" "$(cd "$aside" && pwd)/$part"
    for jar in "$aside/$part"/*.jar; do
      touch "$jar"
      mv -f "$jar" "$DEPS/$part/"
    done
  done
  rm -rf "$aside"
}

deps() {
  local jar extra
  while read -r jar; do
    [[ -f $DEPS/$jar ]] || { fetch; break; }
  done < <(locked)
  (lock=$PWD/jlink/dependencies.lock; cd "$DEPS" && sha256sum --check --quiet --strict "$lock" >&2) ||
    die "jars in $DEPS are not those of jlink/dependencies.lock (listed above): remove them and build again"
  extra=$(comm -13 <(locked | sort) <(cd "$DEPS" && find -L run test -type f | sort))
  [[ -z $extra ]] || die "$DEPS has files that jlink/dependencies.lock does not list: ${extra//$'\n'/ }"
}

# Writes the lock anew from what Maven resolves now; to be read before it is committed.
lock() {
  DEPS=$(mktemp -d)
  fetch
  (cd "$DEPS" && LC_ALL=C sha256sum run/*.jar test/*.jar) >jlink/dependencies.lock
  rm -rf "$DEPS"
  say "jlink/dependencies.lock has $(wc -l <jlink/dependencies.lock) jars"
}

# --- compile -----------------------------------------------------------------------------------------------------------

JAVAC_FLAGS=(--release 25 -encoding UTF-8 -proc:none -Xlint:all -g)

# One build at a time writes to build/; the lock goes with the process.
alone() {
  mkdir -p build
  exec 9>build/.lock
  ! command -v flock >/dev/null || flock 9
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
  stale "$to.stamp" "$from" build.sh jlink/dependencies.lock "$@" || return 0
  mkdir -p "$to.new"
  touch "$to.stamp.new"
  find "$from" -name '*.java' | LC_ALL=C sort | sed 's/.*/"&"/' >"$to.sources"
  "$JAVA_HOME/bin/javac" "${JAVAC_FLAGS[@]}" -Werror -cp "$path" -d "$to.new" "@$to.sources" ||
    { rm -rf "$to.new"; die "$from does not compile"; }
  (cd "$from" && find . -type f ! -name '*.java' -exec cp --parents {} "$OLDPWD/$to.new" \;)
  rm -rf "$to"
  mv "$to.new" "$to"
  mv "$to.stamp.new" "$to.stamp"
}

compile() {
  deps
  alone
  compile_tree src build/classes "$(run_jars)"
}

compile_tests() {
  compile
  compile_tree test build/test-classes "build/classes:$(run_jars):$(test_jars)" build/classes.stamp
}

# --- tests -------------------------------------------------------------------------------------------------------------

export CORPORA=${CORPORA:-../shared/corpora}

# Runs JUnit on the class path $1 with the selectors after $2, the folder for its log and report. Prints what failed.
junit() {
  local path=$1 out=$2
  shift 2
  rm -rf "$out"
  mkdir -p "$out"
  "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8 \
    -cp "$path:$(run_jars):$(test_jars)" org.junit.platform.console.ConsoleLauncher execute --disable-banner \
    --disable-ansi-colors --include-engine junit-jupiter --details none --reports-dir "$out" \
    --config junit.jupiter.execution.timeout.default=120s "$@" >"$out/log" 2>&1 || { sed '/^Test run finished/,$d' "$out/log" >&2; return 1; }
}

# Prints the attribute $2 of the JUnit report in the folder $1: tests, failures, errors or skipped.
reported() { sed -n "s/^<testsuite .* $2=\"\([0-9]*\)\".*/\1/p" "$1/TEST-junit-jupiter.xml"; }

# Prints `N passed, N failed` (and `, N skipped`) of the JUnit report in the folder $1.
outcome() {
  local bad skipped
  [[ -f $1/TEST-junit-jupiter.xml ]] || { echo "0 passed, 1 failed"; return; }
  bad=$(($(reported "$1" failures) + $(reported "$1" errors)))
  skipped=$(reported "$1" skipped)
  echo "$(($(reported "$1" tests) - bad - skipped)) passed, $bad failed$( ((skipped == 0)) || echo ", $skipped skipped")"
}

# For work on single packages while others are broken: compiles only the named ones with what they use, in a folder of
# its own, and runs their tests. Warnings are shown but do not fail here, they may be a neighbour's.
unit() {
  local package sources=() selectors=() failed=0
  (($# > 0)) || die "unit: which packages? for example: build.sh unit template config"
  deps
  aside=$(mktemp -d)
  trap 'rm -rf "$aside"' EXIT
  for package in "$@"; do
    [[ -d src/portcullis/$package || -d test/portcullis/$package ]] || die "unit: there is no package $package"
    sources+=({src,test}/portcullis/"$package"/*.java)
    selectors+=(--select-package "portcullis.$package")
  done
  "$JAVA_HOME/bin/javac" "${JAVAC_FLAGS[@]}" -cp "$(run_jars):$(test_jars)" -sourcepath src:test -d "$aside/classes" "${sources[@]}"
  junit "$aside/classes:src:test" "$aside/report" "${selectors[@]}" || failed=$?
  echo "$*: $(outcome "$aside/report")"
  return "$failed"
}

find_jdk
"$@"
