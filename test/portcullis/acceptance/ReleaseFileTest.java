package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Needs;

/** The one file: what it does on hosts that have nothing, and what it says on those that do not suit it. */
final class ReleaseFileTest {
  private static final String VERSION = "portcullis version ";

  @TempDir
  private Path folder;
  private Path home;
  private String program;

  @BeforeEach
  void prepare() throws IOException {
    home = folder.resolve("home");
    program = Release.program().toString();
  }

  private Release.Outcome start(String file) throws IOException {
    return Release.run(Map.of("PORTCULLIS_HOME", home.toString()), file, "--version");
  }

  private List<Path> unpacked() throws IOException {
    try (Stream<Path> files = Files.list(home)) {
      return files.filter(f -> !f.endsWith(".lock")).toList();
    }
  }

  @Test
  void isSmallAndMatchesItsSums() throws IOException {
    for (Path file : List.of(Release.program(), Release.file("-linux-[a-z0-9_]+\\.tar\\.gz"))) {
      assertTrue(Files.size(file) <= 45_000_000, file.getFileName() + " has " + Files.size(file) + " bytes");
    }
    Release.run(Map.of(), "sh", "-c", "cd '" + Release.FOLDER + "' && sha256sum --check --strict SHA256SUMS")
        .assertStatus(0);
  }

