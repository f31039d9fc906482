package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.http.message.Request;

class BasicAuthTest {
  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private static Request basic(String credentials, Charset charset) {
    return Bench.with("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(charset)));
  }

  private static Request basic(String credentials) {
    return basic(credentials, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
      alice:a:b::c  | alice
      alice:a       | authentication error: invalid user credentials
      alice:c       | authentication error: invalid user credentials
      alice:        | authentication error: invalid user credentials
      :a:b::c       | authentication error: invalid user credentials
      :             | authentication error: invalid user credentials
      alice:a:b::c: | authentication error: invalid user credentials
      alice         | authentication error: malformed user-id - password scheme
      """)
  void thePasswordIsWhatFollowsTheFirstColon(String credentials, String outcome) {
    assertEquals(outcome,
        bench.make(BasicAuth.TYPE, "{user_id: alice, password: 'a:b::c'}").outcome(basic(credentials)));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
      Basic YTpi         | a
      Basic  YTpi        | a
      Basic YTpi=        | authentication error: failed to decode received credentials value
      Basic a:b          | authentication error: failed to decode received credentials value
      Basic YTpi,Basic x | authentication error: failed to decode received credentials value
      Basic YTpiYw       | authentication error: failed to decode received credentials value
      basic YTpi         | authentication error: expected header not present in request: argument error: \
      'Authorization' header present, but without required 'Basic' scheme: upper and lower case differ
      Bearer YTpi        | authentication error: expected header not present in request: argument error: \
      'Authorization' header present, but without required 'Basic' scheme
      """)
  void credentialsStandInBase64(String header, String outcome) {
    assertEquals(outcome,
        bench.make(BasicAuth.TYPE, "{user_id: a, password: b}").outcome(Bench.with("Authorization", header)));
  }

  @Test
  void bytesAreComparedAsTheyCome() {
    Bench.Made<?> made = bench.make(BasicAuth.TYPE, "{user_id: zoë, password: pässwörd €}");
    assertEquals("zoë", made.accepts(basic("zoë:pässwörd €")).id());
    made.refuses(basic("zoë:pässwörd ¤", StandardCharsets.ISO_8859_1));
    made.refuses(basic("zo\u00eb\u0000:pässwörd €"));
  }

  @Test
  void controlCharactersAreNoCredentials() {
    Bench.Made<?> made = bench.make(BasicAuth.TYPE, "{user_id: alice, password: secret}");
    assertEquals("alice", made.accepts(basic("alice:secret")).id());
    for (String credentials : new String[] {"alice:secret\n", "alice:sec\u0000ret", "al\tice:secret",
      "\u007falice:secret"}) {
      assertEquals("authentication error: malformed user-id - password scheme", made.outcome(basic(credentials)));
    }
    for (String settings : new String[] {"{user_id: a, password: \"b\\n\"}", "{user_id: \"a\\t\", password: b}"}) {
      assertTrue(bench.problems(BasicAuth.TYPE, settings, Enforcement.NONE).contains("a control character cannot be "
          + "part of credentials"));
    }
  }

  /** Names have one spelling: another case is another user. */
  @Test
  void comparesUsersExactly() {
    Bench.Made<?> made = bench.make(BasicAuth.TYPE, "{user_id: alice, password: secret}");
    assertEquals("alice", made.accepts(basic("alice:secret")).id());
    for (String spelling : new String[] {"Alice", "ALICE", "alice ", " alice", "al\u0131ce"}) {
      assertEquals("authentication error: invalid user credentials", made.outcome(basic(spelling + ":secret")));
    }
  }

  @Test
  void rulesOverrideUserOrPassword() {
    Bench.Made<BasicAuth.Config> made = bench.make(BasicAuth.TYPE, "{user_id: alice, password: secret}");
    assertEquals("bob", made.refined("{user_id: bob}").accepts(basic("bob:secret")).id());
    made.refined("{user_id: bob}").refuses(basic("alice:secret"));
    assertEquals("alice", made.refined("{password: other}").accepts(basic("alice:other")).id());
    made.refined("{password: other}").refuses(basic("alice:secret"));
    assertEquals("alice", made.accepts(basic("alice:secret")).id());
    assertEquals("f:1:2: unknown key `realm`, known: allow_fallback_on_error, password, user_id",
        made.refusal("{realm: x}"));
  }

  /**
   * Both are compared whatever comes, so the three kinds of wrong credentials take one time; the median of many tries,
   * in turn.
   */
  @Test
  void unknownUserTakesAsLongAsWrongPassword() {
    Bench.Made<?> made = bench.make(BasicAuth.TYPE, "{user_id: alice, password: '" + "s".repeat(6000) + "'}");
    Request[] wrong = {basic("alice:" + "s".repeat(5999) + "x"), basic("xlice:" + "s".repeat(6000)),
      basic("alice:" + "x".repeat(6000))};
    long[][] times = new long[wrong.length][1000];
    for (int round = 0; round < times[0].length; round++) {
      for (int kind = 0; kind < wrong.length; kind++) {
        long begin = System.nanoTime();
        made.refuses(wrong[kind]);
        times[kind][round] = System.nanoTime() - begin;
      }
    }
    Arrays.stream(times).forEach(Arrays::sort);
    double[] medians = Arrays.stream(times).mapToDouble(all -> all[all.length / 2]).toArray();
    double least = Arrays.stream(medians).min().orElseThrow();
    assertTrue(Arrays.stream(medians).allMatch(median -> median < 1.5 * least), () -> Arrays.toString(medians));
  }

  @Test
  void nothingShowsThePassword() {
    Bench.Made<BasicAuth.Config> made = bench.make(BasicAuth.TYPE, "{user_id: alice, password: secret}");
    assertFalse((made.config() + " " + made.mechanism()).contains("secret"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      {user_id: a}                              | f:1:1: `password` is missing, it is a string: the password
      {password: a}                             | f:1:1: `user_id` is missing, it is a string: the user; or set \
      `users`, a file of many
      {user_id: a, password: ""}                | f:1:25: password: must not be empty
      {user_id: a, password: b, allow_fallback_on_error: true} | f:1:52: warning: allow_fallback_on_error: has no \
      effect, remove it: after every failure the next authenticator is tried
      """)
  void definitionsNameUserAndPassword(String yaml, String reported) {
    assertEquals(reported, bench.problems(BasicAuth.TYPE, yaml, Enforcement.ALL));
  }
}
