# Part of build.sh: what is given to others, made from build/image. Needs the functions and variables of build.sh.
# shellcheck shell=bash

RELEASE=portcullis-$VERSION-linux-$(uname -m)
STUB_FLAGS=(-std=gnu17 -D_GNU_SOURCE -O2 -D_FORTIFY_SOURCE=2 -fstack-protector-strong -Wall -Wextra -Werror -static -s)

release() {
  [[ $(uname -s) = Linux ]] || die "release: it is made on Linux, for the processor of this machine"
  image
  alone fresh_release
  say "build/release has $RELEASE, $(($(stat -c %s "build/release/$RELEASE") / 1000000)) MB, and what belongs to it"
}

fresh_release() {
  if ! stale build/release.stamp build/image.stamp config rules LICENSE jlink build.sh; then
    grep -q -F "$(revision)" build/release/*.intoto.json || provenance build/release
    [[ build/release/SHA256SUMS.sig -nt build/release/SHA256SUMS && -z ${PORTCULLIS_SIGNING_KEY:-} ]] ||
      sign build/release
    return 0
  fi
  rm -rf build/release build/release.new
  mkdir build/release.new
  touch build/release.stamp.new
  release_tree build/release.new/tree
  (
    cd build/release.new
    mv tree "$RELEASE"
    tar --sort=name --format=gnu --owner=0 --group=0 --numeric-owner -cf tar "$RELEASE"
  )
  gzip -n -9 <build/release.new/tar >"build/release.new/$RELEASE.tar.gz"
  one_file build/release.new
  beside build/release.new
  rm -rf "build/release.new/$RELEASE.tree" build/release.new/{tar,list}
  mv build/release.new build/release
  mv build/release.stamp.new build/release.stamp
}

# Whether the one file can be a program.
can_link() { [[ -z $(link_obstacle) ]]; }

# Prints what is missing for a program: a header without its static library, libzstd.a, is of no use.
link_obstacle() {
  local tool
  for tool in gcc zstd; do
    command -v "$tool" >/dev/null || { echo "$tool"; return; }
  done
  if ! echo 'int main(void) { return 0; }' | gcc -xc - -include zstd.h -fsyntax-only 2>/dev/null; then
    echo "zstd.h (libzstd-dev)"
  elif ! echo 'int main(void) { return 0; }' | gcc -xc - -include zstd.h -static -o /dev/null -lzstd 2>/dev/null; then
    echo "libzstd.a (libzstd-dev) or libc.a (libc6-dev)"
  fi
}

# Lays into the folder $1 what is in both the tar.gz and the one file: the image, the licences of all parts, what the
# host wants. The times are fixed, so that two builds of the same commit are the same.
release_tree() {
  cp -a build/image "$1"
  mkdir -p "$1"/share/{man/man1,systemd} "$1/legal/libraries"
  sed "s/@VERSION@/$VERSION/" jlink/portcullis.1 >"$1/share/man/man1/portcullis.1"
  cp jlink/portcullis.service "$1/share/systemd/"
  containerfile "$1" >"$1/share/Containerfile"
  cp LICENSE "$1/legal/"
  cp LICENSE "$1/legal/libraries/Apache-2.0"
  cp jlink/licences/* "$1/legal/libraries/"
  "$JAVA_HOME/bin/java" jlink/Parts.java licences "$1"
  chmod -R u=rwX,go=rX "$1"
  find "$1" ! -path "$1/lib/modules" ! -path "$1/lib/app/*.jar" -exec touch -h -d @946684800 {} +
}

# Makes the one file of the tree and the tar in the folder $1: the stub that unpacks it, then the list of its files and
# the tar; or a script and the tar.gz, where there is no compiler.
one_file() {
  local file=$1/$RELEASE.one
  if can_link; then
    gcc "${STUB_FLAGS[@]}" -o "$file" jlink/stub/*.c -lzstd
    find "$1/$RELEASE" ! -type d -printf '%y %m %s %Ts %P\n' | LC_ALL=C sort -k 5 >"$1/list"
    zstd -q -10 --stdout "$1/tar" >"$1/pack"
    local sum
    sum=$(cat "$1"/{list,pack} | sha256sum | cut -c 1-64)
    {
      cat "$1"/{list,pack}
      printf '%-255s\n' "$(echo "portcullis-one-file 1 $RELEASE-${sum:0:16} $(glibc "$1/$RELEASE")" \
        "$(stat -c %s "$1/list") $(stat -c %s "$1/pack") $sum")"
    } >>"$file"
    rm "$1/pack"
  else
    say "no $(link_obstacle): the one file is a script with a tar.gz, which is larger and starts slower"
    script "$1" >"$file"
    cat "$1/$RELEASE.tar.gz" >>"$file"
  fi
  chmod 755 "$file"
  mv "$1/$RELEASE" "$1/$RELEASE.tree"
  mv "$file" "$1/$RELEASE"
}

# Prints the script for the tree and the tar.gz in the folder $1.
script() {
  local pack tree
  pack=$(sha256sum <"$1/$RELEASE.tar.gz" | cut -c 1-64)
  tree=$(cd "$1/$RELEASE" && find . ! -type d -exec stat -c '%n %a %s %Y' {} + |
    LC_ALL=C sort | sha256sum | cut -c 1-64)
  sed -e "s/@NAME@/$RELEASE-${pack:0:16}/; s/@PACK@/$pack/; s/@TREE@/$tree/" \
    -e "s/@LINES@/$(($(wc -l <jlink/stub/stub.sh) + 1))/" jlink/stub/stub.sh
}

# Prints the minor version of glibc 2 that the programs and libraries of the tree $1 need, the greatest that one names.
glibc() {
  local most
  most=$(find "$1/bin" "$1/lib" -type f \( -perm -u+x -o -name '*.so' \) -exec grep -aoh 'GLIBC_2\.[0-9]*' {} + |
    sort -t . -k 2 -n | tail -n 1)
  echo "${most#GLIBC_2.}"
}

# Writes what lies beside the two archives in the folder $1.
beside() {
  local linked=()
  if can_link; then
    linked=(zstd "$(zstd_version)" BSD-3-Clause glibc "$(getconf GNU_LIBC_VERSION | cut -d ' ' -f 2)" LGPL-2.1-or-later)
  fi
  "$JAVA_HOME/bin/java" jlink/Parts.java sbom "$1/$RELEASE.tree" "$VERSION" "${linked[@]}" \
    >"$1/portcullis-$VERSION.cdx.json"
  cp -r "$1/$RELEASE.tree/legal" "$1/licences"
  cp "$1/$RELEASE.tree"/share/{man/man1/portcullis.1,systemd/portcullis.service} "$1/"
  cp "$1/$RELEASE.tree/share/Containerfile" "$1/"
  sed "s/@NAME@/$RELEASE/" jlink/README.txt >"$1/README.txt"
  packages "$1"
  (cd "$1" && sha256sum "$RELEASE" "$RELEASE.tar.gz" *.deb *.rpm "portcullis-$VERSION.cdx.json" \
    portcullis.1 portcullis.service Containerfile README.txt >SHA256SUMS)
  provenance "$1"
  sign "$1"
}

# Prints the commit that is built, with `-modified` where files differ from it, or `unknown` outside a repository.
revision() {
  local commit
  [[ -z ${PORTCULLIS_REVISION:-} ]] || { echo "$PORTCULLIS_REVISION"; return; }
  commit=$(git rev-parse --verify -q HEAD 2>/dev/null) || { echo unknown; return; }
  git diff --quiet HEAD -- && echo "$commit" || echo "$commit-modified"
}

# Prints what makes the program of the one file, beside the sources: with other versions only it differs, and what
# contains it.
linked_with() {
  can_link || { echo "no compiler"; return; }
  echo "gcc $(gcc -dumpfullversion), glibc $(getconf GNU_LIBC_VERSION | cut -d ' ' -f 2), zstd $(zstd_version)"
}

# Writes what the release in the folder $1 was made from, of which SHA256SUMS has the digest.
provenance() {
  local file=portcullis-$VERSION.intoto.json
  sed -i "/ $file$/d" "$1/SHA256SUMS"
  "$JAVA_HOME/bin/java" jlink/Provenance.java "$1" "$(revision)" "${PORTCULLIS_BUILDER:-local}" "$JAVA_HOME" "$NATIVE" \
    "$(linked_with)" >"$1/$file"
  (cd "$1" && sha256sum "$file" >>SHA256SUMS)
}

# Signs SHA256SUMS in the folder $1 with the SSH key that PORTCULLIS_SIGNING_KEY names, if it does: a private key, or a
# public one whose private key is in the agent.
sign() {
  rm -f "$1/SHA256SUMS.sig"
  [[ -n ${PORTCULLIS_SIGNING_KEY:-} ]] || { say "no PORTCULLIS_SIGNING_KEY: SHA256SUMS is not signed"; return; }
  [[ -f $PORTCULLIS_SIGNING_KEY ]] || die "release: PORTCULLIS_SIGNING_KEY names no file: $PORTCULLIS_SIGNING_KEY"
  command -v ssh-keygen >/dev/null || die "release: signing needs ssh-keygen (OpenSSH 8.0 or newer)"
  ssh-keygen -q -Y sign -n portcullis -f "$PORTCULLIS_SIGNING_KEY" "$1/SHA256SUMS" </dev/null 2>"$1/said" ||
    die "release: SHA256SUMS could not be signed: $(<"$1/said")"
  rm "$1/said"
}

# Prints the Containerfile for the tree $1.
containerfile() {
  sed "s/@RELEASE@/$RELEASE/g; s/@CACHE@/$(cd "$1/lib/app" && echo *.aot)/" jlink/Containerfile
}

zstd_version() {
  sed -n 's/^#define ZSTD_VERSION_\(MAJOR\|MINOR\|RELEASE\) *\([0-9]*\).*/\2/p' /usr/include/zstd.h | paste -s -d .
}

