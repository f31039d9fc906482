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
  for home in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/* /usr/java/* /opt/* /opt/*/* ~/.sdkman/candidates/java/* ~/.jdks/*; do
    if [[ -n $home ]] && (($(jdk_release "$home") >= 25)); then
      export JAVA_HOME=$home
      return
    fi
  done
  die "no JDK 25 or newer in JAVA_HOME, PATH, /usr/lib/jvm, /usr/java, /opt, ~/.sdkman or ~/.jdks: install one, or set JAVA_HOME to it"
}

# --- dependencies ------------------------------------------------------------------------------------------------------

locked() { cut -d ' ' -f 3 jlink/dependencies.lock; }

# Lets Maven copy the closure of pom profile $1 to folder $2. Of its output only the errors are shown, when it fails:
# Debian's Maven warns at length on a new JDK.
resolve() {
  local log
  log=$(mktemp)
  mvn -B -q -Dstyle.color=never -f jlink/pom.xml -P "$1" dependency:copy-dependencies \
    -DoutputDirectory="$2" >"$log" 2>&1 || { grep ERROR "$log" >&2 || cat "$log" >&2; rm -f "$log"; die "mvn could not fetch the dependencies"; }
  rm -f "$log"
}

# Fetches aside and moves each jar in place, so that builds running side by side see whole files only.
fetch() {
  local part jar
  command -v mvn >/dev/null ||
    die "jars are missing from $DEPS and there is no mvn to fetch them: install Maven, or put what jlink/dependencies.lock lists there"
  mkdir -p "$DEPS/run" "$DEPS/test"
  fetched=$(mktemp -d "$DEPS/.fetch.XXXXXX")
  trap 'rm -rf "$fetched"' EXIT
  say "fetching the dependencies with Maven (the first time about 20 s)"
  for part in run test; do
    resolve "$part" "$(cd "$fetched" && pwd)/$part"
    for jar in "$fetched/$part"/*.jar; do
      touch "$jar"
      mv -f "$jar" "$DEPS/$part/"
    done
  done
  rm -rf "$fetched"
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
  stale "$to.stamp" "$from" build.sh jlink/dependencies.lock "$@" || return 0
  rm -rf "$to.new"
  mkdir -p "$to.new"
  touch "$to.stamp.new"
  find "$from" -name '*.java' | LC_ALL=C sort | sed 's/.*/"&"/' >"$to.sources"
  "$JAVA_HOME/bin/javac" "${JAVAC_FLAGS[@]}" -Werror -cp "$path" -d "$to.new" "@$to.sources" ||
    die "$from does not compile"
  (cd "$from" && find . -type f ! -name '*.java' -exec cp --parents {} "$OLDPWD/$to.new" \;)
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
    --config junit.jupiter.execution.timeout.default=120s "$@" >"$out/log" 2>&1 ||
    { failures "$out/log" >&2; return 1; }
}

# Prints of JUnit's log $1 what it says of the failures, or all where it did not come to that.
failures() {
  if grep -q '^Failures (' "$1"; then
    sed -n '/^Failures (/,/^Test run finished/{/^Test run finished/!p}' "$1"
  else
    cat "$1"
  fi
}

# Prints the attribute $2 of the JUnit report in the folder $1: tests, failures, errors or skipped.
reported() { sed -n "s/^<testsuite .* $2=\"\([0-9]*\)\".*/\1/p" "$1/TEST-junit-jupiter.xml"; }

# Prints `N passed, N failed, N skipped` of the JUnit report in the folder $1; a run that left none has failed.
outcome() {
  local bad skipped
  [[ -f $1/TEST-junit-jupiter.xml ]] || { echo "0 passed, 1 failed, 0 skipped"; return; }
  bad=$(($(reported "$1" failures) + $(reported "$1" errors)))
  skipped=$(reported "$1" skipped)
  echo "$(($(reported "$1" tests) - bad - skipped)) passed, $bad failed, $skipped skipped"
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

# Runs the unit tests, the floors test among them.
unit_tests() {
  compile_tests
  junit build/classes:build/test-classes build/report/unit \
    --scan-classpath build/test-classes --exclude-package portcullis.acceptance || true
  echo "unit tests: $(outcome build/report/unit)"
}

# Runs the tests that drive the built image.
acceptance_tests() {
  [[ -d test/portcullis/acceptance ]] || { echo "acceptance tests: there are none"; return; }
  junit build/classes:build/test-classes build/report/acceptance \
    --scan-classpath build/test-classes --include-package portcullis.acceptance || true
  echo "acceptance tests: $(outcome build/report/acceptance)"
}

# Runs the conformance cases of the folder beside this one, where it is.
conformance() {
  local runner=../shared/conformance/run.py
  [[ -f $runner ]] || { echo "conformance: skipped, there is no ../shared"; return; }
  command -v python3 >/dev/null || { echo "conformance: skipped, there is no python3"; return; }
  mkdir -p build/report/conformance
  python3 -u "$runner" --target build/image/bin/portcullis --pending test/pending.txt |
    tee build/report/conformance/log | sed -u 's/^\([0-9]* passed, \)/conformance: \1/' || true
}

# Says why tests were skipped and which issue owns the pending cases.
explain_skipped() {
  local reports=(build/report/*/TEST-junit-jupiter.xml)
  ((${#reports[@]} == 0)) || awk '
    /^<testcase / { split($0, part, "\""); name = part[4] " " part[2] }
    /^<skipped/ {
      sub(/^<skipped[^>]*>(<!\[CDATA\[)?/, ""); sub(/\]\]>.*/, ""); sub(/^[a-z.A-Z0-9]*TestAbortedException: /, "")
      print "skipped: " name ": " $0
    }' "${reports[@]}"
  [[ ! -d build/report/conformance ]] || awk '
    /^[^#]/ { owner = match($0, /# issue [0-9]+/) ? substr($0, RSTART + 2, RLENGTH - 2) : "no issue"; cases[owner]++ }
    END { for (owner in cases) print "pending: " cases[owner] " conformance cases of " owner }' test/pending.txt | sort
}

# Adds up what the reports say to the one closing line. Fails when a test did, or when there was none.
total() {
  local part line passed=0 failed=0 skipped=0
  for part in build/report/*; do
    if [[ $part = */conformance ]]; then line=$(tail -n 1 "$part/log"); else line=$(outcome "$part"); fi
    if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed(,\ ([0-9]+)\ skipped)?$ ]]; then
      passed=$((passed + BASH_REMATCH[1]))
      failed=$((failed + BASH_REMATCH[2]))
      skipped=$((skipped + ${BASH_REMATCH[4]:-0}))
    else
      failed=$((failed + 1))
    fi
  done
  explain_skipped
  echo "$passed passed, $failed failed$( ((skipped == 0)) || echo ", $skipped skipped")"
  ((failed == 0 && passed > 0))
}

