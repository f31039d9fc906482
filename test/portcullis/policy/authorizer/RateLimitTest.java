package portcullis.policy.authorizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.StubService;
import portcullis.http.message.Field;
import portcullis.http.message.Request;
import portcullis.policy.limit.Limits;
import portcullis.policy.limit.RateStore;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.pipeline.PipelineResult;
import portcullis.policy.rule.Rules;
import portcullis.policy.rule.Stage;

class RateLimitTest {
  private static final String ANYBODY = "authenticators: [{id: user, type: anonymous}]\n";
  private static final String STEPS = "{authenticator: user}, {authorizer: few}";
  private static final String BY_WHO = "key: '{{ .Request.Header \"X-Who\" }}', rate: 2/1m";

  private final Stage stage = new Stage(_ -> StubService.ok("yes"));

  @AfterEach
  void close() {
    stage.close();
  }

  private static Request who(String name) {
    return Rules.request("/shop", "", "X-Who", name);
  }

  private static String few(String config) {
    return ANYBODY + "authorizers: [{id: few, type: rate_limit, config: {" + config + "}}]\n";
  }

  private PipelineResult result(String config, String name) {
    return stage.result(few(config), STEPS, who(name));
  }

  private static List<String> fields(PipelineResult result) {
    Iterable<Field> fields = switch (result) {
      case PipelineResult.Passed passed -> passed.state().response();
      case PipelineResult.Failed failed ->
        failed.stepFailure().failure().find(Failure.TooManyRequests.class).orElseThrow().headers();
    };
    List<String> out = new ArrayList<>();
    fields.forEach(field -> out.add(field.name() + ": " + field.value()));
    return out;
  }

  @Test
  void eachKeyHasABucket() {
    assertTrue(result(BY_WHO, "ann") instanceof PipelineResult.Passed);
    assertTrue(result(BY_WHO, "ann") instanceof PipelineResult.Passed);
    assertEquals("too many requests: rate limit `default` exceeded",
        ((PipelineResult.Failed) result(BY_WHO, "ann")).stepFailure().failure().report());
    assertTrue(result(BY_WHO, "bob") instanceof PipelineResult.Passed);
    stage.later(Duration.ofSeconds(30));
    assertTrue(result(BY_WHO, "ann") instanceof PipelineResult.Passed);
    assertTrue(result(BY_WHO, "ann") instanceof PipelineResult.Failed);
  }

  @Test
  void responsesSayWhatIsLeft() {
    String config = BY_WHO + ", name: per-user, burst: 3";
    assertEquals(List.of("RateLimit-Policy: \"per-user\";q=3;w=90", "RateLimit: \"per-user\";r=2;t=30"),
        fields(result(config, "ann")));
    result(config, "ann");
    assertEquals(List.of("RateLimit-Policy: \"per-user\";q=3;w=90", "RateLimit: \"per-user\";r=0;t=90"),
        fields(result(config, "ann")));
    stage.later(Duration.ofSeconds(10));
    assertEquals(List.of("RateLimit-Policy: \"per-user\";q=3;w=90", "RateLimit: \"per-user\";r=0;t=20",
        "Retry-After: 20"), fields(result(config, "ann")));
  }

  @Test
  void severalLimitsCountOneByOne() {
    String mechanisms = ANYBODY + "authorizers:\n- {id: few, type: rate_limit, config: {name: a, " + BY_WHO + "}}\n"
        + "- {id: all, type: rate_limit, config: {name: b, key: all, rate: 3/1m}}\n";
    String steps = STEPS + ", {authorizer: all}";
    assertEquals(List.of("RateLimit-Policy: \"a\";q=2;w=60", "RateLimit: \"a\";r=1;t=30",
        "RateLimit-Policy: \"b\";q=3;w=60", "RateLimit: \"b\";r=2;t=20"),
        fields(stage.result(mechanisms, steps, who("ann"))));
    stage.result(mechanisms, steps, who("bob"));
    stage.result(mechanisms, steps, who("eve"));
    assertEquals("too many requests: rate limit `b` exceeded", ((PipelineResult.Failed) stage.result(mechanisms, steps,
        who("joe"))).stepFailure().failure().report());
  }

