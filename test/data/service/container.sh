# Builds the image of the release in $2 as install.md says, on a base that has glibc and no shell, and runs it with a
# read-only root and 256 MB. Ends with 77 where containers cannot be run. In the empty folder $1 stays what podman has.
#
# container.sh FOLDER RELEASE PORT MANAGEMENT_PORT
set -eu
folder=$1 release=$2 port=$3
mkdir -p "$folder"/{base/bin,base/tmp,context,etc/rules}
# Of two podman processes that end at once neither may take this mount away, and the folder could not be deleted.
trap 'umount "$folder/storage/overlay" 2>/dev/null || true' EXIT
engine() { podman --root "$folder/storage" --runroot "$folder/run" --cgroup-manager cgroupfs --runtime "$runtime" "$@"; }

for file in "$(type -P true)" "$(type -P sh)"; do
  ldd "$file" | grep -o '/[^ ]*\.so[^ ]*' | while read -r library; do cp -L --parents "$library" "$folder/base"; done
done
libc=$(ldd "$(type -P sh)" | grep -o '/[^ ]*/libc\.so\.6')
for library in libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libresolv.so.2; do
  [ ! -e "${libc%/*}/$library" ] || cp -L --parents "${libc%/*}/$library" "$folder/base"
done
cp -L "$(type -P true)" "$folder/base/bin/true"

# What the machine lets a container have: it may forbid to raise limits.
limits=(--ulimit "nofile=$(ulimit -Sn):$(ulimit -Sn)" --ulimit nproc=1000:1000 --network host)
for runtime in crun runc none; do
  [ "$runtime" != none ] || { cat "$folder/why"; exit 77; }
  type -P "$runtime" >/dev/null || continue
  tar -C "$folder/base" -c . | engine import - localhost/base >/dev/null 2>"$folder/why" || continue
  engine run --rm "${limits[@]}" localhost/base /bin/true 2>"$folder/why" && break
done

cp "$release"/Containerfile "$release"/portcullis-*.tar.gz "$folder/context"
(cd "$folder/context" && engine build --build-arg BASE=localhost/base -f Containerfile -t portcullis . >"$folder/built" 2>&1) ||
  { cat "$folder/built"; exit 1; }
cat >"$folder/etc/portcullis.yaml" <<END
serve: { host: 127.0.0.1, port: $port }
management: { host: 127.0.0.1, port: $4 }
mechanisms: { authenticators: [ { id: anyone, type: anonymous } ] }
providers: { file_system: { src: /etc/portcullis/rules } }
END
cat >"$folder/etc/rules/open.yaml" <<'END'
version: "1alpha4"
rules:
  - { id: open, match: { routes: [ { path: /open } ] }, execute: [ { authenticator: anyone } ] }
END
chmod -R a+rX "$folder/etc"
engine run --rm --name portcullis-test "${limits[@]}" --read-only --memory 256m -v "$folder/etc:/etc/portcullis:ro" \
  localhost/portcullis serve decision --insecure -c /etc/portcullis/portcullis.yaml >"$folder/log" 2>&1 &
for _ in $(seq 600); do
  ! grep -q 'Portcullis started' "$folder/log" || break
  kill -0 $! 2>/dev/null || break
  sleep 0.1
done
curl -s -o /dev/null -w 'open %{http_code}\n' "http://127.0.0.1:$port/open" || true
engine stop --time 20 portcullis-test >/dev/null 2>&1 || true
wait $! || echo "status $?"
cat "$folder/log"
