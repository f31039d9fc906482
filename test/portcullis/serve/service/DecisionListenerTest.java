package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Yaml;
import portcullis.fixture.FreePort;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

class DecisionListenerTest {
  private static final String MECHANISMS = """
      authenticators:
      - {id: anon, type: anonymous}
      - {id: nobody, type: unauthorized}
      finalizers:
      - {id: user, type: header, config: {headers: {X-User: a}}}
      """;
  private static final String RULES = """
      - {id: closed, match: {routes: [{path: /closed}]}, forward_to: {host: "127.0.0.1:%1$d"},
         execute: [{authenticator: nobody}]}
      - {id: all, match: {routes: [{path: /**}]}, forward_to: {host: "127.0.0.1:%1$d", rewrite: {scheme: http}},
         execute: [{authenticator: anon}, {finalizer: user}]}
      """;

  @Test
  void hearsOfEachDecisionBeforeItIsCarriedOut() throws Exception {
    List<String> heard = Collections.synchronizedList(new ArrayList<>());
    try (RawUpstream upstream = RawUpstream.of(peer -> {
      peer.head();
      heard.add("upstream");
      peer.say("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
    }); WireClient client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault())) {
      DeciderSetup setup = new DeciderSetup(client, MECHANISMS, RULES.formatted(upstream.port()));
      Listener proxy = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system()).proxy(
          ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider(), client,
          Optional.of((outcome, match, steps) -> heard.add(outcome.allowed() + " " + outcome.answer().status() + " "
              + match.map(found -> found.path().text()).orElse("") + " "
              + steps.stream().map(step -> step.step().id() + " " + step.outcome().text()).toList())));
      try {
        assertTrue(answer(proxy, "/open").startsWith("HTTP/1.1 204"));
        assertTrue(answer(proxy, "/closed").startsWith("HTTP/1.1 401"));
      } finally {
        proxy.stop(Duration.ofSeconds(1));
      }
      assertEquals(List.of("true 200 /** [anon passed, user passed]", "upstream",
          "false 401 /closed [nobody failed]"), heard);
    }
  }

  private static DeciderSetup withLogin(Path folder) throws Exception {
    Path keys = Files.writeString(folder.resolve("session.keys"), "0b".repeat(32));
    return new DeciderSetup(null, MECHANISMS.replace("finalizers:", """
        - {id: login, type: oidc, config: {providers: [{issuer: "https://login.test", client_id: shop, client_auth: \
        {client_secret: a}}], session: {keys: "%s"}}}
        finalizers:""".formatted(keys)), RULES.formatted(1));
  }

  @Test
  void pathsOfLoginsAreAnsweredByThem(@TempDir Path folder) throws Exception {
    DeciderSetup setup = withLogin(folder);
    Listener service = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
        .decision(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider());
    try {
      assertTrue(answer(service, "/.portcullis/none").startsWith("HTTP/1.1 404"));
      assertTrue(answer(service, "/.portcullis/callback?code=x&state=y").startsWith("HTTP/1.1 400"));
      assertTrue(answer(service, "/.portcullis-none").startsWith("HTTP/1.1 200"));
    } finally {
      service.stop(Duration.ofSeconds(1));
    }
    assertTrue(setup.shown().lines().anyMatch(line -> line.contains("TX finished")
        && line.contains("/.portcullis/callback") && line.contains("`state` is missing, or not of a login here")),
        setup.shown());
  }

  /** Nothing is to be forwarded there, whatever the login answers. */
  @Test
  void envoyIsNotToForwardPathsOfLogins(@TempDir Path folder) throws Exception {
    DeciderSetup setup = withLogin(folder);
    Listener service = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
        .envoy(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider(), () -> true);
    try (EnvoyCaller envoy = new EnvoyCaller(service.port())) {
      EnvoyCaller.CheckResult result = envoy.check("/.portcullis/none");
      assertEquals("16 404", result.code() + " " + result.status());
      assertEquals(0, envoy.check("/.portcullis-none").code());
    } finally {
      service.stop(Duration.ofSeconds(1));
    }
    assertTrue(setup.shown().contains("\"_grpc_status_code\":16"), setup.shown());
  }

  @Test
  void envoysServiceRefusesWhatIsNoRequest() throws Exception {
    DeciderSetup setup = new DeciderSetup(null, MECHANISMS, RULES.formatted(1));
    Listener service = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
        .envoy(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider(), () -> true);
    try {
      String answer = OneRequest.answer(service.port(), "POST / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
      assertTrue(answer.startsWith("HTTP/1.1 400") && answer.contains("\r\nConnection: close\r\n"), answer);
    } finally {
      service.stop(Duration.ofSeconds(1));
    }
  }

  /** Nobody listens at the service that the rule calls. */
  @Test
  void verboseResponsesNameNoAddressesOfServices() throws Exception {
    int port = FreePort.next();
    try (WireClient client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault())) {
      DeciderSetup setup = new DeciderSetup(client, """
          authenticators: [{id: anon, type: anonymous}]
          authorizers: [{id: ask, type: remote, config: {payload: x, endpoint: {url: 'http://127.0.0.1:%d/inside'}}}]
          """.formatted(port), "- {id: a, match: {routes: [{path: /**}]}, execute: [{authenticator: anon}, "
          + "{authorizer: ask}]}\n");
      Problems problems = new Problems();
      ListenerSettings verbose = Yaml.read(new SourceFile("f", "{respond: {verbose: true}}"), problems)
          .flatMap(node -> ListenerSettings.main(false, false).decode(node, problems)).orElseThrow()
          .with(ListenerSettings.HOST, "127.0.0.1").with(ListenerSettings.PORT, 0);
      Listener service = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system()).decision(verbose,
          Optional.empty(), setup.decider());
      try {
        for (String type : List.of("application/json", "text/html", "text/plain", "application/xml")) {
          String answer = OneRequest.receivedCalls(service.port(), "GET", "/x", "Accept: " + type);
          assertTrue(answer.startsWith("HTTP/1.1 502") && answer.contains("authorization endpoint failed"), answer);
          assertFalse(answer.contains(Integer.toString(port)) || answer.contains("inside"), answer);
        }
      } finally {
        service.stop(Duration.ofSeconds(1));
      }
      assertTrue(setup.shown().contains("127.0.0.1:" + port), "the log says which");
    }
  }

  private static String answer(Listener proxy, String path) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
      socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n")
          .getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }
}