  @Test
  void unpacksOnceForItsUserAlone() throws IOException {
    start(program).assertStatus(0).assertSays(VERSION);
    Path tree = unpacked().getFirst();
    Object first = Files.getAttribute(tree, "unix:ino");
    assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(home)));
    start(program).assertStatus(0).assertSays(VERSION);
    assertEquals(List.of(tree), unpacked());
    assertEquals(first, Files.getAttribute(tree, "unix:ino"));
  }

  @Test
  void itsAotCacheIsUsed() throws IOException {
    Map<String, String> loud = Map.of("PORTCULLIS_HOME", home.toString(), "PORTCULLIS_JAVA_OPTIONS",
        "-Xlog:aot=info:stderr");
    Release.run(loud, program, "--version").assertStatus(0).assertSays("Using AOT-linked classes: true");
  }

  @Test
  void unpacksAgainIfFilesAreMissingOrChanged() throws IOException {
    start(program).assertStatus(0);
    Path jar = unpacked().getFirst().resolve("lib/app/portcullis.jar");
    long size = Files.size(jar);
    Files.delete(jar);
    start(program).assertStatus(0).assertSays(VERSION);
    assertEquals(size, Files.size(jar));
    Files.writeString(unpacked().getFirst().resolve("conf/net.properties"), "changed");
    start(program).assertStatus(0).assertSays(VERSION);
    assertFalse(Files.readString(unpacked().getFirst().resolve("conf/net.properties")).equals("changed"));
    assertEquals(1, unpacked().size());
  }

  @Test
  void startsAtOnceDoNotRace() throws Exception {
    List<Process> starts = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      starts.add(Release.process(Map.of("PORTCULLIS_HOME", home.toString()), program, "--version").start());
    }
    for (Process start : starts) {
      String output = new String(start.getInputStream().readAllBytes());
      assertEquals(0, start.waitFor(), output);
      assertTrue(output.contains(VERSION), output);
    }
    assertEquals(1, unpacked().size());
  }

  @Test
  void reportsDamagedFile() throws IOException {
    Path cut = Files.copy(Release.program(), folder.resolve("cut"));
    try (FileChannel channel = FileChannel.open(cut, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - 1000);
    }
    start(cut.toString()).assertStatus(78).assertSays("this file is damaged");

    Path flipped = Files.copy(Release.program(), folder.resolve("flipped"));
    try (FileChannel channel = FileChannel.open(flipped, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), channel.size() / 2);
    }
    start(flipped.toString()).assertStatus(78).assertSays("this file is damaged");
    assertEquals(List.of(), unpacked());
  }

  @Test
  void reportsWrongFolder() throws IOException {
    Files.createDirectory(home, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    start(program).assertStatus(78).assertSays("PORTCULLIS_HOME");
    Files.delete(home);
    Files.writeString(home, "a file");
    start(program).assertStatus(78).assertSays(home.toString());
  }

  @Test
  void othersFolderIsRefused() throws IOException {
    Needs.possible(Release.run(Map.of(), "id", "-u").output().strip().equals("0"),
        "only root can make folders of others");
    Files.createDirectory(home, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.setAttribute(home, "unix:uid", 65534);
    start(program).assertStatus(78).assertSays(home.toString());
    Files.setAttribute(home, "unix:uid", 0);
    Release.assumeLinked();
    Path theirs = Files.createDirectory(folder.resolve("theirs"));
    Path ours = Files.createDirectory(theirs.resolve("ours"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.setAttribute(theirs, "unix:uid", 65534);
    Release.run(Map.of("PORTCULLIS_HOME", ours.toString()), program, "--version").assertStatus(78)
        .assertSays("belongs to user 65534");
  }

  @Test
  void makesNoFolderInTheHomeOfAnotherUser() throws IOException {
    Needs.possible(Release.run(Map.of(), "id", "-u").output().strip().equals("0"),
        "only root can make folders of others");
    Release.assumeLinked();
    Path theirs = Files.createDirectory(folder.resolve("theirs"));
    Files.setAttribute(theirs, "unix:uid", 65534);
    Files.createDirectory(home, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    for (String each : List.of(program, script().toString())) {
      Map<String, String> sudo = Map.of("HOME", theirs.toString(), "TMPDIR", home.toString());
      Release.run(sudo, each, "--version").assertStatus(0).assertSays(VERSION);
      assertTrue(Files.isDirectory(home.resolve("portcullis-0")), each);
      try (Stream<Path> left = Files.list(theirs)) {
        assertEquals(List.of(), left.toList(), each);
      }
      Release.run(Map.of("PORTCULLIS_HOME", theirs + "/a/b"), each, "--version").assertStatus(78);
      assertFalse(Files.exists(theirs.resolve("a")), each);
    }
  }

  @Test
  void foldersWithoutExecutionArePassedOver() throws IOException {
    Release.assumeNamespace("-rm");
    Files.createDirectories(folder.resolve("user"));
    Files.createDirectories(home);
    String script = """
        mount -t tmpfs -o noexec,mode=700 none "$1/user" && mount -t tmpfs -o mode=700 none "$1/home" || exit 99
        HOME=$1/user TMPDIR=$1/home "$2" --version && ls -A "$1/home"
        PORTCULLIS_HOME=$1/user "$2" --version
        echo "status $?"
        """;
    Release.run(Map.of(), "unshare", "-rm", "sh", "-c", script, "sh", folder.toString(), program)
        .assertStatus(0).assertSays(VERSION).assertSays("portcullis-0").assertSays("PORTCULLIS_HOME")
        .assertSays("status 78");
  }

  @Test
  void writesNowhereElse() throws IOException {
    Release.assumeNamespace("-rm");
    Files.createDirectory(home);
    String script = """
        mount -t tmpfs -o mode=700 none "$1/home" && mount -o remount,ro,bind / || exit 99
        ! touch "$1/other" 2>/dev/null || exit 98
        PORTCULLIS_HOME=$1/home "$2" validate config --insecure -c config/portcullis.yaml
        """;
    Release.run(Map.of(), "unshare", "-rm", "sh", "-c", script, "sh", folder.toString(), program).assertStatus(0);
  }

  @Test
  void reportsOldGlibc() throws IOException {
    Release.assumeLinked();
    Path modern = Files.copy(Release.program(), folder.resolve("modern"));
    try (FileChannel channel = FileChannel.open(modern, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer line = ByteBuffer.allocate(256);
      channel.read(line, channel.size() - 256);
      String text = new String(line.array()).replaceFirst("(portcullis-one-file 1 \\S+) \\d\\d", "$1 99");
      channel.write(ByteBuffer.wrap(text.getBytes()), channel.size() - 256);
    }
    start(modern.toString()).assertStatus(78).assertSays("and 2.99 or newer is needed");
  }

  @Test
  void servesTheDemonstrationOnAHostThatHasNothing() throws IOException {
    Release.assumeTool("ip");
    Release.assumeTool("curl");
    Release.assumeNamespace("-rn");
    String script = """
        ip link set lo up || exit 99
        cd "$1"
        env -i PORTCULLIS_HOME="$1/home" TMPDIR="$1" "$2" demo --port 0 >"$1/said" 2>&1 &
        for _ in $(seq 300); do
          at=$(grep -o -m 1 'http://127\\.0\\.0\\.1:[0-9]*/' "$1/said") && break
          sleep 0.1
        done
        curl -s -o /dev/null -w 'home %{http_code}\\n' "$at"
        curl -s -o /dev/null -w 'me %{http_code}\\n' "${at}me"
        to=$(curl -s -c "$1/jar" -o /dev/null -w '%{redirect_url}' "${at}.portcullis/login")
        back=$(curl -s -o /dev/null -w '%{redirect_url}' -d user=ann -d "${to#*\\?}" "${to%%\\?*}")
        cookie=$(curl -s -b "$1/jar" -D - -o /dev/null "$back" |
          sed -n 's/^Set-Cookie: \\(__Host-portcullis=[^;]*\\).*/\\1/ip')
        curl -s -o /dev/null -w 'ann %{http_code}\\n' -H "Cookie: $cookie" "${at}me"
        sed -i 's#path: /me#path: /mine#' portcullis-demo/rules/demo.yaml
        for _ in $(seq 300); do
          [ "$(curl -s -o /dev/null -w '%{http_code}' -H "Cookie: $cookie" "${at}mine")" != 200 ] || break
          sleep 0.1
        done
        curl -s -o /dev/null -w 'mine %{http_code}\\n' -H "Cookie: $cookie" "${at}mine"
        kill $!
        wait $!
        echo "end $?"
        grep -q 'path: /mine' portcullis-demo/rules/demo.yaml && echo kept
        cat "$1/said"
        """;
    Release.run(Map.of(), "unshare", "-rn", "bash", "-c", script, "bash", folder.toString(), program)
        .assertSays("home 200").assertSays("me 401").assertSays("ann 200").assertSays("mine 200").assertSays("end 0")
        .assertSays("kept\n");
  }

  @Test
  void releaseNamesWhatAProgramLacks() throws IOException {
    Release.assumeLinked();
    String script = """
        VERSION=1; . jlink/release.sh
        link_obstacle
        (gcc() { [[ "$*" != *-lzstd* ]] && command gcc "$@"; }; link_obstacle)
        (gcc() { [[ "$*" != *zstd.h* ]] && command gcc "$@"; }; link_obstacle)
        (command() { [[ $2 != zstd ]] && builtin command "$@"; }; link_obstacle)
        (command() { [[ $2 != zstd ]] && builtin command "$@"; }; can_link || echo none)
        """;
    assertEquals("libzstd.a (libzstd-dev) or libc.a (libc6-dev)\nzstd.h (libzstd-dev)\nzstd\nnone\n",
        Release.run(Map.of(), "bash", "-c", script).output());
  }

  /** Makes the script that is built in place of the one file where there is no compiler. */
  private Path script() throws IOException {
    Release.tree(folder);
    Path script = folder.resolve("script");
    String name = Release.program().getFileName().toString();
    Files.copy(Release.FOLDER.resolve(name + ".tar.gz"), folder.resolve(name + ".tar.gz"));
    String make = "VERSION=$3; . jlink/release.sh; script \"$1\" >\"$2\" && cat \"$1/$RELEASE.tar.gz\" >>\"$2\" && "
        + "chmod 755 \"$2\"";
    Release.run(Map.of(), "bash", "-c", make, "bash", folder.toString(), script.toString(), name.split("-")[1])
        .assertStatus(0);
    return script;
  }

  @Test
  void scriptDoesTheSameWhereThereIsNoCompiler() throws IOException {
    Path script = script();
    start(script.toString()).assertStatus(0).assertSays(VERSION);
    start(script.toString()).assertStatus(0).assertSays(VERSION);
    assertEquals(1, unpacked().size());
    Files.delete(unpacked().getFirst().resolve("lib/modules"));
    start(script.toString()).assertStatus(0).assertSays(VERSION);
    try (FileChannel channel = FileChannel.open(script, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), channel.size() / 2);
    }
    Files.delete(unpacked().getFirst().resolve("lib/modules"));
    start(script.toString()).assertStatus(78).assertSays("this file is damaged");
  }
}