  @Test
  void rulesOverrideTheRate() {
    String strict = "{authenticator: user}, {authorizer: few, config: {rate: 1/1m}}";
    stage.result(few(BY_WHO), strict, who("ann"));
    assertTrue(stage.result(few(BY_WHO), strict, who("ann")) instanceof PipelineResult.Failed);
    assertTrue(stage.result(few(BY_WHO), STEPS, who("ann")) instanceof PipelineResult.Passed);
  }

  @Test
  void decisionsBesidesTheServiceAreNotCounted() {
    stage.use(Limits.unlimited(InstantSource.system()));
    for (int i = 0; i < 100; i++) {
      assertTrue(result(BY_WHO, "ann") instanceof PipelineResult.Passed);
      assertTrue(result(BY_WHO + ", store: redis", "ann") instanceof PipelineResult.Passed);
    }
  }

  /** All requests without what the key reads would share its bucket. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      {{ .Subject.Attributes.tenant }}              | contains `<no value>`: something that it reads is missing
      user {{ .Subject.Attributes.tenant }}         | contains `<no value>`: something that it reads is missing
      {{ .Request.Header "X-Tenant" }}              | is empty
      {{ "  " }}                                    | is empty
      """)
  void keysWithoutAValueFail(String key, String problem) {
    PipelineResult result = result("key: '" + key + "', rate: 2/1m, name: few", "ann");
    assertEquals("argument error: the key of the rate limit `few` " + problem,
        ((PipelineResult.Failed) result).stepFailure().failure().report());
    assertTrue(result(BY_WHO, "ann") instanceof PipelineResult.Passed);
  }

  @ParameterizedTest
  @CsvSource({"memory, 2, default ALLOWED 2 default REFUSED 3", "allow, 5, default OUTAGE 5", "deny, 0, ''"})
  void anOutageIsHandledAsConfigured(String setting, int allowed, String counted) {
    RateStore away = (_, _) -> {
      throw new RateStore.UnavailableException("Redis cannot be used");
    };
    Instant now = Instant.EPOCH;
    Limits limits = Limits.of(() -> now, Optional.of(away));
    stage.use(limits);
    int passed = 0;
    for (int i = 0; i < 5; i++) {
      PipelineResult result = result(BY_WHO + ", store: redis, on_outage: " + setting, "ann");
      passed += result instanceof PipelineResult.Passed ? 1 : 0;
    }
    assertEquals(allowed, passed);
    assertEquals(counted, limits.counts().all().stream()
        .map(one -> one.limit() + " " + one.outcome() + " " + one.count()).sorted().collect(Collectors.joining(" ")));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      rate: 1/s                                         | `key` is missing
      key: a                                            | `rate` is missing
      key: a, rate: many                                | `many` is not a rate, write requests and a period of at most
      key: a, rate: 0/s                                 | `0/s` is not a rate
      key: a, rate: 1/s, burst: 0                       | burst
      key: a, rate: 1/744h, burst: 2                    | the bucket of this limit takes more than 744h to fill
      key: a, rate: 1/s, name: 'a b'                    | `a b` is not a name
      key: a, rate: 1/s, store: disk                    | store
      key: a, rate: 1/s, store: redis                   | `store: redis` needs the cache to be in Redis
      key: a, rate: 1/s, on_outage: deny                | `on_outage` has no effect, it is for `store: redis`
      key: '{{ .Cleint.Network }}', rate: 1/s           | Cleint
      key: '{{ .Client.Adress }}', rate: 1/s            | no member `Adress` in `Client`, did you mean `Address`?
      key: '{{ $c := .Client }}{{ $c.Host }}', rate: 1/s | no member `Host` in `Client`, known: Address, Network
      key: '', rate: 1/s                                | must not be empty
      """)
  void wrongSettingsAreRefused(String config, String reported) {
    String found = stage.wrong(few(config), STEPS);
    assertTrue(found.contains(reported), found);
  }

  @Test
  void keysReadTheClient() {
    String config = "key: '{{ .Client.Network }} {{ .Client.Address }} {{ .Subject.ID }}', rate: 1/1m";
    assertEquals("", stage.wrong(few(config), STEPS));
    assertTrue(result(config, "ann") instanceof PipelineResult.Passed);
    assertTrue(result(config, "bob") instanceof PipelineResult.Failed);
  }
}
