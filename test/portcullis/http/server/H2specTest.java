package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.Needs;

/** All cases of h2spec, where it is installed: {@code go install github.com/summerwind/h2spec/cmd/h2spec@v2.2.1}. */
class H2specTest {
  private static final Pattern RESULT = Pattern.compile("(\\d+) tests, (\\d+) passed, (\\d+) skipped, (\\d+) failed");

  private static String h2spec() {
    return Needs.program("h2spec").toString();
  }

  private static void passesAll(HttpServer server, String... options) throws IOException, InterruptedException {
    String program = h2spec();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.createContext("/", exchange -> {
      exchange.getRequestBody().readAllBytes();
      TestServer.answer(exchange, 200, "hello");
    });
    server.start();
    try {
      List<String> command = new ArrayList<>(
          List.of(program, "-h", "127.0.0.1", "-p", String.valueOf(server.getAddress().getPort()), "-o", "5"));
      command.addAll(List.of(options));
      Path log = Files.createTempFile("h2spec", ".log");
      Process run = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
      run.waitFor(110, TimeUnit.SECONDS);
      run.destroyForcibly();
      String text = Files.readString(log);
      Files.delete(log);
      Matcher result = RESULT.matcher(text);
      assertEquals(true, result.find(), text);
      assertEquals("0 skipped, 0 failed", result.group(3) + " skipped, " + result.group(4) + " failed", text);
    } finally {
      server.stop(0);
    }
  }

  // A server that speaks HTTP/1.1 as well answers a broken preface in that language, which h2spec does not expect.
  @Test
  void passesAllCasesOnClearText() throws Exception {
    passesAll(new WireServer(ServerLimits.DEFAULT, RejectionListener.IGNORED, EnumSet.of(Protocol.HTTP_2)));
  }

  @Test
  void passesAllCasesInTls() throws Exception {
    WireServer server = WireServer.secure(ServerLimits.DEFAULT, RejectionListener.IGNORED, new Descriptors());
    server.setHttpsConfigurator(
        new HttpsConfigurator(Tls.context(CertificateDraft.of("gate").hosts("localhost").make())));
    passesAll(server, "-t", "-k");
  }
}
