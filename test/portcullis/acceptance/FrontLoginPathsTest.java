package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of config/front for a login: which paths they send to Portcullis itself, and what clients see of it. */
@ParameterizedClass
@CsvSource({"NGINX, true", "CADDY, true", "TRAEFIK, true", "ENVOY, true", "NGINX, false", "CADDY, false",
  "TRAEFIK, false", "ENVOY, false"})
class FrontLoginPathsTest {
  private static final String RULES = """

        - id: everything
          match: { routes: [ { path: /** } ], backtracking_enabled: false }
          execute: [ { authenticator: anonymous }, { finalizer: user }, { finalizer: secret }, { finalizer: session } ]

        - id: renewed
          match: { routes: [ { path: "/renewed/**" } ] }
          execute: [ { authenticator: anonymous }, { finalizer: renewed } ]
      """;
  private static final String LOGIN = """
      authenticators:
          - id: login
            type: oidc
            config:
              providers:
                - issuer: http://localhost:9
                  client_id: shop
                  client_auth: { client_secret: any }
              session: { keys: session.keys }
      """;
  private static final String FINALIZERS = """
      finalizers:
          - { id: secret, type: header, config: { headers: { Authorization: "Bearer made-for-the-application" } } }
          - { id: session, type: cookie, config: { cookies: { sess: ours } } }
          - id: renewed
            type: header
            config: { headers: { Set-Cookie: "__Host-portcullis=1.renewed; Path=/; Secure; HttpOnly; SameSite=Lax" } }
      """;

  private static FrontProxy front;

  @Parameter(0)
  private FrontProxy.Kind kind;

  /** Whether Portcullis has a login, too; without one these paths are like others to it. */
  @Parameter(1)
  private boolean hasLogin;

  @BeforeParameterizedClassInvocation
  static void start(FrontProxy.Kind kind, boolean hasLogin, @TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("session.keys"), "0123456789abcdef".repeat(4));
    front = new FrontProxy(kind, folder, new FrontProxy.Setup(RULES,
        text -> text.replace("finalizers:\n", FINALIZERS).replace("authenticators:\n", hasLogin ? LOGIN
            : "authenticators:\n"),
        kind != FrontProxy.Kind.ENVOY));
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    if (front != null) {
      front.close();
      front = null;
    }
  }

  private static List<String> since(int before) {
    return front.reached().subList(before, front.reached().size());
  }

  /** Asserts that a client has got nothing that a rule sets, which is for the application. */
  private static void assertNoSecrets(String answer) {
    String head = answer.substring(0, Math.max(0, answer.indexOf("\r\n\r\n"))).toLowerCase(Locale.ROOT);
    assertFalse(head.contains("made-for-the-application") || head.contains("x-user"), answer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/.portcullis/login", "/.portcullis/login?return_to=/page", "/.portcullis/callback?state=a",
    "/.portcullis/callback/other", "/.portcullis/logout", "/.portcullis/frontchannel-logout",
    "/.portcullis/backchannel-logout"})
  void endpointsOfTheLoginAreOurs(String target) throws IOException {
    int before = front.reached().size();
    String answer = front.get(target, "X-Forwarded-Uri: /open/a");
    assertFalse(answer.startsWith("HTTP/1.1 404") || answer.isEmpty(), answer);
    assertNoSecrets(answer);
    assertEquals(hasLogin || kind != FrontProxy.Kind.ENVOY ? 0 : 1, since(before).size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/.portcullis/foo", "/.portcullis/foo?a=/.portcullis/login", "/.portcullis/login/",
    "/.portcullis/login/foo", "/.portcullis/loginfoo", "/.portcullis/", "/.portcullis/callbackfoo",
    "/.PORTCULLIS/LOGIN", "/.portcullis/LOGIN", "/.portcullis%2flogin", "/.portcullis/callback%2ffoo",
    "//.portcullis/login", "/foo/../.portcullis/login", "/.portcullis//login", "/.portcullis/./login",
    "/.portcullis/login;foo", "/.portcullis/login%3ffoo", "/.portcullis/login%00", "/.portcullis/%6cogin",
    "/.portcullis/login%20", "/.portcullis/callback/../foo", "/.portcullis/callback/%2e%2e/foo",
    "/.portcullis/callback//foo", "/.portcullis/login%2f..%2ffoo", "http://app.local/.portcullis/foo"})
  void headersForTheApplicationAreNotSentToClients(String target) throws IOException {
    int before = front.reached().size();
    for (String fields : List.of("X-User: root", "X-User: root\r\nSec-Fetch-Mode: navigate\r\nAccept: text/html")) {
      String answer = front.get(target, fields);
      assertNoSecrets(answer);
      // Traefik resolves segments and then takes it for the login, which this Portcullis does not have
      assertFalse(answer.contains("sess=") && (hasLogin || kind != FrontProxy.Kind.TRAEFIK), answer);
    }
    for (String head : since(before)) {
      assertEquals("anonymous", Application.field(head, "x-user"), head);
      assertEquals(kind == FrontProxy.Kind.ENVOY ? "sess=ours" : "", Application.field(head, "cookie"), head);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/page", "/.portcullis/foo", "/.portcullis/loginfoo"})
  void otherPathsAreDecidedLikeAny(String target) throws IOException {
    int before = front.reached().size();
    String answer = front.get(target);
    if (hasLogin && target.startsWith("/.portcullis/")) {
      assertTrue(answer.startsWith("HTTP/1.1 404"), answer);
      assertEquals(List.of(), since(before));
    } else {
      assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
      assertTrue(since(before).getFirst().startsWith("GET " + target + " "), since(before).toString());
    }
  }

  /** nginx and Traefik know which cookie it is. */
  @Test
  void theSessionIsRenewedByThoseThatCan() throws IOException {
    if (kind == FrontProxy.Kind.NGINX || kind == FrontProxy.Kind.TRAEFIK) {
      String answer = front.get("/renewed/a");
      assertTrue(answer.contains("Set-Cookie: __Host-portcullis=1.renewed; Path=/; "), answer);
    }
    assertFalse(front.get("/page").contains("Set-Cookie"));
  }
}
