package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import portcullis.fixture.Await;
import portcullis.fixture.FreePort;
import portcullis.fixture.Needs;
import portcullis.fixture.RawUpstream;
import portcullis.fixture.RunningImage;
import portcullis.fixture.Signals;

/**
 * A proxy that others wrote in front of the built image's decision service and of an application, with the
 * configuration of config/front, of which the ports alone are others. Tests are skipped where its program is missing.
 */
final class FrontProxy implements AutoCloseable {
  /** Which one. */
  enum Kind {
    NGINX, CADDY, HAPROXY, ENVOY, TRAEFIK
  }

  /**
   * What a test adds to the files.
   *
   * @param rules more rules
   * @param configuration changes the configuration of Portcullis
   * @param login whether the proxy has its file for a login
   * @param file changes a file of the proxy
   */
  record Setup(String rules, UnaryOperator<String> configuration, boolean login, UnaryOperator<String> file) {
    static final Setup UNCHANGED = new Setup("", UnaryOperator.identity(), false);

    Setup(String rules, UnaryOperator<String> configuration, boolean login) {
      this(rules, configuration, login, UnaryOperator.identity());
    }
  }

  private static final Path CONFIGURATIONS = Path.of("config/front");
  private static final String IN_FOLDER = "access_log off; client_body_temp_path %1$s/b; proxy_temp_path %1$s/p;"
      + " fastcgi_temp_path %1$s/f; uwsgi_temp_path %1$s/u; scgi_temp_path %1$s/s;";

  private final Path folder;
  private final int port = FreePort.next();
  private final int decisions = FreePort.next();
  private final RawUpstream application = RawUpstream.of(Application::serve);
  private final RawUpstream relay = RawUpstream.of(this::relay);
  private final RunningImage image;
  private final Process process;
  private final UnaryOperator<String> change;

  FrontProxy(Kind kind, Path folder) throws IOException {
    this(kind, folder, Setup.UNCHANGED);
  }

  FrontProxy(Kind kind, Path folder, Setup setup) throws IOException {
    this.folder = folder;
    change = setup.file;
    Optional<Path> program = program(kind.name().toLowerCase(Locale.ROOT));
    Needs.installed(program.isPresent(), kind.name().toLowerCase(Locale.ROOT));
    Files.writeString(folder.resolve("rules.yaml"), Files.readString(CONFIGURATIONS.resolve("rules.yaml"))
        + setup.rules);
    Files.writeString(folder.resolve("portcullis.yaml"), setup.configuration
        .apply(Files.readString(CONFIGURATIONS.resolve("portcullis.yaml")))
        .replace("port: 4456", "port: " + decisions).replace("port: 4457", "port: " + FreePort.next()));
    List<String> words = new ArrayList<>(List.of("serve", "decision", "-c", "portcullis.yaml", "--insecure"));
    if (kind == Kind.ENVOY) {
      words.add("--envoy-grpc");
    }
    image = RunningImage.startIn(folder, words.toArray(String[]::new));
    image.await("Starting listening .*_service=decision");
    process = start(command(kind, program.get().toString(), setup.login ? "-login" : ""));
    awaitDecisions();
  }

