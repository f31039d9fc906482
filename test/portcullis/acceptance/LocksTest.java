package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Await;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;

/** How operators and issuers lock users of the built image out. */
class LocksTest {
  private static final String LOCKS = ", locks: {key_file: lock.key, state_file: locks}";
  private static final String EVENTS = ", security_events: {issuers: [{issuer: 'https://idp.example', audience: [shop],"
      + " jwks_endpoint: {url: 'JWKS'}}]}";
  private static final String ISSUED = "{\"iss\":\"https://idp.example\",\"aud\":\"shop\",\"iat\":%d,\"jti\":\"%s\",";

  @TempDir
  private Path folder;

  @BeforeEach
  void key() throws IOException {
    Path key = Files.writeString(folder.resolve("lock.key"), "0123456789abcdef".repeat(4) + "\n");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
  }

  private StreamSite site(String more) throws IOException {
    return new StreamSite(folder, more, LOCKS, "");
  }

  private static String lock(StreamSite site, String option, String value, String... more) {
    String[] words = new String[7 + more.length];
    System.arraycopy(new String[] {"lock", "-c", "config.yaml", option, value, "--reason", "laptop stolen"}, 0, words,
        0, 7);
    System.arraycopy(more, 0, words, 7, more.length);
    String said = site.run(words);
    Matcher id = Pattern.compile("0 locked: ([0-9a-f]{16})  ").matcher(said);
    assertTrue(id.find(), said);
    return id.group(1);
  }

  /** Waits until a request has this status. */
  private static void becomes(int status, StreamSite site, String token) throws Exception {
    Await.until(() -> site.status(token) == status, () -> "it does not become " + status);
  }

  @Test
  void whatIsLockedIsRefusedUntilItIsUnlocked() throws Exception {
    try (StreamSite site = site("")) {
      String alice = site.token("alice", "s1", 300);
      String bob = site.token("bob", "s2", 300);
      String[][] locked = {{"--subject", "alice", "subject"}, {"--session", "s1", "session"},
        {"--token-id", "t-alice", "token"}, {"--client", "192.0.2.0/24", "client"}};
      for (String[] one : locked) {
        assertEquals(200, site.status(alice));
        String id = lock(site, one[0], one[1]);
        assertEquals(401, site.status(alice), one[0]);
        assertEquals(200, site.status(bob, "198.51.100.1"), "others pass");
        site.image().await("Access is locked .*" + one[2] + " `" + one[1] + "`, lock " + id + ": laptop stolen");
        String list = site.run("locks", "-c", "config.yaml");
        assertTrue(list.startsWith("0 " + id + "  " + one[2] + " " + one[1]) && list.contains("reason: laptop stolen"),
            list);
        assertTrue(site.run("unlock", "-c", "config.yaml", id).startsWith("0 unlocked: " + id));
        assertEquals(200, site.status(alice), one[0]);
      }
      assertEquals("0 ", site.run("locks", "-c", "config.yaml"));
      assertTrue(site.run("unlock", "-c", "config.yaml", "0123456789abcdef").contains("there is no such lock"));
    }
  }

  @Test
  void aReasonCannotImitateAnotherLock() throws Exception {
    try (StreamSite site = site("")) {
      String said = site.run("lock", "-c", "config.yaml", "--subject", "alice", "--reason", "x\n0123  subject bob");
      assertTrue(said.contains("reason: \"x\\n0123  subject bob\""), said);
      assertEquals(1, site.run("locks", "-c", "config.yaml").strip().lines().count());
    }
  }

  @Test
  void aLockForATimeEnds() throws Exception {
    try (StreamSite site = site("")) {
      String alice = site.token("alice", "s1", 300);
      long begin = System.nanoTime();
      lock(site, "--subject", "alice", "--for", "5s");
      boolean isLocked = site.status(alice) == 401;
      assertTrue(isLocked || System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(5), "it ends early");
      becomes(200, site, alice);
      assertEquals("0 ", site.run("locks", "-c", "config.yaml"));
    }
  }

  @Test
  void aLockEndsWhatIsOpenAndOutlivesARestart() throws Exception {
    try (StreamSite site = site("")) {
      String alice = site.token("alice", "s1", 300);
      BlockingQueue<StreamSite.Closed> socket = site.open(alice);
      BlockingQueue<StreamSite.Closed> other = site.open(site.token("bob", "s2", 300));
      try (Socket events = site.events(alice)) {
        String id = lock(site, "--subject", "alice", "--issuer", "https://idp.example", "--for", "30d");
        StreamSite.Closed end = socket.poll(20, TimeUnit.SECONDS);
        assertEquals(1008, end.status());
        assertEquals("access is locked", end.reason());
        assertFalse(LiveStreamsTest.all(events).endsWith("0\r\n\r\n"), "the events break off");
        assertEquals(0, other.size(), "what others have open goes on");
        site.restart();
        assertEquals(401, site.status(alice));
        assertTrue(site.run("unlock", "-c", "config.yaml", id).startsWith("0 unlocked"));
        site.restart();
        assertEquals(200, site.status(alice));
      }
    }
  }

