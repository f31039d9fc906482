# Starts a systemd in namespaces and a control group of its own, which runs the script `steps` of the folder $1; $2 is
# the one file of the release, $3 the unit. It sees the machine's files read-only, or with $4 that folder as its root,
# and knows no other units, so that none of those that tidy a host at its start runs.
set -eu
export folder=$1 program=$2 unit=$3 root=$4 groups=/sys/fs/cgroup
# systemd 256 and newer have the second version of control groups only
if [ -n "$root" ]; then first=unified; else first=systemd; fi
[ ! -d $groups/$first ] || groups=$groups/$first
group=$groups/portcullis-test-$$
mkdir "$group"
(
  sh -c "echo \$PPID >$group/cgroup.procs"
  exec unshare -mpfinuC --kill-child --mount-proc bash -c '
    set -eu
    ip link set lo up
    mkdir "$folder/bin" "$folder/etc" "$folder/units"
    install -m 755 "$program" "$folder/bin/portcullis"
    cp "$unit" "$folder/units/"
    mount --bind "$folder" "$root/mnt"
    if [ -n "$root" ]; then
      mount --rbind "$root" "$root"
      for place in proc sys dev; do mount --rbind /$place "$root/$place"; done
      cd "$root"
      pivot_root . old
      umount -l /old
    fi
    cd /
    mkdir -p /etc/portcullis /usr/local/bin
    mount --bind /mnt/bin /usr/local/bin
    mount --bind /mnt/etc /etc/portcullis
    cp /mnt/*.yaml /mnt/*.pem /etc/portcullis/
    chmod 644 /etc/portcullis/*
    for target in sysinit basic shutdown multi-user network-online; do
      printf "[Unit]\nDefaultDependencies=no\n" >/mnt/units/$target.target
    done
    printf "[Unit]\nDefaultDependencies=no\n[Service]\nType=oneshot\nExecStart=/bin/bash /mnt/steps\n%s\n" \
      StandardOutput=append:/mnt/output StandardError=append:/mnt/output >/mnt/units/steps.service
    mount -o remount,bind,ro /
    for place in /run /tmp /var; do mount -t tmpfs none $place; done
    mkdir -p /run/lock /var/cache /var/lib /var/tmp
    if [ -z "$root" ] && grep -q "name=systemd" /proc/self/cgroup; then
      mount -t tmpfs none /sys/fs/cgroup
      mkdir /sys/fs/cgroup/systemd
      mount -t cgroup -o none,name=systemd none /sys/fs/cgroup/systemd
    else
      mount -t cgroup2 none /sys/fs/cgroup
    fi
    exec env -i container=portcullis PATH="$PATH" SYSTEMD_UNIT_PATH=/mnt/units \
      "$(type -P systemd || echo /usr/lib/systemd/systemd)" --system --unit=steps.service'
) >"$folder/systemd.log" 2>&1 </dev/null &
for _ in $(seq 900); do [ ! -f "$folder/done" ] && kill -0 $! 2>/dev/null || break; sleep 0.1; done
kill -9 $! 2>/dev/null || true
wait 2>/dev/null || true
for _ in $(seq 50); do find "$group" -depth -type d -exec rmdir {} + 2>/dev/null && break; sleep 0.1; done
cat "$folder/systemd.log" "$folder/output" 2>/dev/null || true
[ -f "$folder/passed" ]
