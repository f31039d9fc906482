#!/usr/bin/env bash
# Unpacks the systemd of Debian 13 with what it needs to the folder $1, as a root of its own for a test: 40 MB from
# Debian's mirror. Installs nothing, and needs apt-get and dpkg-deb.
set -euo pipefail
folder=$(mkdir -p "$1" && cd -- "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists,cache}
touch "$work/status"
# From where this machine has its own packages.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" >"$work/sources"
cat >"$work/conf" <<END
Dir::State::lists "$work/lists";
Dir::State::status "$work/status";
Dir::Cache "$work/cache";
Dir::Etc::sourcelist "$work/sources";
Dir::Etc::sourceparts "-";
APT::Sandbox::User "root";
APT::Install-Recommends "false";
Acquire::Languages "none";
END
export APT_CONFIG=$work/conf
apt-get -q update
apt-get -q --yes --download-only install systemd libc-bin python3-minimal bash coreutils diffutils grep sed util-linux
for package in "$work"/cache/archives/*.deb; do
  dpkg-deb -x "$package" "$folder"
done
mkdir -p "$folder"/{dev,etc,mnt,old,proc,run,sys,tmp,var}
printf 'root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534::/:/bin/false\n' >"$folder/etc/passwd"
printf 'root:x:0:\nnogroup:x:65534:\n' >"$folder/etc/group"
ln -sf bash "$folder/usr/bin/sh"
touch "$folder/etc/machine-id" "$folder/complete"