  @Test
  void whatIsNotAFileOfLocksIsRefusedByValidationAndStart() throws Exception {
    String config = "serve: {host: 127.0.0.1, port: %d}\nmanagement: {host: 127.0.0.1, port: %d, locks: "
        + "{state_file: %s}}\n";
    Files.createDirectory(folder.resolve("data"));
    Files.writeString(folder.resolve("other.log"), "{\"time\":\"2026-01-01T00:00:00Z\"}\n");
    Files.setPosixFilePermissions(Files.createFile(folder.resolve("open")),
        PosixFilePermissions.fromString("rw-rw-rw-"));
    for (String[] one : new String[][] {{"data", "is a? ?folder"}, {"other.log", "it is not a file of locks"},
      {"lock.key", "it is not a file of locks"}, {"open", "everybody may write it, as `chmod 600` prevents"},
      {"none/locks", "there is no folder `\\S+/none`"}}) {
      Files.writeString(folder.resolve("c.yaml"), config.formatted(FreePort.next(), FreePort.next(), one[0]));
      for (String[] words : new String[][] {{"validate", "config"}, {"serve", "decision"}}) {
        try (RunningImage command = RunningImage.startIn(folder, words[0], words[1], "--insecure", "-c", "c.yaml")) {
          boolean isWarned = one[0].startsWith("none") && words[0].equals("validate"); // another host may have it
          assertEquals(isWarned ? 0 : 1, command.exitStatus(), command.output());
          assertTrue(Pattern.compile("c\\.yaml:2:.*management\\.locks\\.state_file: .*" + one[1])
              .matcher(command.output()).find(), command.output());
          assertFalse(command.output().contains("locks.new"), command.output());
        }
      }
    }
    assertEquals("{\"time\":\"2026-01-01T00:00:00Z\"}\n", Files.readString(folder.resolve("other.log")));
    assertEquals("0123456789abcdef".repeat(4) + "\n", Files.readString(folder.resolve("lock.key")));
  }

  @Test
  void onlyTheKeyPermitsToLock() throws Exception {
    try (StreamSite site = site("")) {
      assertEquals(401, site.managed(HttpRequest.newBuilder(), "/locks").statusCode());
      Path wrong = Files.writeString(folder.resolve("wrong.key"), "f".repeat(64));
      String said = site.run("lock", "-c", "config.yaml", "--key", wrong.toString(), "--subject", "alice", "--reason",
          "x");
      assertTrue(said.startsWith("1 ") && said.contains("the key of management.locks.key_file is required"), said);
      assertEquals(200, site.status(site.token("alice", "s1", 300)));
      lock(site, "--subject", "alice");
    }
  }

  @Test
  void aLogoutAtTheProviderEndsTheSession() throws Exception {
    try (StreamSite site = site(EVENTS)) {
      String token = site.token("alice", "s1", 300);
      BlockingQueue<StreamSite.Closed> socket = site.open(token);
      BlockingQueue<StreamSite.Closed> other = site.open(site.token("alice", "s2", 300));
      String claims = ISSUED.formatted(System.currentTimeMillis() / 1000, "j1")
          + "\"sid\":\"s1\",\"events\":{\"http://schemas.openid.net/event/backchannel-logout\":{}}}";
      String path = "/.well-known/backchannel-logout";
      String form = "application/x-www-form-urlencoded";
      String unsigned = "logout_token=" + site.issuer().token("logout+jwt", claims).replaceFirst("[^.]*$", "AAAA");
      assertTrue(site.post(path, form, unsigned).startsWith("400 {\"error\":\"invalid_request\""));
      assertEquals(200, site.status(token));
      assertEquals("200 ", site.post(path, form, "logout_token=" + site.issuer().token("logout+jwt", claims)));
      StreamSite.Closed end = socket.poll(20, TimeUnit.SECONDS);
      assertEquals(1008, end.status());
      assertEquals("access is locked", end.reason());
      assertEquals(0, other.size(), "another session of the same user goes on");
      assertEquals(401, site.status(token));
      site.image().await("Access is locked .*session `s1` of `https://idp.example`.*logout token j1");
      assertTrue(site.run("locks", "-c", "config.yaml").contains("origin: https://idp.example"));
    }
  }

  @Test
  void aRevokedSessionEndsItsStreams() throws Exception {
    try (StreamSite site = site(EVENTS)) {
      String token = site.token("alice", "s1", 300);
      try (Socket events = site.events(token)) {
        String claims = ISSUED.formatted(System.currentTimeMillis() / 1000 + 5, "j2") + "\"sub_id\":{\"format\":"
            + "\"iss_sub\",\"iss\":\"https://idp.example\",\"sub\":\"alice\"},\"events\":{\"https://schemas.openid.net/"
            + "secevent/caep/event-type/session-revoked\":{\"reason_admin\":{\"en\":\"policy\"}}}}";
        String path = "/.well-known/security-events";
        assertTrue(site.post(path, "application/secevent+jwt", site.issuer().token("JWT", claims))
            .startsWith("400 {\"description\":"));
        assertEquals("202 ", site.post(path, "application/secevent+jwt",
            site.issuer().token("secevent+jwt", claims)));
        assertFalse(LiveStreamsTest.all(events).endsWith("0\r\n\r\n"), "the events break off");
        assertEquals(401, site.status(token));
        assertEquals(200, site.status(site.token("bob", "s2", 300)));
      }
    }
  }
}
