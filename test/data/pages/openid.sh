#!/usr/bin/env bash
# Runs the OpenID provider of a page at https://login.example.com, whose certificate it writes to ca.pem in the folder $1:
# oidc-provider where .ci/run has installed it, else a stand-in. It serves once there is openid-ready in that folder.
set -eu
here=$(cd -- "$(dirname -- "$0")" && pwd)
modules=$here/../../../build/openid
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$1/key.pem" -out "$1/ca.pem" -days 2 -subj /CN=login.example.com \
  -addext subjectAltName=DNS:login.example.com
if [ -d "$modules/node_modules/oidc-provider" ] && command -v node >/dev/null; then
  exec node "$here/openid.mjs" "$1" "$modules"
fi
exec python3 "$here/openid.py" "$1"
