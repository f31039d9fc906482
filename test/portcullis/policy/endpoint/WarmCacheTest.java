package portcullis.policy.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import portcullis.fixture.StubService;
import portcullis.lang.value.Value;

/** That what is kept changes no verdict, for random settings and questions. */
class WarmCacheTest {
  private static final List<String> TEXTS = List.of("a", "b", "ab", "a/b", "a?b", "");
  private static final List<String> AUTH = List.of("", ", auth: {type: basic_auth, config: {user: a, password: bc}}",
      ", auth: {type: basic_auth, config: {user: ab, password: c}}", ", auth: {type: api_key, config: {in: header, "
          + "name: X-K, value: a}}",
      ", auth: {type: api_key, config: {in: cookie, name: k, value: a}}", ", auth: {type: api_key, config: {in: "
          + "query, name: k, value: b}}");
  private static final List<String> KEPT = List.of("", ", http_cache: {enabled: true}", ", http_cache: {enabled: "
      + "true, default_ttl: 1m}");

  /** A question of one rule: whom to request, what with, and what has to come back. */
  private record Question(Endpoint endpoint, String a, String b, byte[] body, int remainder) {
    static Question random(Random random, String url) {
      String yaml = "{url: '" + url + pick(random, List.of("/x/{{ .a }}", "/x{{ .b }}", "/{{ .a }}?q={{ .b }}", "/x"))
          + "', headers: {X-A: 'a{{ " + pick(random, List.of(".a", ".b")) + " }}', "
          + pick(random, List.of("X-B: y", "X-C: y")) + "}"
          + pick(random, List.of("", ", method: GET", ", method: PUT")) + pick(random, AUTH) + pick(random, KEPT) + "}";
      return new Question(Setup.endpoint(yaml.replace("/x{{ .b }}", "/x/{{ .b }}")), pick(random, TEXTS),
          pick(random, TEXTS),
          pick(random, TEXTS).getBytes(StandardCharsets.UTF_8), random.nextInt(3));
    }

    private static <T> T pick(Random random, List<T> from) {
      return from.get(random.nextInt(from.size()));
    }

    private EndpointRequest request() throws CallFailure {
      Value.Dict scope = new Value.Dict(Map.of("a", Value.of(a), "b", Value.of(b)));
      return endpoint.request(scope).body(body).forward("X-F", b).cookie("c", a.replace("/", "").replace("?", ""));
    }

    /** {@code denied}, or what the party said. */
    String answer(EndpointClient caller, Duration time) throws CallFailure {
      EndpointRequest request = request();
      try {
        return endpoint.cached(endpoint.key("test", request, List.of(), caller), request, time, caller, this::decided);
      } catch (Denied _) {
        return "denied";
      }
    }

    private String decided(EndpointResponse reply) throws Denied {
      String reported = new String(reply.body(), StandardCharsets.ISO_8859_1);
      if (Math.floorMod(reported.hashCode(), 3) == remainder) {
        throw new Denied();
      }
      return reported;
    }
  }

  private static final class Denied extends Exception {
    private static final long serialVersionUID = 1;
  }

  @Test
  void warmCacheChangesNoDecision() throws CallFailure {
    Random random = new Random(31);
    try (
        StubService stub = new StubService(
            receivedCalls -> StubService.ok(receivedCalls.toString(), "Cache-Control: max-age=60"));
        Setup cold = new Setup();
        Setup warm = new Setup()) {
      String url = stub.url("");
      for (int i = 0; i < 300; i++) {
        Question question = Question.random(random, url);
        String expected = question.answer(cold.caller, Duration.ZERO);
        for (int round = 0; round < 2; round++) {
          assertEquals(expected, question.answer(warm.caller, Duration.ofMinutes(1)), question.toString());
        }
      }
      assertTrue(stub.receivedCalls().size() < 900, "nothing was kept: " + stub.receivedCalls().size());
    }
  }
}
