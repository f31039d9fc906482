package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.TrustedProxies;
import portcullis.lang.address.Network;

/** What is the same in every service that judges: whose word is taken on whom it speaks for, and what is a path. */
class EveryServiceTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}]
      finalizers: [{id: tell, type: header, config: {headers: {X-Seen: none}}}]
      """;
  private static final String RULE = """
      - id: %1$s
        match: {routes: [{path: "%2$s"}]}
        forward_to: {host: "127.0.0.1:%3$d", rewrite: {scheme: http}}
        execute:
          - authenticator: anon
          - finalizer: tell
            config:
              headers:
                X-Seen: '%1$s {{ .Request.Method }} {{ .Request.URL }} {{ .Request.ClientIPAddresses | join "|" }} {{ \
      .Request.Header "%4$s" }}'
      """;
  private static final TrustedProxies TRUSTED = new TrustedProxies(List.of(Network.parse("127.0.0.1").orElseThrow()));

  private HttpServer upstream;
  private WireClient client;

  /** Asks one kind of service; which rule setup and what it saw, empty where none did. */
  private interface Service {
    String seen(TrustedProxies proxies, String target, String name, String value) throws Exception;
  }

  @BeforeEach
  void start() throws Exception {
    client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
    upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.createContext("/", exchange -> {
      exchange.getResponseHeaders().set("X-Seen", exchange.getRequestHeaders().getFirst("X-Seen"));
      exchange.sendResponseHeaders(200, -1);
      exchange.close();
    });
    upstream.start();
  }

  @AfterEach
  void stop() {
    upstream.stop(0);
    client.close();
  }

  private DeciderSetup setup(String name) {
    int port = upstream.getAddress().getPort();
    return new DeciderSetup(client, MECHANISMS,
        RULE.formatted("open", "/open", port, name) + RULE.formatted("admin", "/admin", port, name)
            + RULE.formatted("all", "/**", port, name));
  }

  private static ListenerSettings settings(TrustedProxies proxies) {
    return ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.PROXIES, proxies);
  }

  private static Services services(DeciderSetup setup) {
    return new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system());
  }

  private String proxied(TrustedProxies proxies, String target, String name, String value) throws IOException {
    DeciderSetup setup = setup(name);
    return receivedCalls(services(setup).proxy(settings(proxies), Optional.empty(), setup.decider(), client), target,
        name,
        value);
  }

  private String decided(TrustedProxies proxies, String target, String name, String value) throws IOException {
    DeciderSetup setup = setup(name);
    return receivedCalls(services(setup).decision(settings(proxies), Optional.empty(), setup.decider()), target, name,
        value);
  }

  private static String receivedCalls(Listener listener, String target, String name, String value) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      socket.getOutputStream().write(
          ("GET " + target + " HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n" + name + ": " + value + "\r\n\r\n")
              .getBytes(StandardCharsets.ISO_8859_1));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      return answer.lines().filter(line -> line.regionMatches(true, 0, "X-Seen:", 0, 7)).findFirst()
          .map(line -> line.substring(7).strip()).orElse("");
    } finally {
      listener.stop(Duration.ofSeconds(1));
    }
  }

  private String described(TrustedProxies proxies, String target, String name, String value) throws IOException {
    DeciderSetup setup = setup(name);
    Listener listener = services(setup).envoy(settings(proxies), Optional.empty(), setup.decider(), () -> true);
    try (EnvoyCaller envoy = new EnvoyCaller(listener.port())) {
      byte[] message = EnvoyCaller.request("GET", "http", "a.test", target, new byte[0], name, value);
      return EnvoyCaller.CheckResult.of(envoy.call(EnvoyCaller.CHECK, message, EnvoyCaller.soon(), name, value)).set()
          .getOrDefault("X-Seen", "").strip();
    } finally {
      listener.stop(Duration.ofSeconds(1));
    }
  }

  private List<Service> services() {
    return List.of(this::proxied, this::decided, this::described);
  }

  @Test
  void forwardedFieldsCountFromTrustedProxiesOnly() throws Exception {
    for (Service service : services()) {
      String plain = service.seen(TrustedProxies.NONE, "/open", "X-Harmless", "");
      assertTrue(plain.startsWith("open GET http://a.test/open"), plain);
      for (List<String> reported : List.of(List.of("X-Forwarded-For", "192.0.2.1"),
          List.of("X-Forwarded-Uri", "/admin"),
          List.of("X-Forwarded-Method", "DELETE"), List.of("X-Forwarded-Proto", "https"),
          List.of("X-Forwarded-Host", "evil.test"),
          List.of("Forwarded", "for=192.0.2.1"), List.of("X-Forwarded-Whatever", "x"),
          List.of("X-Original-Url", "/admin"))) {
        assertEquals(plain, service.seen(TrustedProxies.NONE, "/open", reported.getFirst(), reported.getLast()),
            reported.toString());
        assertNotEquals(plain, service.seen(TRUSTED, "/open", reported.getFirst(), reported.getLast()),
            reported.toString());
      }
    }
  }

  @Test
  void queryIsNotPartOfThePathInAnyService() throws Exception {
    for (String query : List.of("?", "?a=b", "?/../open", "?x=/open", "?/admin", "?%2Fopen")) {
      for (Service service : services()) {
        String seen = service.seen(TrustedProxies.NONE, "/admin" + query, "X-Harmless", "");
        assertTrue(seen.startsWith("admin GET http://a.test/admin"), query + ": " + seen);
      }
      String forwarded = decided(TRUSTED, "/open", "X-Forwarded-Uri", "/admin" + query);
      assertTrue(forwarded.startsWith("admin GET http://a.test/admin"), query + ": " + forwarded);
    }
  }
}
