package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.RunningImage;

/** Walks through the demonstration as its visitors do. */
final class DemoTest {
  private static final HttpClient CLIENT = HttpClient.newBuilder()
      .version(HttpClient.Version.HTTP_1_1).build();
  private static RunningImage image;
  private static String home;
  private static DemoVisitor browser;
  private static DemoVisitor program;

  @BeforeAll
  static void start() {
    image = RunningImage.start("demo", "--port", "0");
    home = image.await("http://127\\.0\\.0\\.1:\\d+/").group();
    browser = DemoVisitor.browser(CLIENT, home);
    program = DemoVisitor.program(CLIENT, home);
  }

  @AfterAll
  static void end() {
    image.close();
    CLIENT.shutdownNow();
  }

  @Test
  void printsLinesToTry() {
    String reported = image.await("Ctrl-C").replaceFirst("$0");
    assertEquals(4, reported.lines().filter(line -> line.strip().startsWith("curl ")).count(), reported);
    assertEquals(1, reported.lines().filter(line -> line.strip().startsWith("for i in ")).count(), reported);
  }

  @Test
  void homePageIsPublicAndSendsNoSubject() throws Exception {
    HttpResponse<String> page = browser.get("/");
    HttpResponse<String> json = program.get("/");
    assertAll(
        () -> assertEquals(200, page.statusCode()),
        () -> assertEquals(Optional.of("text/html; charset=utf-8"), page.headers().firstValue("Content-Type")),
        () -> assertTrue(page.body().contains("unknown"), page.body()),
        () -> assertTrue(json.body().contains("\"X-Forwarded-For\": \"127.0.0.1\""), json.body()),
        () -> assertFalse(json.body().contains("\"subject\""), json.body()));
  }

  @Test
  void eachPageShowsHowItWasDecided() throws Exception {
    String mine = browser.signedInAs("ann").get("/me").body();
    assertTrue(mine.contains("How Portcullis decided") && mine.contains("rule      `my page` of rules/demo.yaml:"),
        mine);
    assertTrue(mine.contains("step      login"), mine);
    assertTrue(mine.contains("result    allowed, subject `ann`"), mine);
    assertTrue(mine.contains("adds      Authorization: ***"), mine);

    DemoVisitor bob = browser.signedInAs("bob");
    String forbidden = bob.get(DemoVisitor.location(bob.get("/admin")).orElseThrow()).body();
    assertTrue(forbidden.contains("Why it was refused") && forbidden.contains("rule      `admin` of"), forbidden);
    assertTrue(forbidden.contains("false: Values.group in Subject.Attributes.groups"), forbidden);
    assertTrue(forbidden.contains("rule      `identity` of"), forbidden);

    String unknown = browser.get(DemoVisitor.location(browser.get("/nowhere")).orElseThrow()).body();
    assertTrue(unknown.contains("no rule matches GET " + home + "nowhere"), unknown);

    String json = program.withTokenOf("ann").get("/api/documents/1").body();
    assertTrue(json.contains("rule      `view a document` of"), json);
  }

  @Test
  void clientsCannotGiveThemselvesASubject() throws Exception {
    String stolen = program.post("/token", "user", "ann").body();
    String shown = program.with("Authorization", "Bearer " + stolen).get("/").body();
    assertTrue(shown.contains("\"signed_by_the_proxy\": false"), shown);
    assertFalse(shown.contains("\"subject\""), shown);
  }

