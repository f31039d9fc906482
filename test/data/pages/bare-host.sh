# Runs the commands of a page on a bare host: a root of its own with glibc, bash, coreutils, sed, grep, tar and gzip, the
# programs that the page names, and nothing else: no JDK, no variables but PATH. Its network is its own. Runs in
# namespaces of users, mounts and networks: unshare -rmn bash bare-host.sh ROOT RELEASE PROJECT SCRIPT INSTALLED PROGRAM...
#
# ROOT is an empty folder, RELEASE and PROJECT those of the build, SCRIPT the commands; INSTALLED is `yes` where
# portcullis is in PATH already; the PROGRAMs are installed too.
set -eu
root=$1 release=$2 project=$3 script=$4 installed=$5
shift 5
mount -t tmpfs none "$root"
ip link set lo up

# --- files ---------------------------------------------------------------------------------------------------------------

mkdir -p "$root"/{bin,dev,etc/ssl/certs,etc/systemd/system,opt,proc,tmp,usr/local/bin,usr/lib,var/cache,var/tmp,work/build}
chmod 1777 "$root/tmp" "$root/var/tmp"
for device in null zero full random urandom; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
mount --rbind /proc "$root/proc"
printf 'root:x:0:0:root:/root:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\n' >"$root/etc/group"
printf 'hosts: files\n' >"$root/etc/nsswitch.conf"
printf '127.0.0.1 localhost login.example.com\n' >"$root/etc/hosts"

# Copies a program and the libraries that it is linked to.
add() {
  local file library
  file=$(type -P "$1")
  cp -L "$file" "$root/bin/$1"
  { ldd "$file" 2>/dev/null || true; } | grep -o '/[^ ]*\.so[^ ]*' | while read -r library; do
    [ -e "$root$library" ] || cp -L --parents "$library" "$root"
  done
}

for program in bash cat chmod cp cut date dirname basename echo env head id install ln ls mkdir mktemp mv printf readlink \
  rm rmdir seq sha256sum sleep sort stat tail test touch tr true uname wc grep sed tar gzip "$@"; do
  add "$program"
done
ln -s bash "$root/bin/sh"

# What else belongs to glibc, beside the libc that bash is linked to.
libc=$(ldd "$(type -P bash)" | grep -o '/[^ ]*/libc\.so\.6')
for library in libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libresolv.so.2; do
  [ ! -e "${libc%/*}/$library" ] || cp -L --parents "${libc%/*}/$library" "$root"
done

# Python is more than its program.
if [ -e "$root/bin/python3" ]; then
  modules=$(python3 -c 'import os; print(os.path.dirname(os.__file__))')
  mkdir -p "$root$modules"
  mount --bind "$modules" "$root$modules"
fi

# Service manager and container engine only look whether what they are given is there.
printf '#!/bin/sh\n[ "$1" = daemon-reload ] || [ -f "/etc/systemd/system/$3.service" ]\n' >"$root/bin/systemctl"
printf '#!/bin/sh\n[ "$1" = build ] && [ -f "$3" ]\n' >"$root/bin/podman"
chmod 755 "$root/bin/systemctl" "$root/bin/podman"

mkdir -p "$root/release"
mount --bind "$release" "$root/release"
cp -r "$release"/. "$project/config" "$project/rules" "$project/Makefile" "$root/work/"
ln -s /release "$root/work/build/release"
if [ "$installed" = yes ]; then
  mkdir "$root/opt/portcullis"
  mount --bind "$project/build/image" "$root/opt/portcullis"
  ln -s /opt/portcullis/bin/portcullis "$root/bin/portcullis"
fi

if [ "$installed" = yes ] && grep -q /etc/portcullis/portcullis.yaml "$script"; then # as install.md sets a host up
  mkdir -p "$root/etc/portcullis/rules"
  sed 's#src: rules/shop.yaml#src: /etc/portcullis/rules#' "$project/config/portcullis.yaml" >"$root/etc/portcullis/portcullis.yaml"
  cp "$project/rules/shop.yaml" "$root/etc/portcullis/rules/"
fi

# --- what the page needs around it ---------------------------------------------------------------------------------------

outside=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$outside"' EXIT
if grep -q login.example.com "$script"; then
  "$project/test/data/pages/openid.sh" "$outside" >"$outside/log" 2>&1 &
  for _ in $(seq 600); do [ ! -f "$outside/openid-ready" ] && kill -0 $! 2>/dev/null || break; sleep 0.1; done
  [ -f "$outside/openid-ready" ] || { cat "$outside/log"; exit 1; }
  cp "$outside/ca.pem" "$root/etc/ssl/certs/ca-certificates.crt"
fi
if grep -q release-key.pub "$script"; then
  ssh-keygen -q -t ed25519 -N '' -C '' -f "$outside/release-key"
  ssh-keygen -q -Y sign -n portcullis -f "$outside/release-key" "$root/work/SHA256SUMS"
  cp "$outside/release-key.pub" "$root/work/"
fi

# --- the page ------------------------------------------------------------------------------------------------------------

cat - "$script" >"$root/page" <<'END_OF_PREAMBLE'
set -eu
awaited() {
  for _ in $(seq 300); do ! grep -q '_service=proxy' /tmp/log || return 0; sleep 0.1; done
  cat /tmp/log; exit 1
}
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
cd /work
END_OF_PREAMBLE
chroot "$root" /bin/env -i PATH=/usr/local/bin:/bin /bin/bash /page