# Builds the release a second time from a copy of the sources in another folder and compares all files of the two, but
# for signatures; where a difference is in the archive, that of the trees is shown too.
release_test() {
  local other same=1
  release
  aside=$(mktemp -d)
  trap 'rm -rf "$aside"' EXIT
  mkdir "$aside/a folder"
  cp -r build.sh jlink src test config rules LICENSE ./*.md "$aside/a folder/"
  (cd "$DEPS" && pwd) >"$aside/deps"
  (PORTCULLIS_REVISION=$(revision) && export PORTCULLIS_REVISION && cd "$aside/a folder" && umask 077 &&
    TZ=Asia/Tokyo LC_ALL=C.UTF-8 SSL_CERT_FILE=/none PORTCULLIS_DEPS=$(<../deps) ./build.sh release)
  for other in . "$aside/a folder"; do
    mkdir "$aside/tree-${#other}"
    tar -C "$aside/tree-${#other}" -xpzf "$other/build/release/$RELEASE.tar.gz"
    (cd "$aside/tree-${#other}" && find . -mindepth 1 -printf '%y %m %Ts %l %p\n' |
      LC_ALL=C sort -k 5 >"$aside/list-${#other}"
      find . -type f -exec sha256sum {} + | LC_ALL=C sort -k 2 >>"$aside/list-${#other}")
    (cd "$other/build/release" && find . -type f ! -name '*.sig' -exec sha256sum {} + | LC_ALL=C sort -k 2) \
      >>"$aside/list-${#other}"
  done
  diff "$aside/list-1" "$aside/list-${#other}" >&2 || same=0
  echo "release test: $(wc -l <"$aside/list-1") lines of two builds compared"
  ((same == 1)) || die "two builds differ (above)"
}
