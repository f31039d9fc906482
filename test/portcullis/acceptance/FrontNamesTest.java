package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of config/front with more names that rules set, and what clients write into fields of proxies. */
@ParameterizedClass
@EnumSource(FrontProxy.Kind.class)
class FrontNamesTest {
  private static final String LONG = "a".repeat(6000);
  private static final String RULES = """

        - id: named
          match: { routes: [ { path: "/named/**" } ] }
          execute: [ { authenticator: anonymous }, { finalizer: id }, { finalizer: token } ]

        - id: hosts
          match: { routes: [ { path: "/h/**" } ], hosts: [ { type: exact, value: a.example } ] }
          execute: [ { authenticator: anonymous } ]

        - id: asked
          match: { routes: [ { path: "/asked/**" } ] }
          execute: [ { authenticator: anonymous }, { authorizer: token }, { finalizer: token } ]

        - id: read
          match: { routes: [ { path: "/read/**" } ] }
          execute: [ { authenticator: anonymous }, { authorizer: body } ]

        - id: long
          match: { routes: [ { path: "/long/**" } ] }
          execute: [ { authenticator: anonymous }, { finalizer: long } ]

        - id: elsewhere
          match: { routes: [ { path: "/elsewhere/**" } ] }
          execute: [ { authenticator: nobody } ]
          on_error: [ { error_handler: elsewhere } ]
      """;
  private static final String MECHANISMS = """
      authorizers:
          - id: token
            type: cel
            config: { expressions: [ { expression: "Request.Header('Authorization') == 'Bearer mine'" } ] }
          - { id: body, type: cel, config: { expressions: [ { expression: "Request.Body() != 'forbidden'" } ] } }
        error_handlers:
          - { id: elsewhere, type: redirect, config: { to: /login, code: 302 } }
        finalizers:
          - { id: id, type: header, config: { headers: { X-User-Id: "7" } } }
          - { id: token, type: header, config: { headers: { Authorization: "Bearer ours" } } }
          - { id: long, type: header, config: { headers: { X-User: "LONG" } } }
      """.replace("LONG", LONG);

  private static FrontProxy front;

  @Parameter
  private FrontProxy.Kind kind;

  @BeforeParameterizedClassInvocation
  static void start(FrontProxy.Kind kind, @TempDir Path folder) throws IOException {
    front = new FrontProxy(kind, folder, new FrontProxy.Setup(RULES,
        text -> text.replace("finalizers:\n", MECHANISMS), false, names(kind)));
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    if (front != null) {
      front.close();
      front = null;
    }
  }

  /** What the files say about names that rules set, for two more. */
  private static UnaryOperator<String> names(FrontProxy.Kind kind) {
    return switch (kind) {
      case NGINX -> text -> repeated(text, "      auth_request_set $user ", "X-User $user;\n", "http_x_user", "$user");
      case CADDY -> text -> repeated(text, "\t\t\t\t\trequest_header X-User {", "@x-user -X-User\n", "@x-user",
          "@x-user");
      case HAPROXY -> text -> text.replace("{ \"x-user\" }", "{ \"x-user\", \"x-user-id\", \"authorization\" }");
      case TRAEFIK -> text -> text.replace("[ X-User ]", "[ X-User, X-User-Id, Authorization ]");
      case ENVOY -> UnaryOperator.identity();
    };
  }

  private static String repeated(String text, String first, String last, String name, String variable) {
    int start = text.indexOf(first);
    int end = text.indexOf(last, start) + last.length();
    String lines = text.substring(start, end);
    String id = lines.replace("X-User", "X-User-Id").replace(name, name + (name.startsWith("@") ? "-id" : "_id"))
        .replace("$user", "$user_id");
    String token = lines.replace("X-User", "Authorization").replace(name, name.startsWith("@") ? "@token"
        : "http_authorization").replace("$user", "$token");
    return text.substring(0, end) + id + token + text.substring(end);
  }

  private static List<String> since(int before) {
    return front.reached().subList(before, front.reached().size());
  }

  private static String forwarded(String target, String... fields) throws IOException {
    int before = front.reached().size();
    String answer = front.get(target, fields);
    assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
    return since(before).getFirst();
  }