check() {
  rm -rf build/report
  unit_tests
  total
}

all_tests() {
  rm -rf build/report
  unit_tests
  image
  acceptance_tests
  conformance
  total
}

# --- image -------------------------------------------------------------------------------------------------------------

VERSION=0.1.0

# Links the JDK's part of the image, which changes only with the JDK or the list of modules.
runtime() {
  stale build/runtime.stamp jlink/modules "$JAVA_HOME/release" || return 0
  rm -rf build/runtime
  "$JAVA_HOME/bin/jlink" --add-modules "$(grep -v '^#' jlink/modules | paste -s -d ,)" --compress zip-0 \
    --no-header-files --no-man-pages --output build/runtime
  rm -f build/runtime/bin/{jfr,jwebserver,keytool}
  touch build/runtime.stamp
}

# Packs the classes to the jar $1, the same bytes for the same classes: fixed times, fixed order.
app_jar() {
  local jars=("$DEPS"/run/*.jar)
  jars=("${jars[@]##*/}")
  {
    echo "Main-Class: portcullis.app.Main"
    echo "Implementation-Title: Portcullis"
    echo "Implementation-Version: $VERSION"
    echo "Class-Path: ${jars[0]}"
    printf '  %s\n' "${jars[@]:1}"
  } >build/manifest
  (cd build/classes && find . -type f | LC_ALL=C sort | sed 's/.*/"&"/') >build/classes.list
  (cd build/classes && "$JAVA_HOME/bin/jar" --create --file "$OLDPWD/$1" --manifest ../manifest \
    --date 2025-01-01T00:00:00Z @../classes.list)
}

# Makes the AOT cache of the image $1, last of all since it knows the files by their time. What is built is moved in place
# as a whole, which the cache stands, so that a service that runs from the old one is not disturbed.
train() {
  local app=$1/lib/app hash
  hash=$(cd "$app" && cat -- *.jar | sha256sum | cut -c 1-16)
  jlink/train.sh "$1" "$app/portcullis-$hash.aot" >build/train.log 2>&1 || { cat build/train.log >&2; die "no AOT cache"; }
  grep '^train.sh: ' build/train.log >&2 || true
  {
    echo "cache=portcullis-$hash.aot"
    echo "stamp='$(LC_ALL=C && cd "$app" && stat -L -c '%n %s %Y' ../modules *.jar)'"
  } >"$app/cache"
}

image() {
  compile
  alone fresh_image
}

fresh_image() {
  ! stale build/image.stamp build/classes.stamp "$DEPS" jlink build.sh || link
  share build/image
}

link() {
  runtime
  rm -rf build/image.new
  cp -a build/runtime build/image.new
  mkdir build/image.new/lib/app
  touch build/image.stamp.new
  cp -p "$DEPS"/run/*.jar build/image.new/lib/app/
  app_jar build/image.new/lib/app/portcullis.jar
  install -m 755 jlink/portcullis build/image.new/bin/portcullis
  share build/image.new
  train build/image.new
  rm -rf build/image
  mv build/image.new build/image
  mv build/image.stamp.new build/image.stamp
}

# Lays the set-ups that come with the program into the image $1. They change without a new image: nothing in it is made
# from them.
share() {
  local folder
  rm -rf "$1/share"
  mkdir "$1/share"
  for folder in config rules; do
    [[ ! -d $folder ]] || cp -R "$folder" "$1/share/"
  done
}

run() {
  image
  exec build/image/bin/portcullis demo "$@"
}

# --- targets -----------------------------------------------------------------------------------------------------------

help() {
  cat <<'EOF'
build.sh TARGET, or make TARGET:
  run      build the image and start the demonstration
  check    compile, unit tests and floors test
  test     check, then the image, its acceptance tests, and the conformance cases where ../shared is
  image    build/image, with bin/portcullis, which needs no other Java
  compile  src to build/classes
  deps     the jars of jlink/dependencies.lock, fetched by Maven once; PORTCULLIS_DEPS names a folder that has them
  clean    remove build/
build.sh only:
  unit PACKAGE...  compile and test single packages, whatever state the others are in
  lock             write jlink/dependencies.lock anew after a change to jlink/pom.xml
EOF
}

case ${1:-help} in
  help) help ;;
  clean) rm -rf build ;;
  test) find_jdk && all_tests ;;
  deps | lock | compile | unit | check | image | run) find_jdk && "$@" ;;
  *) die "there is no target $1; build.sh help lists them" ;;
esac