  @Test
  void browserWithoutSessionSignsInAndComesBack() throws Exception {
    HttpResponse<String> refused = browser.get("/me?tab=1");
    String login = DemoVisitor.location(refused).orElseThrow();
    assertEquals(302, refused.statusCode());
    assertTrue(login.startsWith(home + ".portcullis/login?login=") && login.endsWith("&return_to=%2Fme%3Ftab%3D1"),
        login);

    String provider = DemoVisitor.location(browser.get(login)).orElseThrow();
    HttpResponse<String> people = browser.get(provider);
    assertEquals(200, people.statusCode());
    assertTrue(people.body().contains("value=\"bob\"") && people.body().contains("name=\"code_challenge\""),
        people.body());

    HttpResponse<String> page = browser.signedInAs("bob", "/me?tab=1").get("/me?tab=1");
    assertEquals(200, page.statusCode());
    assertTrue(page.body().contains("Bob Baker") && page.body().contains("Its signature is good"), page.body());
    assertFalse(page.body().contains("__Host-"), page.body());
  }

  @Test
  void programWithoutSessionGetsTheBareStatus() throws Exception {
    assertEquals(401, program.get("/me").statusCode());
    assertEquals(401, program.with("Cookie", "__Host-portcullis=guessed").get("/me").statusCode());
  }

  @Test
  void onlyTheGroupAdminSeesTheAdminPage() throws Exception {
    HttpResponse<String> admin = browser.signedInAs("ann").get("/admin");
    DemoVisitor bob = browser.signedInAs("bob");
    HttpResponse<String> refused = bob.get("/admin");
    assertEquals(200, admin.statusCode());
    assertEquals(302, refused.statusCode());
    HttpResponse<String> shown = bob.get(DemoVisitor.location(refused).orElseThrow());
    assertEquals(403, shown.statusCode());
    assertTrue(shown.body().contains("You may not pass") && shown.body().contains("[&quot;staff&quot;]"), shown.body());
    assertEquals(302, browser.signedInAs("cleo").get("/admin").statusCode());
  }

  @Test
  void unknownPathEndsOnTheErrorPage() throws Exception {
    HttpResponse<String> refused = browser.get("/nowhere");
    HttpResponse<String> shown = browser.get(DemoVisitor.location(refused).orElseThrow());
    assertAll(
        () -> assertEquals(302, refused.statusCode()),
        () -> assertEquals(404, shown.statusCode()),
        () -> assertTrue(shown.body().contains("No rule leads there"), shown.body()),
        () -> assertEquals(401, program.get("/nowhere").statusCode()),
        () -> assertEquals(401, program.get("/session").statusCode()),
        () -> assertEquals(401, program.get("/keys").statusCode()));
  }

  @Test
  void logoutEndsTheSession() throws Exception {
    DemoVisitor ann = browser.signedInAs("ann");
    assertEquals(200, ann.get("/me").statusCode());
    HttpResponse<String> left = ann.get("/.portcullis/logout?return_to=/");
    assertTrue(left.headers().firstValue("Set-Cookie").orElseThrow().contains("Max-Age=0"));
    HttpResponse<String> back = ann.get(DemoVisitor.location(left).orElseThrow());
    assertTrue(DemoVisitor.location(back).orElseThrow().startsWith(home + ".portcullis/logout?state="));
    HttpResponse<String> end = browser.get(DemoVisitor.location(back).orElseThrow());
    assertEquals(Optional.of("/"), DemoVisitor.location(end));
    assertEquals(302, ann.get("/me").statusCode()); // the cookie is of no use any more
  }

  @Test
  void reportAsksForAPassword() throws Exception {
    HttpResponse<String> receivedCalls = browser.get("/report");
    assertEquals(401, receivedCalls.statusCode());
    assertEquals(Optional.of("Basic realm=\"The watchman's report\""),
        receivedCalls.headers().firstValue("WWW-Authenticate"));
    assertEquals(401, program.with("Authorization", basic("watchman:wrong")).get("/report").statusCode());
    HttpResponse<String> page = program.with("Authorization", basic("watchman:portcullis")).get("/report");
    assertEquals(200, page.statusCode());
    assertTrue(page.body().contains("\"subject\": \"watchman\""), page.body());
  }