  /** What applications may take for another request than the one that was decided, or for who asks. */
  @ParameterizedTest
  @ValueSource(strings = {"X-Original-URL", "X-Original-Uri", "X-Original-Method", "X-Original-Host", "X-Rewrite-Url",
    "X-Forwarded-Uri", "X-Forwarded-Method", "X-Forwarded-Path", "X-Forwarded-Prefix", "X-Forwarded-For",
    "X-Forwarded-Host", "X-Forwarded-Port", "X-Forwarded-Proto", "X-Forwarded-Client-Cert", "X-HTTP-Method-Override",
    "X-HTTP-Method", "X-Method-Override", "Client-Cert", "Client-Cert-Chain", "Forwarded"})
  void fieldsOfProxiesAreNotTakenFromClients(String name) throws IOException {
    String head = forwarded("/open/a", name + ": forged");
    assertFalse(head.contains("forged"), head);
  }

  /** The host that was decided on is also the one that an application reads here. */
  @Test
  void theForwardedHostIsTheOneThatWasDecided() throws IOException {
    int before = front.reached().size();
    front.head("GET /h/a HTTP/1.1\r\nHost: a.example\r\nX-Forwarded-Host: office.example\r\n"
        + "X-Forwarded-For: 10.9.8.7\r\nConnection: close\r\n\r\n");
    String head = since(before).getFirst();
    assertFalse(head.contains("office") || head.contains("10.9.8.7"), head);
    assertEquals("127.0.0.1", Application.field(head, "x-forwarded-for"), head);
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-User-Id", "x_user_id", "X_User-Id", "X-User_Id", "X.User-Id", "X-User.Id", "X!User#Id",
    "X$User%Id", "X&User'Id", "X*User+Id", "X^User`Id", "X|User~Id"})
  void lookAlikesOfLongerNamesAreRemoved(String name) throws IOException {
    for (String target : List.of("/named/a", "/bare/a")) {
      String head = forwarded(target, name + ": root");
      assertFalse(head.contains("root"), head);
      assertEquals(target.startsWith("/named") ? "7" : "", Application.field(head, "x-user-id"), head);
    }
  }

  /** Rules see the client's own token, the application that of the rule; without one none, if the name is listed. */
  @Test
  void tokensOfClientsAreSeenByRulesOnly() throws IOException {
    String head = forwarded("/asked/a", "Authorization: Bearer mine");
    assertEquals("Bearer ours", Application.field(head, "authorization"), head);
    assertFalse(front.get("/asked/a", "Authorization: Bearer other").startsWith("HTTP/1.1 200"));
    head = forwarded("/bare/a", "Authorization: Bearer forged");
    assertEquals(kind == FrontProxy.Kind.ENVOY ? "Bearer forged" : "", Application.field(head, "authorization"), head);
  }

  @Test
  void longHeadersArrive() throws IOException {
    assertEquals(LONG, Application.field(forwarded("/long/a"), "x-user"));
  }

  /** nginx passes no redirects of a check on. */
  @Test
  void relativeRedirectsDoNotLeadToTheService() throws IOException {
    if (kind != FrontProxy.Kind.NGINX) {
      String answer = front.get("/elsewhere/a").toLowerCase(Locale.ROOT);
      assertTrue(answer.startsWith("http/1.1 302") && answer.contains("\r\nlocation: /login\r\n"), answer);
    }
  }

  /** Envoy does not say that there is a body which it does not send along, if the client has not announced a length. */
  @Test
  void bodiesThatEnvoyDoesNotSendAreNotReadAsEmpty() throws IOException {
    if (kind == FrontProxy.Kind.ENVOY) {
      String chunked = "9\r\nforbidden\r\n0\r\n\r\n";
      for (String method : List.of("POST", "PUT", "PATCH")) {
        String answer = front.say(method + " /read/a", chunked, "Transfer-Encoding: chunked");
        assertTrue(answer.startsWith("HTTP/1.1 400"), answer);
        assertTrue(front.say(method + " /read/a", "forbidden", "Content-Length: 9").startsWith("HTTP/1.1 413"));
        assertTrue(front.say(method + " /read/a", "", "Content-Length: 0").startsWith("HTTP/1.1 200"));
      }
      assertTrue(front.get("/read/a").startsWith("HTTP/1.1 200"));
      assertTrue(front.say("DELETE /read/a", "").startsWith("HTTP/1.1 200"));
    }
  }
}