  private static Optional<Path> program(String name) {
    Stream<String> folders = Stream.concat(
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)),
        Stream.of("/usr/sbin", "/usr/local/sbin", "build/proxies/bin"));
    return folders.map(folder -> Path.of(folder, name).toAbsolutePath()).filter(Files::isExecutable).findFirst();
  }

  private List<String> command(Kind kind, String program, String login) throws IOException {
    return switch (kind) {
      case NGINX -> {
        put("nginx" + login + ".conf", IN_FOLDER.formatted(folder));
        String user = System.getProperty("user.name").equals("root") ? "user root;" : "";
        yield List.of(program, "-p", folder.toString(), "-c", folder + "/nginx" + login + ".conf", "-e", "stderr", "-g",
            "daemon off; pid " + folder + "/nginx.pid;" + user);
      }
      case CADDY -> {
        put("Caddyfile" + login, "");
        yield List.of(program, "run", "--config", folder + "/Caddyfile" + login, "--adapter", "caddyfile");
      }
      case HAPROXY -> {
        put("haproxy.cfg", "");
        put("portcullis.lua", "");
        yield List.of(program, "-f", folder + "/haproxy.cfg", "-db");
      }
      case ENVOY -> {
        put("envoy.yaml", "");
        yield List.of(program, "-c", folder + "/envoy.yaml", "--concurrency", "2", "--disable-hot-restart",
            "--log-level", "error");
      }
      case TRAEFIK -> {
        put("traefik" + login + ".yaml", "");
        // under its own name here it would be taken for the static configuration
        Path dynamic = Files.move(folder.resolve("traefik" + login + ".yaml"), folder.resolve("dynamic.yaml"));
        yield List.of(program, "--entrypoints.web.address=127.0.0.1:" + port,
            "--entrypoints.web.http.aliasHeadersStrategy=delete", "--providers.file.filename=" + dynamic,
            "--providers.file.watch=false", "--log.level=ERROR", "--global.checknewversion=false",
            "--global.sendanonymoususage=false");
      }
    };
  }

  /** Copies a file with the ports of this test. */
  private void put(String name, String more) throws IOException {
    Files.writeString(folder.resolve(name), change.apply(Files.readString(CONFIGURATIONS.resolve(name)))
        .replace("port_value: 8080", "port_value: " + port)
        .replace("port_value: 8081", "port_value: " + application.port())
        .replace("port_value: 4456", "port_value: " + relay.port())
        .replace(":8080", ":" + port).replace("127.0.0.1:8081", "127.0.0.1:" + application.port())
        .replace("127.0.0.1:4456", "127.0.0.1:" + relay.port()).replace("\nhttp {\n", "\nhttp {\n" + more));
  }

  private Process start(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
        .redirectOutput(folder.resolve("front.log").toFile());
    builder.environment().put("HOME", folder.toString());
    return builder.start();
  }

  /** Waits until it forwards the decisions on a request: it may have to find out first that we are there. */
  private void awaitDecisions() throws IOException {
    Path log = folder.resolve("front.log");
    try {
      Await.until(() -> {
        assertTrue(process.isAlive(), "it has ended");
        return isDecided();
      }, () -> "it does not forward decisions");
    } catch (AssertionError | InterruptedException e) {
      close();
      throw new AssertionError(e.getMessage() + ":\n" + Files.readString(log), e);
    }
  }

  private boolean isDecided() {
    try {
      String answer = get("/closed/a");
      return answer.startsWith("HTTP/1.1 401") || answer.startsWith("HTTP/1.1 200");
    } catch (IOException e) {
      return false;
    }
  }

  /** Carries a connection to the decision service on, so that connections can be counted. */
  private void relay(RawUpstream.Peer peer) throws IOException {
    try (Socket to = new Socket(InetAddress.getLoopbackAddress(), decisions)) {
      to.setTcpNoDelay(true);
      Thread back = Thread.ofVirtual().start(() -> {
        byte[] buffer = new byte[8192];
        try {
          for (int n = to.getInputStream().read(buffer); n >= 0; n = to.getInputStream().read(buffer)) {
            peer.say(Arrays.copyOf(buffer, n));
          }
          peer.endOutput();
        } catch (IOException e) {
          // one of the two has gone
        }
      });
      peer.input().transferTo(to.getOutputStream());
      to.shutdownOutput();
      back.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** How many connections the proxy has opened to the decision service. */
  int connections() {
    return relay.connections();
  }

  /** The heads of the requests that have reached the application. */
  List<String> reached() {
    return application.heads();
  }

  /** Ends the decision service. */
  void endDecisions() {
    image.close();
  }

  /** Lets the decision service answer nothing more, with its connections as they are. */
  void freezeDecisions() {
    Signals.freeze(image.pid());
  }

  /** Lets it answer again. */
  void thawDecisions() {
    Signals.thaw(image.pid());
  }

  int port() {
    return port;
  }

  Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(30_000);
    return socket;
  }

  /** What comes back for a request of that line and these lines behind {@code Host}; the connection ends with it. */
  String say(String line, String body, String... fields) throws IOException {
    List<String> lines = new ArrayList<>(List.of(line + " HTTP/1.1", "Host: app.local", "Connection: close"));
    lines.addAll(List.of(fields));
    try (Socket socket = connect()) {
      OutputStream out = socket.getOutputStream();
      out.write((String.join("\r\n", lines) + "\r\n\r\n" + body).getBytes(ISO_8859_1));
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), ISO_8859_1);
    }
  }

  /** The head of the answer to a request that is written as it is; empty where the proxy only ends the connection. */
  String head(String request) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      InputStream in = socket.getInputStream();
      StringBuilder head = new StringBuilder();
      int c = 0;
      while (c >= 0 && head.indexOf("\r\n\r\n") < 0) {
        c = in.read();
        if (c >= 0) {
          head.append((char) c);
        }
      }
      return head.toString();
    }
  }

  /** The status of the answer to such a request, whatever becomes of the connection then. */
  int status(String target, String... fields) throws IOException {
    try (Socket socket = connect()) {
      String lines = "GET " + target + " HTTP/1.1\r\nHost: app.local\r\n" + String.join("\r\n", fields) + "\r\n\r\n";
      socket.getOutputStream().write(lines.getBytes(ISO_8859_1));
      return Integer.parseInt(new String(socket.getInputStream().readNBytes(12), ISO_8859_1).substring(9));
    }
  }

  String get(String target, String... fields) throws IOException {
    return say("GET " + target, "", fields);
  }

  @Override
  public void close() {
    image.close();
    if (process != null) {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
      try {
        if (!process.waitFor(5, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    relay.close();
    application.close();
  }
}
