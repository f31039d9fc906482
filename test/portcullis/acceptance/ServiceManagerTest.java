package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;
import portcullis.fixture.TestCertificate;

/** The program as a service: what it sends a service manager, its unit in a systemd, and {@code health} beside it. */
class ServiceManagerTest {
  private static final TestCertificate ROOT = CertificateDraft.authority("root");

  /** Prints what comes to a datagram socket. */
  private static final String RECEIVER = """
      import socket, sys
      receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      receiver.bind(sys.argv[1])
      receiver.settimeout(60)
      print('receiving', flush=True)
      while True:
          print(receiver.recv(4096).decode().replace('\\n', ' '), flush=True)
      """;

  /**
   * Starts a systemd in namespaces and a control group of its own, which runs the script `steps` of the folder $1; $2
   * is the one file of the release, $3 the unit. It sees the machine's files read-only and knows no other units, so
   * that none of those that tidy a host at its start runs.
   */
  private static final String HOST = """
      set -eu
      export folder=$1 program=$2 unit=$3 groups=/sys/fs/cgroup
      [ ! -d $groups/systemd ] || groups=/sys/fs/cgroup/systemd
      group=$groups/portcullis-test-$$
      mkdir "$group"
      (
        sh -c "echo \\$PPID >$group/cgroup.procs"
        exec unshare -mpfinuC --kill-child --mount-proc bash -c '
          set -eu
          ip link set lo up
          mount --bind "$folder" /mnt
          mkdir /mnt/bin /mnt/etc /mnt/units
          install -m 755 "$program" /mnt/bin/portcullis
          mount --bind /mnt/bin /usr/local/bin
          mkdir -p /etc/portcullis
          mount --bind /mnt/etc /etc/portcullis
          cp /mnt/*.yaml /mnt/*.pem /etc/portcullis/
          chmod 644 /etc/portcullis/*
          cp "$unit" /mnt/units/
          for target in sysinit basic shutdown multi-user network-online; do
            printf "[Unit]\\nDefaultDependencies=no\\n" >/mnt/units/$target.target
          done
          printf "[Unit]\\nDefaultDependencies=no\\n[Service]\\nType=oneshot\\nExecStart=/bin/bash /mnt/steps\\n%s\\n" \
            StandardOutput=append:/mnt/output StandardError=append:/mnt/output >/mnt/units/steps.service
          mount -o remount,bind,ro /
          for place in /run /tmp /var /sys/fs/cgroup; do mount -t tmpfs none $place; done
          mkdir -p /run/lock /var/cache /var/lib /var/tmp
          if grep -q "name=systemd" /proc/self/cgroup; then
            mkdir /sys/fs/cgroup/systemd
            mount -t cgroup -o none,name=systemd none /sys/fs/cgroup/systemd
          else
            mount -t cgroup2 none /sys/fs/cgroup
          fi
          exec env -i container=portcullis PATH="$PATH" SYSTEMD_UNIT_PATH=/mnt/units \\
            systemd --system --unit=steps.service'
      ) >"$folder/systemd.log" 2>&1 </dev/null &
      for _ in $(seq 900); do [ ! -f "$folder/done" ] && kill -0 $! 2>/dev/null || break; sleep 0.1; done
      kill -9 $! 2>/dev/null || true
      wait 2>/dev/null || true
      for _ in $(seq 50); do find "$group" -depth -type d -exec rmdir {} + 2>/dev/null && break; sleep 0.1; done
      cat "$folder/systemd.log" "$folder/output" 2>/dev/null || true
      [ -f "$folder/passed" ]
      """;

