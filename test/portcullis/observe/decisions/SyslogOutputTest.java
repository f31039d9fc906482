package portcullis.observe.decisions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.config.Yaml;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestTls;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.OutputAwayException;

class SyslogOutputTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.006007008Z");

  @TempDir
  private Path folder;

  private static Optional<SyslogTarget> target(String url) {
    Problems problems = new Problems();
    return Yaml.read(new SourceFile("f", "url: \"" + url + "\""), problems)
        .flatMap(node -> SyslogTarget.decoder().decode(node, problems));
  }

  private static SyslogOutput to(String url) {
    return new SyslogOutput(target(url).orElseThrow(), Optional.empty(), "decision", () -> NOW);
  }

  private static void write(SyslogOutput out, String lines) throws IOException {
    byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
    out.write(bytes, 0, bytes.length);
  }

  /** Returns the next message, whose length stands before it. */
  private static String message(InputStream in) throws IOException {
    StringBuilder length = new StringBuilder();
    for (int octet = in.read(); octet != ' '; octet = in.read()) {
      assertTrue(octet >= '0' && octet <= '9', "not a digit: " + octet);
      length.append((char) octet);
    }
    return new String(in.readNBytes(Integer.parseInt(length.toString())), StandardCharsets.UTF_8);
  }

  /** A parser of decisions need not know what else happens. */
  @Test
  void eventsHaveAMessageIdOfTheirOwn() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        SyslogOutput out = to("tcp://127.0.0.1:" + server.getLocalPort())) {
      write(out, AuditEvent.of("start", "program").line(NOW) + "\n{\"time\":\"x\",\"lost\":3}\n"
          + "{\"time\":\"x\",\"decision\":\"\\\",\\\"event\\\":\"}\n{\"time\":\"\n");
      try (Socket peer = server.accept()) {
        assertTrue(message(peer.getInputStream()).contains(" event - {"));
        assertTrue(message(peer.getInputStream()).endsWith(" event - {\"time\":\"x\",\"lost\":3}"));
        assertTrue(message(peer.getInputStream()).contains(" decision - {"));
        assertTrue(message(peer.getInputStream()).endsWith(" decision - {\"time\":\""));
      }
    }
  }

  @Test
  void sendsEachLineAsAMessage() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        SyslogOutput out = to("tcp://127.0.0.1:" + server.getLocalPort())) {
      write(out, "{\"a\":\"ä\"}\n{}\n");
      try (Socket peer = server.accept()) {
        String first = message(peer.getInputStream());
        assertTrue(first.matches("<134>1 2026-01-02T03:04:05\\.006007Z \\S+ portcullis [0-9]+ decision - "
            + "\\{\"a\":\"ä\"}"), first);
        assertTrue(message(peer.getInputStream()).endsWith(" decision - {}"));
      }
    }
  }

  @Test
  void connectsAgainAfterTheServerHasClosed() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        SyslogOutput out = to("tcp://127.0.0.1:" + server.getLocalPort())) {
      write(out, "1\n");
      try (Socket peer = server.accept()) {
        message(peer.getInputStream());
      }
      write(out, "2\n");
      try (Socket peer = server.accept()) {
        assertTrue(message(peer.getInputStream()).endsWith(" 2"));
      }
    }
  }

  @Test
  void failsWithoutAServer() throws IOException {
    int port;
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      port = server.getLocalPort();
    }
    try (SyslogOutput out = to("tcp://127.0.0.1:" + port)) {
      assertThrows(OutputAwayException.class, () -> write(out, "1\n"));
    }
  }

  @Test
  void whatAServerDoesNotTakeWithinTenSecondsIsLost() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        SyslogOutput out = to("tcp://127.0.0.1:" + server.getLocalPort())) {
      String lines = ("x".repeat(1 << 20) + "\n").repeat(32); // more than the buffers of a connection take
      long begin = System.nanoTime();
      IOException e = assertThrows(IOException.class, () -> write(out, lines));
      assertFalse(e instanceof OutputAwayException, "lines of one that is away are kept");
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
      assertTrue(seconds >= 9 && seconds < 30, "after " + seconds + " s");
    }
  }

  @Test
  void endsLinesForAUnixSocket() throws IOException {
    Path path = folder.resolve("log.sock");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(path));
      try (SyslogOutput out = to("unix:" + path)) {
        write(out, "1\n2\n");
        try (SocketChannel peer = server.accept()) {
          BufferedReader lines = new BufferedReader(
              new InputStreamReader(Channels.newInputStream(peer), StandardCharsets.UTF_8));
          for (String text : List.of("1", "2")) {
            String line = lines.readLine();
            assertTrue(line.startsWith("<134>1 ") && line.endsWith(" decision - " + text), line);
          }
        }
      }
    }
  }

  /** RFC 5425: messages with counted octets within TLS, from a server whose certificate is verified. */
  @Test
  void sendsCountedMessagesOverTls() throws Exception {
    TestCertificate own = CertificateDraft.of("localhost").hosts("localhost").make();
    TestCertificate other = CertificateDraft.of("localhost").hosts("localhost").make();
    try (ServerSocket server = TestTls.showing(own).getServerSocketFactory().createServerSocket(0, 5,
        InetAddress.getLoopbackAddress()); SyslogOutput out = overTls(server.getLocalPort(), own)) {
      FutureTask<List<String>> received = new FutureTask<>(() -> {
        try (Socket peer = server.accept()) {
          return List.of(message(peer.getInputStream()), message(peer.getInputStream()));
        }
      });
      Thread.ofVirtual().start(received);
      write(out, "{\"a\":\"ä\"}\n{}\n");
      List<String> messages = received.get(20, TimeUnit.SECONDS);
      assertTrue(messages.getFirst().startsWith("<134>1 ") && messages.getFirst().endsWith("decision - {\"a\":\"ä\"}"),
          messages.getFirst());
      assertTrue(messages.getLast().endsWith(" decision - {}"), messages.getLast());
    }
    try (ServerSocket server = TestTls.showing(other).getServerSocketFactory().createServerSocket(0, 5,
        InetAddress.getLoopbackAddress()); SyslogOutput out = overTls(server.getLocalPort(), own)) {
      Thread.ofVirtual().start(() -> {
        try (Socket peer = server.accept()) {
          peer.getInputStream().read();
        } catch (IOException _) {
          // the client does not trust it
        }
      });
      assertThrows(IOException.class, () -> write(out, "{}\n"), "a server with another certificate gets nothing");
    }
  }

  private SyslogOutput overTls(int port, TestCertificate trusted) throws IOException {
    Path file = Files.writeString(folder.resolve("ca.pem"), trusted.pem());
    Problems problems = new Problems();
    SyslogTarget target = Yaml
        .read(new SourceFile("f", "{url: \"tls://localhost:" + port + "\", trust_store: \"" + file + "\"}"), problems)
        .flatMap(node -> SyslogTarget.decoder().decode(node, problems)).orElseThrow();
    return new SyslogOutput(target, target.tls(problems), "decision", () -> NOW);
  }

  @ParameterizedTest
  @CsvSource({"tls://logs.example, logs.example, 6514", "tcp://[::1]:9000, ::1, 9000", "tcp://a/, a, 601"})
  void readsUrls(String url, String host, int port) {
    SyslogTarget target = target(url).orElseThrow();
    assertEquals(host + " " + port, target.host() + " " + target.port());
  }

  @ParameterizedTest
  @ValueSource(strings = {"logs.example", "udp://logs.example", "tcp://", "tls://u:p@logs.example", "tcp://a/b",
    "unix:relative", "tcp://a b"})
  void otherUrlsAreErrors(String url) {
    assertTrue(target(url).isEmpty());
  }
}