  @Test
  void wrongPasswordsLockAUserOut() throws Exception {
    DemoVisitor guesser = program.with("Authorization", basic("guesser:guess"));
    for (int attempt = 0; attempt < 5; attempt++) {
      assertEquals(401, guesser.get("/report").statusCode());
    }
    HttpResponse<String> locked = guesser.get("/report");
    assertEquals(429, locked.statusCode());
    assertTrue(locked.headers().firstValue("Retry-After").isPresent());
  }

  @Test
  void stockIsForProgramsWithAnApiKeyAndNotTooOften() throws Exception {
    String key = image.await("X-Api-Key: (demo_[a-z0-9_]+)").group(1);
    HttpResponse<String> without = program.get("/stock");
    assertEquals(401, without.statusCode());
    assertTrue(without.headers().firstValue("WWW-Authenticate").orElse("").startsWith("Basic realm=\"The stock"));
    assertEquals(401, program.with("X-Api-Key", key.substring(0, key.length() - 1)).get("/stock").statusCode());

    HttpResponse<String> page = program.with("X-Api-Key", key).get("/stock");
    assertEquals(200, page.statusCode());
    assertTrue(page.body().contains("\"subject\": \"forklift\""), page.body());
    assertTrue(page.body().contains("\"scopes\": [\"stock\"]"), page.body());
    assertFalse(page.body().contains("\"X-Api-Key\"") || page.body().contains(key), page.body());
    assertTrue(page.body().contains("removes   X-Api-Key"), page.body());
    assertFalse(page.body().contains("removes   Content-Length"), page.body());
    HttpResponse<String> inBrowser = browser.with("Authorization", basic("any:" + key)).get("/stock");
    assertEquals(200, inBrowser.statusCode());
    assertFalse(inBrowser.body().contains(basic("any:" + key)), inBrowser.body());

    HttpResponse<String> next = page;
    for (int request = 0; request < 60 && next.statusCode() == 200; request++) {
      assertTrue(next.headers().firstValue("RateLimit").orElse("").startsWith("\"six-a-minute\";r="));
      next = program.with("X-Api-Key", key).get("/stock");
    }
    assertEquals(429, next.statusCode());
    assertTrue(next.headers().firstValue("Retry-After").isPresent());
    assertFalse(image.output().replaceAll("(?m)^  .*", "").contains(key), "in the log");
  }

  private static String basic(String credentials) {
    return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      ann  | GET    | /api/documents   | 200 | Inventory of the treasury
      ann  | GET    | /api/documents/1 | 200 | Plan of the castle
      ann  | DELETE | /api/documents/1 | 200 | "subject": "ann"
      ann  | DELETE | /api/documents/2 | 403 | only editors of a document may change it
      bob  | GET    | /api/documents   | 200 | "documents": ["document:2"]
      bob  | GET    | /api/documents/1 | 403 | "message": "you may not do that"
      bob  | GET    | /api/documents/2 | 200 | Duty roster
      bob  | POST   | /api/documents/2 | 200 | "request": "POST /api/documents/2"
      cleo | GET    | /api/documents/3 | 200 | "name": "Cleo Carter"
      cleo | GET    | /api/documents/9 | 403 | forbidden
      """)
  void relationsDecideOnDocuments(String person, String method, String path, int status, String shown)
      throws Exception {
    HttpResponse<String> answer = program.withTokenOf(person).send(method, path);
    assertEquals(status, answer.statusCode());
    assertTrue(answer.body().contains(shown), answer.body());
  }

  @Test
  void apiWantsAGoodToken() throws Exception {
    HttpResponse<String> without = program.get("/api/documents/1");
    assertEquals(401, without.statusCode());
    assertEquals(Optional.of("Bearer"), without.headers().firstValue("WWW-Authenticate"));
    assertTrue(without.body().contains("\"error\": \"unauthorized\""), without.body());
    String token = program.post("/token", "user", "ann").body();
    String forged = token.substring(0, token.length() - 4) + "AAAA";
    assertEquals(401, program.with("Authorization", "Bearer " + forged).get("/api/documents/1").statusCode());
  }
}
