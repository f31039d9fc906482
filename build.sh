#!/usr/bin/env bash
# Builds Portcullis: a JDK 25, pinned jars, javac, JUnit, jlink. `build.sh help` lists the targets.
set -euo pipefail
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

find_jdk
"$@"
