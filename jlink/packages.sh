# Part of build.sh: packages for Debian and Fedora and their kin, made from the tree of the release.
# shellcheck shell=bash

# The time of the packages, fixed so that two builds of a commit do not differ.
PACKAGE_TIME=1735689600
# Got by: go install github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.41.3
NFPM=$(command -v nfpm || command -v ~/go/bin/nfpm || true)

# Makes the packages for which there is a tool of the tree in the folder $1.
packages() {
  package_root "$1/$RELEASE.tree" "$1/package"
  deb "$1" "$1/package"
  rpm "$1" "$1/package"
  rm -rf "$1/package"
}

# Lays what packages install from the tree $1 into the folder $2: the tree, a link in /usr/bin, the unit, which is not
# enabled, its user, the man page, and the sample configuration.
package_root() {
  local tree=$1 root=$2 lib=/usr/lib/portcullis
  mkdir -p "$root"/{usr/bin,usr/lib/sysusers.d,usr/lib/systemd/system,usr/share/man/man1,usr/share/doc/portcullis} \
    "$root/etc/portcullis/rules"
  cp -a "$tree" "$root$lib"
  ln -s ../lib/portcullis/bin/portcullis "$root/usr/bin/portcullis"
  gzip -9n <"$tree/share/man/man1/portcullis.1" >"$root/usr/share/man/man1/portcullis.1.gz"
  ln -s ../../../lib/portcullis/legal/LICENSE "$root/usr/share/doc/portcullis/copyright"
  cp jlink/package/sysusers.conf "$root/usr/lib/sysusers.d/portcullis.conf"
  sed '1,3c\# Portcullis as a service of systemd 250 or newer. It reads /etc/portcullis and may write nowhere but to\
# /var/lib/portcullis for state files and /var/log/portcullis for decision logs.
    s#/usr/local/bin/#/usr/bin/#; s#PORTCULLIS_HOME=[^ ]* ##; /^CacheDirectory/d; /noexec otherwise/d; /^ExecPaths/d' \
    jlink/portcullis.service >"$root/usr/lib/systemd/system/portcullis.service"
  sed "s#src: rules/shop.yaml#src: /etc/portcullis/rules#; s#=schemas/#=$lib/share/config/schemas/#" \
    config/portcullis.yaml >"$root/etc/portcullis/portcullis.yaml"
  sed "s#=../config/schemas/#=$lib/share/config/schemas/#" rules/shop.yaml >"$root/etc/portcullis/rules/shop.yaml"
  chmod -R u=rwX,go=rX "$root"
  find "$root" ! -path "$root$lib/*" -exec touch -h -d "@$PACKAGE_TIME" {} +
}

# Makes the .deb of the root $2 in the folder $1.
deb() {
  local root=$2 arch
  command -v dpkg-deb >/dev/null || { say "no dpkg-deb: no .deb is made"; return; }
  arch=$(dpkg --print-architecture)
  mkdir "$root/DEBIAN"
  printf '/etc/portcullis/%s\n' portcullis.yaml rules/shop.yaml >"$root/DEBIAN/conffiles"
  install -m 755 jlink/package/post-install.sh "$root/DEBIAN/postinst"
  install -m 755 jlink/package/pre-remove.sh "$root/DEBIAN/prerm"
  install -m 755 jlink/package/post-remove.sh "$root/DEBIAN/postrm"
  printf '%s\n' 'Package: portcullis' "Version: $VERSION" "Architecture: $arch" \
    'Maintainer: The Portcullis authors <portcullis@localhost>' 'Section: web' 'Priority: optional' \
    "Depends: libc6 (>= 2.$(glibc "$1/$RELEASE.tree"))" \
    "Installed-Size: $(installed_size "$root/usr")" \
    'Description: access decisions and reverse proxy' \
    ' Decides for each request, by rules, whether it may pass, as a proxy or for one.' >"$root/DEBIAN/control"
  SOURCE_DATE_EPOCH=$PACKAGE_TIME dpkg-deb --root-owner-group -Zgzip --build "$root" \
    "$1/portcullis_${VERSION}_$arch.deb" >/dev/null
  rm -r "$root/DEBIAN"
}

# Prints the size of the files below $1 in KiB (deb-substvars(5)); `du` would add that of the folders, which depends on
# the file system.
installed_size() {
  find "$1" -type f -printf '%s\n' | awk '{ size += int(($1 + 1023) / 1024) } END { print size }'
}

# Prints the entries of all files of the root $1 below /usr, each with its time, which the AOT cache knows it by.
rpm_files() {
  find "$1/usr/lib/portcullis" -type d -printf '  - {dst: "/usr/lib/portcullis/%P", type: dir}\n'
  find "$1/usr" -type l -printf '  - {src: "%l", dst: "/usr/%P", type: symlink}\n'
  TZ=UTC find "$1/usr" -type f \
    -printf '  - {src: "%p", dst: "/usr/%P", file_info: {mtime: %TY-%Tm-%TdT%TH:%TM:%TSZ}}\n' |
    sed 's/\.[0-9]*Z}}$/Z}}/'
}

# Makes the .rpm of the root $2 in the folder $1.
rpm() {
  local said
  [[ -n $NFPM ]] || { say "no nfpm: no .rpm is made"; return; }
  # else the name of the machine would be in the package
  "$NFPM" jsonschema 2>/dev/null | grep '"buildhost"' >/dev/null ||
    { say "$NFPM is older than 2.43: no .rpm is made"; return; }
  cat >"$1/nfpm.yaml" <<EOF
name: portcullis
arch: $(uname -m)
version: $VERSION
release: "1"
mtime: $(date -u -d "@$PACKAGE_TIME" +%Y-%m-%dT%H:%M:%SZ)
maintainer: The Portcullis authors <portcullis@localhost>
description: |-
  access decisions and reverse proxy
  Decides for each request, by rules, whether it may pass, as a proxy or for one.
license: Apache-2.0
depends: ["libc.so.6(GLIBC_2.$(glibc "$1/$RELEASE.tree"))(64bit)"]
contents:
$(rpm_files "$2")
  - {src: "$2/etc/portcullis/portcullis.yaml", dst: /etc/portcullis/portcullis.yaml, type: config|noreplace}
  - {src: "$2/etc/portcullis/rules/shop.yaml", dst: /etc/portcullis/rules/shop.yaml, type: config|noreplace}
scripts:
  postinstall: jlink/package/post-install.sh
  preremove: jlink/package/pre-remove.sh
  postremove: jlink/package/post-remove.sh
rpm: {compression: gzip, buildhost: localhost}
EOF
  said=$(SOURCE_DATE_EPOCH=$PACKAGE_TIME "$NFPM" package -f "$1/nfpm.yaml" -p rpm \
    -t "$1/portcullis-$VERSION-1.$(uname -m).rpm" 2>&1) || die "no .rpm could be made: $said"
  rm "$1/nfpm.yaml"
}
