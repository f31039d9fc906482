#!/bin/sh
# The one file where it was built without a C compiler: this script, then a tar.gz. It unpacks once to a folder of the
# user's own and starts the program there. jlink/release.sh fills in the names between @.
set -eu
name=@NAME@ pack=@PACK@ tree=@TREE@ lines=@LINES@

fail() { printf '%s\n' "portcullis: $*" >&2; exit 78; }

# Whether everything in the folder $1 is as it was packed.
whole() {
  [ -d "$1" ] && [ "$(cd -- "$1" && find . ! -type d -exec stat -c '%n %a %s %Y' {} + |
    LC_ALL=C sort | sha256sum | cut -c 1-64)" = "$tree" ]
}

# Whether the folder in which $1 would be made belongs to us or to root, and not to somebody else, as a home does under
# sudo.
ours() {
  above=$(dirname -- "$1")
  while [ ! -d "$above" ]; do above=$(dirname -- "$above"); done
  case $(stat -L -c %u -- "$above") in 0 | "$(id -u)") ;; *) return 1 ;; esac
}

# Whether the folder $1 is ours alone, and programs may run from it; it is made where it is missing.
fits() {
  [ -d "$1" ] || { ours "$1" && (umask 077 && mkdir -p -- "$1") 2>/dev/null; } || return 1
  { [ ! -L "$1" ] || [ -n "${PORTCULLIS_HOME-}" ]; } && [ "$(stat -L -c '%u %a' -- "$1")" = "$(id -u) 700" ] || return 1
  [ -w "$1" ] || { whole "$1/$name"; return; }
  probe=$1/.probe-$$
  printf '#!/bin/sh\n' >"$probe" && chmod 700 "$probe" && "$probe" 2>/dev/null && good=0 || good=1
  rm -f -- "$probe"
  return "$good"
}

place() {
  if [ -n "${PORTCULLIS_HOME-}" ]; then
    fits "$PORTCULLIS_HOME" && home=$PORTCULLIS_HOME && return
    fail "PORTCULLIS_HOME, $PORTCULLIS_HOME, has to be a folder of this user, of mode 700, where programs may run"
  fi
  for home in ${XDG_CACHE_HOME:+"$XDG_CACHE_HOME/portcullis"} ${HOME:+"$HOME/.cache/portcullis"} \
    ${TMPDIR:+"$TMPDIR/portcullis-$(id -u)"} "/var/tmp/portcullis-$(id -u)" "/tmp/portcullis-$(id -u)" \
    "/dev/shm/portcullis-$(id -u)"; do
    ! fits "$home" || return 0
  done
  fail "there is no folder to unpack to: set PORTCULLIS_HOME to one of this user, of mode 700, where programs may run"
}

# What is half done never bears the name; of two starts at once the later one finds it taken.
provide() {
  tail -n "+$lines" "$self" | sha256sum | grep -q "^$pack " ||
    fail "this file is damaged: its check sum is not what it has to be; fetch it again and compare it with SHA256SUMS"
  fresh=$home/.new-$$
  trap 'rm -rf -- "$fresh"' EXIT
  mkdir -- "$fresh"
  tail -n "+$lines" "$self" | tar -C "$fresh" -xzpof - || fail "it cannot unpack to $home, which takes 130 MB"
  whole "$fresh/${name%-*}" || fail "what it unpacked to $home is not what is packed: the disk may be faulty"
  [ ! -e "$home/$name" ] || whole "$home/$name" || rm -rf -- "$home/$name"
  mv -T -- "$fresh/${name%-*}" "$home/$name" 2>/dev/null || whole "$home/$name" || fail "it cannot unpack to $home"
  rm -rf -- "$fresh"
  trap - EXIT
}

self=$0
case $self in */*) ;; *) self=$(command -v -- "$self") ;; esac
place
whole "$home/$name" || provide
exec "$home/$name/bin/portcullis" "$@"
# the pack follows
