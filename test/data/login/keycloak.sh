#!/usr/bin/env bash
# Fetches Keycloak (176 MB, by Maven) and prepares it in the folder $1 for starts with a database in memory. Takes the newest
# Java that it finds, 21 or later.
set -euo pipefail
VERSION=26.7.3
mkdir -p "$1"
folder=$(cd -- "$1" && pwd)
mvn -q -B dependency:copy "-Dartifact=org.keycloak:keycloak-quarkus-dist:$VERSION:tar.gz" "-DoutputDirectory=$folder"
tar -C "$folder" --strip-components=1 -xzf "$folder/keycloak-quarkus-dist-$VERSION.tar.gz"
rm "$folder/keycloak-quarkus-dist-$VERSION.tar.gz"
newest=0
for home in "${JAVA_HOME:-}" /usr/lib/jvm/*; do
  [[ -x $home/bin/java && -f $home/release ]] || continue
  version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")
  if ((version > newest)); then
    newest=$version
    export JAVA_HOME=$home
  fi
done
"$folder/bin/kc.sh" build --db=dev-mem
touch "$folder/complete"