  private static final String STEPS = """
      set -u
      export PORTCULLIS_HOME=/tmp/portcullis unit=/mnt/units/portcullis.service
      trap 'touch /mnt/done' EXIT
      fail() { echo "failed: $*"; systemctl status --no-pager -l portcullis; cat /mnt/journal; exit 1; }
      shown() { systemctl show -p "$1" --value portcullis; }
      await() {
        for _ in $(seq 600); do case $(shown "$1") in $2) return ;; esac; sleep 0.1; done
        fail "$1 is $(shown "$1"), not $2"
      }
      mkdir -p /mnt/units/portcullis.service.d
      cat >/mnt/units/portcullis.service.d/test.conf <<END
      [Service]
      StandardOutput=append:/mnt/journal
      StandardError=append:/mnt/journal
      TimeoutStartSec=90
      WatchdogSec=10
      TimeoutAbortSec=1
      END
      systemctl daemon-reload
      systemctl start portcullis || fail start
      [ "$(shown ActiveState)" = active ] || fail 'not active'
      await StatusText 'https://127.0.0.1:*rules*'
      first=$(shown MainPID)
      sed -i 's/id: one/id: two/' /etc/portcullis/portcullis.yaml
      systemctl reload portcullis || fail reload
      [ "$(shown StatusText)" = 'reloaded /etc/portcullis/portcullis.yaml' ] || fail 'the reload was not waited for'
      echo 'logg: {}' >>/etc/portcullis/portcullis.yaml
      ! systemctl reload portcullis || fail 'an invalid configuration was reloaded'
      grep -q 'did you mean `log`' /mnt/journal || fail 'the reload does not say what is wrong'
      [ "$(shown ActiveState) $(shown MainPID)" = "active $first" ] || fail 'not running any more'
      sed -i '/^logg/d' /etc/portcullis/portcullis.yaml
      kill -s STOP "$first"
      await NRestarts 1
      await ActiveState active
      systemctl stop portcullis || fail stop
      [ "$(shown Result)" = success ] || fail "result $(shown Result)"
      portcullis files /mnt/files || fail files
      cp /mnt/files/config/portcullis.yaml /etc/portcullis/
      install -D -m 644 /mnt/files/rules/shop.yaml /etc/portcullis/rules/shop.yaml
      sed -i 's#src: rules/shop.yaml#src: /etc/portcullis/rules#' /etc/portcullis/portcullis.yaml
      chmod 644 /etc/portcullis/portcullis.yaml
      echo PORTCULLIS_OPTIONS=--insecure >/etc/portcullis/environment
      cmp "$unit" /mnt/files/systemd/portcullis.service || fail 'another unit'
      systemctl start portcullis || fail 'start with the sample configuration'
      systemctl stop portcullis || fail stop
      printf '[Service]\nType=notify\nExecStart=/usr/bin/env python3 /mnt/slow.py\n' >/mnt/units/slow.service
      grep '^ExecReload=/bin/sh' "$unit" >>/mnt/units/slow.service
      systemctl daemon-reload
      systemctl start slow || fail 'start of the slow service'
      systemctl reload slow || fail 'reload of the slow service'
      [ "$(systemctl show -p StatusText --value slow)" = reloaded ] || fail 'the slow reload was not waited for'
      touch /mnt/passed
      """;

  /** A service that takes three seconds for a reload. */
  private static final String SLOW = """
      import os, signal, socket, time
      def notify(state):
          socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(state.encode(), os.environ['NOTIFY_SOCKET'])
      def reload(*_):
          notify('RELOADING=1\\nMONOTONIC_USEC=%d' % (time.monotonic_ns() // 1000))
          time.sleep(3)
          notify('READY=1\\nSTATUS=reloaded')
      signal.signal(signal.SIGHUP, reload)
      notify('READY=1')
      while True:
          signal.pause()
      """;

  @TempDir
  private Path folder;
  private int management;

  private String config(String keyStore) throws IOException {
    management = FreePort.next();
    String tls = keyStore.isEmpty() ? "" : ", tls: {key_store: {path: \"" + keyStore + "\"}}";
    return """
        serve: {host: 127.0.0.1, port: %d%s}
        management: {host: 127.0.0.1, port: %d%s}
        mechanisms: {authenticators: [{id: one, type: unauthorized}]}
        """.formatted(FreePort.next(), tls, management, tls);
  }

  private void keyStore() throws IOException {
    Files.writeString(folder.resolve("tls.pem"),
        CertificateDraft.of("service").hosts("a.example").issuedBy(ROOT).make().keyStore(ROOT));
    Files.writeString(folder.resolve("root.pem"), ROOT.pem());
  }

