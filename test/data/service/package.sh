# Installs, upgrades and removes the package $2 in the empty folder $1 as dpkg or rpm does on a host that has glibc, a shell
# and coreutils. Runs in namespaces: unshare -rm bash package.sh ROOT PACKAGE
set -eu
root=$1 package=$2
mount -t tmpfs none "$root"
mkdir -p "$root"/{bin,dev,etc,proc,tmp,var/cache,var/lib/dpkg/{info,updates,triggers}}
for program in sh cat env head ls readlink rm sha256sum sort stat tr uname systemd-sysusers; do
  file=$(type -P "$program")
  cp -L "$file" "$root/bin/$program"
  { ldd "$file" || true; } | grep -o '/[^ ]*\.so[^ ]*' | while read -r library; do
    [ -e "$root$library" ] || cp -L --parents "$library" "$root"
  done
done
libc=$(ldd "$(type -P sh)" | grep -o '/[^ ]*/libc\.so\.6')
for library in libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libresolv.so.2; do
  [ ! -e "${libc%/*}/$library" ] || cp -L --parents "${libc%/*}/$library" "$root"
done
for device in null random urandom; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mount --rbind /proc "$root/proc"
printf 'root:x:0:0:root:/root:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\n' >"$root/etc/group"
version=$(getconf GNU_LIBC_VERSION)
printf 'Package: libc6\nStatus: install ok installed\nVersion: %s\nArchitecture: %s\nMaintainer: none\nDescription: glibc\n' \
  "${version#* }" "$(dpkg --print-architecture)" >"$root/var/lib/dpkg/status"

dpkg_here() { PATH=/usr/sbin:/sbin:$PATH dpkg --root="$root" --force-bad-path "$@" </dev/null; }
rpm_here() { rpm --root "$root" --dbpath /var/lib/rpm "$@" </dev/null; }
portcullis() { chroot "$root" /bin/env -i PATH=/usr/bin:/bin portcullis "$@"; }
config=$root/etc/portcullis/portcullis.yaml

case $package in
  *.deb) dpkg_here -i "$package" ;;
  *.rpm)
    rpm_here --initdb
    rpm_here --nodeps -i "$package" # glibc is not in the database of this root
    rpm_here -V --nodeps portcullis
    ;;
esac
portcullis --version
portcullis validate config --insecure -c /etc/portcullis/portcullis.yaml
grep '^portcullis:' "$root/etc/passwd"
test -f "$root/usr/share/man/man1/portcullis.1.gz"
test -f "$root/usr/lib/systemd/system/portcullis.service"
sed -i 's/level: info/level: warn/' "$config"
case $package in
  *.deb) dpkg_here -i "$package" ;;
  *.rpm) rpm_here --nodeps --replacepkgs -U "$package" ;;
esac
grep 'level: warn' "$config"
case $package in
  *.deb)
    dpkg_here -r portcullis
    grep 'level: warn' "$config"
    dpkg_here -P portcullis
    test ! -e "$root/etc/portcullis"
    ;;
  *.rpm)
    rpm_here -e portcullis
    grep 'level: warn' "$config.rpmsave"
    ;;
esac
test ! -e "$root/usr/bin/portcullis"
