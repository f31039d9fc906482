#!/bin/sh
# Stops the service before the package is removed (dpkg: remove, rpm: 0); an upgrade restarts it afterwards.
set -e
case $1 in
  remove | 0)
    if [ -d /run/systemd/system ]; then
      systemctl disable --now portcullis.service
    fi
    ;;
esac