  @Test
  void notifiesOfStartReloadAndStop() throws Exception {
    Release.assumeTool("python3");
    Path socket = folder.resolve("notify");
    Path file = Files.writeString(folder.resolve("c.yaml"), config(""));
    Process receiver = new ProcessBuilder("python3", "-c", RECEIVER, socket.toString()).start();
    try (var lines = receiver.inputReader()) {
      assertEquals("receiving", lines.readLine());
      Map<String, String> variables = Map.of("NOTIFY_SOCKET", socket.toString(), "WATCHDOG_USEC", "200000");
      try (RunningImage image = RunningImage.startIn(folder, variables, "serve", "decision", "-c", "c.yaml",
          "--insecure")) {
        image.await("Portcullis started .*_service=decision .*_management=http://127.0.0.1:" + management);
        String ready = lines.readLine();
        assertTrue(ready.matches("READY=1 STATUS=http://127\\.0\\.0\\.1:\\d+, 0 rules, .*"), ready);
        assertEquals("WATCHDOG=1", lines.readLine());
        image.signal("HUP");
        assertTrue(next(lines).matches("RELOADING=1 MONOTONIC_USEC=[1-9]\\d+"));
        assertEquals("READY=1 STATUS=reloaded c.yaml", next(lines));
        Files.writeString(file, "logg: {}");
        image.signal("HUP");
        next(lines);
        assertTrue(next(lines).startsWith("READY=1 STATUS=reload of c.yaml failed: c.yaml:1:1: unknown key `logg`"));
        image.await("ERR Configuration reload failed");
        assertEquals(0, image.stop());
        assertEquals("STOPPING=1 STATUS=finishing running requests", next(lines));
      }
    } finally {
      receiver.destroyForcibly();
    }
  }

  private static String next(java.io.BufferedReader lines) throws IOException {
    for (int i = 0; i < 600; i++) {
      String line = lines.readLine();
      if (line == null || !line.equals("WATCHDOG=1")) {
        return String.valueOf(line);
      }
    }
    throw new AssertionError("nothing but WATCHDOG=1; is SIGHUP ignored, as under nohup?");
  }

  @Test
  void unitRunsInSystemd() throws IOException {
    Release.assumeTool("systemd");
    Release.assumeTool("python3");
    Release.assumeTool("ip");
    Release.assumeNamespace("-mpfinuC");
    keyStore();
    Files.writeString(folder.resolve("portcullis.yaml"), config("/etc/portcullis/tls.pem"));
    Files.writeString(folder.resolve("steps"), STEPS);
    Files.writeString(folder.resolve("slow.py"), SLOW);
    Release.run(Map.of(), "bash", "-c", HOST, "bash", folder.toString(), Release.program().toString(),
        Path.of("jlink/portcullis.service").toAbsolutePath().toString()).assertStatus(0);
  }

  @Test
  void healthReadsTheConfiguration() throws IOException {
    keyStore();
    Files.writeString(folder.resolve("c.yaml"), config("tls.pem"));
    try (RunningImage image = RunningImage.startIn(folder, "serve", "decision", "-c", "c.yaml")) {
      image.await("Portcullis started");
      String url = "https://127.0.0.1:" + management;
      assertEquals("0 ok\n", health("-c", "c.yaml"));
      assertTrue(health("-e", url).startsWith("1 portcullis: " + url + ": certificate not trusted: "));
      assertTrue(health("-e", url, "--ca", "root.pem").contains("certificate not trusted: "), "another host's name");
      assertTrue(health("-e", url, "--ca", "none.pem").startsWith("1 portcullis: trust store `none.pem`: "));
    }
    assertTrue(health("-c", "c.yaml").contains(": no answer, connection refused"));
  }

  @Test
  void healthTrustsTheGivenIssuer() throws IOException {
    Files.writeString(folder.resolve("tls.pem"),
        CertificateDraft.of("service").hosts("localhost").issuedBy(ROOT).make().keyStore());
    Files.writeString(folder.resolve("root.pem"), ROOT.pem());
    Files.writeString(folder.resolve("c.yaml"), config("tls.pem"));
    try (RunningImage image = RunningImage.startIn(folder, "serve", "decision", "-c", "c.yaml")) {
      image.await("Portcullis started");
      assertEquals("0 ok\n", health("-e", "https://localhost:" + management, "--ca", "root.pem"));
    }
  }

  private String health(String... options) {
    String[] words = new String[options.length + 1];
    words[0] = "health";
    System.arraycopy(options, 0, words, 1, options.length);
    try (RunningImage image = RunningImage.startIn(folder, words)) {
      return image.exitStatus() + " " + image.output();
    }
  }
}
