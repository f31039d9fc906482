package portcullis.policy.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.StubService;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.Response;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;

/** What a browser gets where the provider sends something unusable, or where the request does. */
class ProviderResponsesTest {
  @TempDir
  private Path folder;
  private LoginBench bench;
  private LoginBench.Browser browser;
  private Mechanism.Authenticator login;

  @BeforeEach
  void open() {
    bench = new LoginBench(folder);
    browser = bench.new Browser();
    login = bench.login();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  /** Returns the response to a browser that signs in while an endpoint of the provider responds with this. */
  private Response signIn(String endpoint, String odd) throws Failure {
    String callback = "/.portcullis/callback?" + bench.provider.authorize(browser.start(login, "/"));
    bench.provider.odd.put(endpoint, odd);
    Request request = browser.request("GET", callback, "", "Sec-Fetch-Mode", "navigate");
    try {
      return browser.answered(login, request);
    } catch (Failure e) {
      return login.endpoints().orElseThrow().failed(request, e).orElseThrow();
    }
  }

  private static String shown(Response response) {
    String page = new String(response.body(), StandardCharsets.UTF_8);
    return response.status() + page.replaceAll("(?s).*?</h1>|<[^>]*>|Try again", " ").strip().indent(1).stripTrailing();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u0001\u0007\u007f<", "{\"id_token\":", "[]", "DEEP", ""})
  void tokensThatCannotBeReadAreTheProvidersFault(String body) throws Exception {
    String sent = body.equals("DEEP") ? "{\"a\":" + "[".repeat(90_000) + "]".repeat(90_000) + "}" : body;
    assertEquals("502 The sign-in service cannot be reached at the moment.",
        shown(signIn("/token", StubService.ok(sent, StrictProvider.JSON))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"not JSON", "{\"keys\":{}}"})
  void keysThatCannotBeReadAreTheProvidersFault(String body) throws Exception {
    assertEquals(502, signIn("/jwks", StubService.ok(body)).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"not JSON", "[]"})
  void metadataThatCannotBeReadAreTheProvidersFault(String body) {
    bench.provider.odd.put("/.well-known/openid-configuration", StubService.ok(body));
    assertThrows(Failure.Communication.class, () -> browser.start(login, "/"));
  }

  @ParameterizedTest
  @CsvSource({"application/json, 403", "Application/JSON ; charset=utf-8, 403", "application/json;, 403",
    "text/html, 502", "application/jsonp, 502", "text/plain;application/json, 502"})
  void tokensAreJsonByTheirMediaType(String type, int status) throws Exception {
    String body = "{\"access_token\":\"a\",\"id_token\":\"no token\"}";
    assertEquals(status, signIn("/token", StubService.ok(body, "Content-Type: " + type)).status());
  }

  @ParameterizedTest
  @CsvSource({"400, 'application/json', 403", "401, 'application/json', 403", "400, 'text/html', 502",
    "500, 'application/json', 502"})
  void errorsAreJsonByTheirMediaType(int status, String type, int expected) throws Exception {
    assertEquals(expected, signIn("/token", StubService.answer(status, "{\"error\":\"invalid_grant\"}",
        "Content-Type: " + type)).status());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, '\n', '\r', 0x1b, 0x7f, 0x85})
  void noUserHasControlCharacters(int control) throws Exception {
    bench.provider.claims.put("sub", Value.of("ann" + (char) control + "[2J"));
    assertEquals(403, browser.signIn(login, "/").status());
    assertEquals("authentication error: no session", browser.visit(login));
    assertTrue(bench.logged().contains("the subject has a control character"));
  }

  @ParameterizedTest
  @ValueSource(strings = {" bob", "bob ", " "})
  void noUserHasBlanksAround(String sub) throws Exception {
    bench.provider.claims.put("sub", Value.of(sub));
    assertEquals(403, browser.signIn(login, "/").status());
    assertTrue(bench.logged().contains("the subject begins or ends with a blank"));
    bench.provider.claims.put("sub", Value.of("bob the first"));
    assertEquals(303, browser.signIn(login, "/").status());
  }

  @Test
  void aBrowserWithoutTlsSeesWhatIsWrong() throws Exception {
    var plain = new Request("GET", "http", Authority.parse("app.example").orElseThrow(),
        browser.request("GET", "/.portcullis/login", "").path(), "", Fields.of("Sec-Fetch-Mode", "navigate"),
        List.of(), Body.none());
    Failure failure = assertThrows(Failure.class, () -> browser.answered(login, plain));
    Optional<Response> page = login.endpoints().orElseThrow().failed(plain, failure);
    assertEquals("400 Sign-in needs https: this page was requested by http.", shown(page.orElseThrow()));
  }
}
