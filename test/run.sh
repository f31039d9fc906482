# Part of build.sh: JUnit, the conformance cases, and what they come to. Needs the functions and variables of build.sh.
# shellcheck shell=bash

# Runs JUnit on the class path $1 with the selectors after $2, the folder for its log and report. Prints what failed. A
# run that has not ended after half an hour is killed; the stacks of its threads are printed.
junit() {
  local path=$1 out=$2
  shift 2
  rm -rf "$out"
  mkdir -p "$out"
  limited 1800 QUIT "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dstdout.encoding=UTF-8 \
    -Dstderr.encoding=UTF-8 --enable-native-access=ALL-UNNAMED -Dmutations="${MUTATIONS:-20000}" \
    -Dexpected.write="${EXPECTED_WRITE:-false}" -cp "$path:$(run_jars):$(test_jars)" \
    org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors \
    --include-engine junit-jupiter --details none --reports-dir "$out" \
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

# Prints the folder below src/portcullis and test/portcullis of the package $1, its last name or group and name:
# http/wire.
package_folder() {
  local found
  found=$(find src/portcullis test/portcullis -type d -path "*/$1" -printf '%P\n' | sort -u)
  [[ -n $found ]] || die "unit: there is no package $1"
  [[ $found != *$'\n'* ]] || die "unit: several packages are named $1"
  echo "$found"
}

# For work on single packages while others are broken: compiles only the named ones with what they use, in a folder of
# its own, and runs their tests. Warnings are shown but do not fail here, they may be a neighbour's.
unit() {
  local package folder sources=() selectors=() failed=0
  (($# > 0)) || die "unit: which packages? for example: build.sh unit template config"
  deps
  aside=$(mktemp -d)
  trap 'rm -rf "$aside"' EXIT
  for package in "$@"; do
    folder=$(package_folder "$package")
    sources+=({src,test}/portcullis/"$folder"/*.java)
    selectors+=(--select-package "portcullis.${folder//\//.}")
  done
  # it looks at classes of all packages, by their names
  [[ " $* " != *" floors "* ]] || mapfile -t -O "${#sources[@]}" sources < <(find src -name '*.java')
  "$JAVA_HOME/bin/javac" "${JAVAC_FLAGS[@]}" -cp "$(run_jars):$(test_jars)" -sourcepath src:test \
    -d "$aside/classes" "${sources[@]}"
  junit "$aside/classes:src:test" "$aside/report" "${selectors[@]}" || failed=$?
  echo "$*: $(outcome "$aside/report")"
  return "$failed"
}

# Packages whose tests wait more than they work: connections, clocks, files.
WAITING=(cli cache fleet http/client endpoint keys provider redis runtime)
# Those of the listeners wait longest, above all for exchanges that give up their thread.
SERVING=(server service)
PAUSING='.*[.](Paused|Waiting|Awaited)[^.]*'

# Runs the JUnit run $1 of the unit tests with the selectors after it.
unit_run() {
  local name=$1
  shift
  junit build/classes:build/test-classes "build/report/$name" --scan-classpath build/test-classes "$@" || true
}

# Runs the unit tests, the floors test among them, in four JVMs side by side.
unit_tests() {
  local package name waiting=() serving=() others=(--exclude-package portcullis.acceptance)
  compile_tests
  say "running the unit tests"
  for package in "${WAITING[@]}"; do
    name=portcullis.$(package_folder "$package" | tr / .)
    waiting+=(--include-package "$name")
    others+=(--exclude-package "$name")
  done
  for package in "${SERVING[@]}"; do
    name=portcullis.$(package_folder "$package" | tr / .)
    serving+=(--include-package "$name")
    others+=(--exclude-package "$name")
  done
  unit_run waiting "${waiting[@]}" &
  unit_run serving "${serving[@]}" --exclude-classname "$PAUSING" &
  unit_run pausing "${serving[@]}" --include-classname "$PAUSING" &
  unit_run others "${others[@]}"
  wait
  for package in waiting serving pausing others; do
    echo "unit tests, $package: $(outcome "build/report/$package")"
  done
}

# Runs the golden rows alone; what fails is in build/golden.txt.
golden() {
  compile_tests
  "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Duser.timezone=UTC -Dstdout.encoding=UTF-8 \
    -cp "build/classes:build/test-classes:$(run_jars):$(test_jars)" portcullis.golden.GoldenRun build/golden.txt
}

# Writes the reference pages, which the program generates from its declarations.
pages() {
  compile_tests
  "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dstdout.encoding=UTF-8 \
    -cp "build/classes:build/test-classes:$(run_jars):$(test_jars)" portcullis.cli.ReferencePages
}

# Tries random configurations, rules and paths for $1 seconds, 60 unless told otherwise, from the seed $2.
fuzz() {
  compile_tests
  "$JAVA_HOME/bin/java" -XX:+UseSerialGC -Dstdout.encoding=UTF-8 \
    -cp "build/classes:build/test-classes:$(run_jars):$(test_jars)" portcullis.fuzz.Fuzz "$@"
}

# Changes $1 random lines one at a time, 200 unless told otherwise, from the seed $2, and prints which changes no test
# notices.
mutate() {
  compile_tests
  "$JAVA_HOME/bin/java" -XX:+UseSerialGC -Dstdout.encoding=UTF-8 -Dmutation.jars="$(run_jars):$(test_jars)" \
    -cp "build/classes:build/test-classes:$(run_jars):$(test_jars)" portcullis.mutation.Mutate "$@"
}

# Runs the acceptance tests whose classes begin with a letter of the range $2, for the report $1.
acceptance_part() {
  junit build/classes:build/test-classes "build/report/acceptance-$1" --scan-classpath build/test-classes \
    --include-package portcullis.acceptance --include-classname ".*[.][$2][^.]*" || true
}

# Runs the tests that drive the built image, and the conformance cases on it. They wait more than they work, so three
# run at a time, which take about as long.
tests_of_image() {
  local part
  say "running the acceptance tests and the conformance cases"
  { acceptance_part first A-E; conformance_of build/image/bin/portcullis; } &
  acceptance_part second F-P &
  acceptance_part third Q-Z
  wait
  for part in first second third; do
    echo "acceptance tests, $part: $(outcome "build/report/acceptance-$part")"
  done
}

# Runs the conformance cases on the program $1.
conformance_of() {
  local runner=test/conformance/run.py
  command -v python3 >/dev/null || { echo "conformance: skipped, there is no python3"; return; }
  mkdir -p build/report/conformance
  python3 -u "$runner" --target "$1" |
    tee build/report/conformance/log | sed -u 's/^\([0-9]* passed, \)/conformance: \1/' || true
}

# Runs them on the one file of a release.
conformance() {
  rm -rf build/report
  release
  conformance_of "build/release/$RELEASE"
  [[ ! -d build/report/conformance ]] || grep -q '^[0-9]* passed, 0 failed' build/report/conformance/log
}

# Says why tests were skipped.
explain_skipped() {
  local reports=(build/report/*/TEST-junit-jupiter.xml)
  ((${#reports[@]} == 0)) || awk '
    /^<testcase / { split($0, part, "\""); name = part[4] " " part[2] }
    /^<skipped/ {
      sub(/^<skipped[^>]*>(<!\[CDATA\[)?/, ""); sub(/\]\]>.*/, "")
      sub(/^[a-z.A-Z0-9]*TestAbortedException: (Assumption failed: )?/, "")
      print "skipped: " name ": " $0
    }' "${reports[@]}"
}

# Prints why tests were skipped, in brackets: how many for want of the corpora, of which programs, of what this machine
# allows.
skip_reasons() {
  explain_skipped | awk '
    / no corpora: / { corpora++; next }
    / not installed: / {
      sub(/.* not installed: /, ""); sub(/ ==> .*/, "")
      if (!seen[$0]++) list = list ", " $0
      programs++; next
    }
    { other++ }
    END {
      if (corpora) out = ", " corpora " without the corpora"
      if (programs) out = out ", " programs " not installed: " substr(list, 3)
      if (other) out = out ", " other " not possible here"
      print "(" substr(out, 3) ")"
    }'
}

# Adds up what the reports say to the one closing line. Fails when a test did, or when there was none. With CI=true a
# test that is skipped for want of a program fails: .ci/run installs them all.
total() {
  local part line passed=0 failed=0 skipped=0 lacking=0
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
  if [[ ${CI:-} == true ]]; then
    lacking=$(explain_skipped | grep -c ' not installed: ' || true)
    ((lacking == 0)) || echo "with CI=true what can be installed must not be skipped: $lacking tests"
  fi
  failed=$((failed + lacking))
  skipped=$((skipped - lacking))
  echo "$passed passed, $failed failed$( ((skipped == 0)) || echo ", $skipped skipped $(skip_reasons)")"
  ((failed == 0 && passed > 0))
}

check() {
  format_check || die "check: run ./build.sh format, and break the long lines"
  rm -rf build/report
  unit_tests
  total
}

# More random changes of templates and expressions than a check has time for.
all_tests() {
  format_check || die "test: run ./build.sh format, and break the long lines"
  export MUTATIONS=100000
  rm -rf build/report
  unit_tests
  image
  [[ $(uname -s) != Linux ]] || release
  tests_of_image
  total
}
