#!/bin/sh
# Creates the user of the service, and restarts the service if it is running.
set -e
if command -v systemd-sysusers >/dev/null; then
  systemd-sysusers portcullis.conf
fi
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl try-restart portcullis.service
fi
