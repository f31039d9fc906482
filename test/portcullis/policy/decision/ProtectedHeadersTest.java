package portcullis.policy.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Enforcement;
import portcullis.http.message.CookieNames;
import portcullis.lang.source.Problems;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.rule.Catalogues;
import portcullis.policy.rule.Rules;

class ProtectedHeadersTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}]
      authorizers:
        - {id: may, type: remote, config: {endpoint: "http://a.test/", payload: x, \
      forward_response_headers_to_upstream: [X-Scope, Accept]}}
      finalizers:
        - {id: user, type: header, config: {headers: {X-User: a, X-Mail: a, Authorization: b, Cookie: c}}}
        - {id: role, type: header, config: {headers: {X-Role: a}}}
        - {id: jar, type: cookie, config: {cookies: {sid: a}}}
      """;

  private static Pipeline pipeline(String steps) {
    return Rules.pipeline(MECHANISMS, "execute: [{authenticator: anon}" + steps + "]");
  }

  private static ProtectedHeaders protectedBy(Pipeline... pipelines) {
    return ProtectedHeaders.of(List.of(pipelines), Catalogues.of(MECHANISMS, Enforcement.NONE, new Problems()));
  }

  @Test
  void headersOfAnyFinalizerAreProtected() {
    ProtectedHeaders protectedHeaders = protectedBy(pipeline(", {finalizer: user}"), pipeline(", {finalizer: role}"));
    for (String name : List.of("X-User", "X.User", "X-Mail", "x_role")) {
      assertTrue(protectedHeaders.headers().has(name), name);
    }
    assertFalse(protectedHeaders.headers().has("X-Other"));
  }

  @Test
  void headersThatAuthorizersForwardAreProtected() {
    ProtectedHeaders protectedHeaders = protectedBy(pipeline(", {authorizer: may}"));
    assertTrue(protectedHeaders.headers().has("X-Scope") && protectedHeaders.headers().has("x_scope"));
    assertFalse(protectedBy(pipeline("")).headers().has("X-Scope"));
  }

  @Test
  void headersThatClientsNeedThemselvesAreNotProtected() {
    ProtectedHeaders protectedHeaders = protectedBy(pipeline(", {authorizer: may}, {finalizer: user}"));
    for (String name : List.of("Authorization", "Cookie", "Accept", "accept")) {
      assertFalse(protectedHeaders.headers().has(name), name);
    }
  }

  @Test
  void cookiesOfAnyFinalizerAreProtected() {
    CookieNames names = protectedBy(pipeline(""), pipeline(", {finalizer: jar}")).cookies();
    assertTrue(names.covers("sid") && !names.covers("theme"));
    assertTrue(protectedBy(pipeline(", {finalizer: user}")).cookies().isEmpty());
  }

  @Test
  void cookiesOfLoginsAreProtectedWhereNoRuleUsesThem(@TempDir Path folder) throws IOException {
    Path keys = Files.writeString(folder.resolve("session.keys"), "0b".repeat(32));
    Problems problems = new Problems();
    CookieNames names = ProtectedHeaders.of(List.of(), Catalogues.of("""
        authenticators:
          - id: login
            type: oidc
            config:
              providers: [{issuer: "https://login.test", client_id: shop, client_auth: {client_secret: secret}}]
              session: {keys: "%s"}
        """.formatted(keys), Enforcement.NONE, problems)).cookies();
    assertEquals("", Catalogues.reported(problems));
    for (String name : List.of("__Host-portcullis", "__Host-portcullis-1", "__Host-portcullis-login-0",
        "__host_portcullis")) {
      assertTrue(names.covers(name), name);
    }
    assertFalse(names.covers("theme"));
  }

  @Test
  void thePageNamesTheExemptHeaders() throws IOException {
    String page = Files.readString(Path.of("config/docs/security.md"));
    int from = page.indexOf("Exempt are ");
    String named = page.substring(from, page.indexOf(':', from)).replaceAll("[^A-Za-z`-]+", " ");
    assertEquals(new TreeSet<>(ProtectedHeaders.CLIENTS_OWN), new TreeSet<>(Arrays.stream(named.split("[^`A-Za-z-]+"))
        .filter(word -> word.startsWith("`")).map(word -> word.replace("`", "").toLowerCase(Locale.ROOT)).toList()));
  }
}
