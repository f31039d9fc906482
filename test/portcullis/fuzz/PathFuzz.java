package portcullis.fuzz;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import portcullis.config.Enforcement;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.http.message.ResponseStatusException;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.Decision;
import portcullis.policy.decision.ProtectedHeaders;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.route.EncodedSlashes;
import portcullis.policy.route.Lookup;
import portcullis.policy.route.Match;
import portcullis.policy.route.RouteIndex;
import portcullis.policy.rule.Catalogues;
import portcullis.policy.rule.ReadingPolicy;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleReader;

/**
 * Random paths for random rules: what the matcher, an expression of CEL and the upstream see is one path, and whoever
 * judges again what the upstream got finds the same rule, or none where the first one decodes slashes.
 */
public final class PathFuzz {
  private static final List<String> SEGMENTS = List.of("a", "b", "admin", ":x", ":y", ":*", "%61", "c.d", "~", "\\:e",
      "A", "%C3%A9");
  private static final List<String> ENDS = List.of("", "", "/", "/**", "/*rest");
  private static final List<String> PIECES = List.of("/", "/", "/", "//", ".", "..", "a", "b", "admin", "A", "~", ";",
      ":e", "%2f", "%2F",
      "%2e", "%2E", "%5c", "\\", "%00", "%41", "%61", "%c3%a9", "%C3%A9", "%25", "%252f", "%3b", "%3F", "%", "[", "|",
      "+", "%20", "%ff", "x=1",
      "@", "%40", "'", "c.d", "b.", "%20", "\u00e9", "\u0001", "#", "?");
  private static final List<String> SLASHES = List.of("off", "on", "no_decode");
  private static final String SAME = "Request.URL.RawPath == Request.Header('X-Decided')";

  private final Random random;
  private final Catalogue catalogue;
  private final RuleReader reader;
  private RouteIndex<Rule> index = RouteIndex.empty();
  private String rules = "";
  private int receivedCalls;
  private int passed;
  private int decoded;
  private int strayed;

  public PathFuzz(Random random) {
    this.random = random;
    catalogue = Catalogues.of("""
        authenticators: [{id: anon, type: anonymous}]
        authorizers: [{id: same, type: cel, config: {expressions: [{expression: "%s"}]}}]
        finalizers: [{id: noop, type: noop}]
        """.formatted(SAME), Enforcement.NONE, new Problems());
    reader = new RuleReader(catalogue, Optional.empty(), false, Optional.empty());
  }

  /** Tries one path; now and then with other rules. */
  public void once() {
    if (receivedCalls++ % 200 == 0) {
      renew();
    }
    String raw = raw();
    try {
      Optional<RequestPath> read = read(raw);
      if (read.isPresent() && read.get().canonical().contains("%5C")) {
        refused(read.get());
      } else if (read.isPresent()) {
        check(read.get());
      }
    } catch (RuntimeException | ResponseStatusException | AssertionError e) {
      throw new AssertionError("of the path `" + raw + "` and these rules:\n" + rules, e);
    }
  }

  /** How many requests a rule has let pass. */
  public int passed() {
    return passed;
  }

  /** How many of these had encoded slashes that the rule decodes. */
  public int decoded() {
    return decoded;
  }

  /** How many requests were refused since their path, its slashes decoded, is that of another rule. */
  public int strayed() {
    return strayed;
  }

  /** Rules of which those are left out that do not go with the ones before. */
  private void renew() {
    index = RouteIndex.empty();
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      String rule = rule(i);
      Problems problems = new Problems();
      SourceFile file = new SourceFile("f", "version: 1alpha4\nrules:\n" + rule);
      Optional<RouteIndex<Rule>> next = reader.read("s" + i, file, problems).set()
          .flatMap(set -> index.with(List.of(set), problems));
      if (next.isPresent()) {
        index = next.get();
        all.append(rule);
      }
    }
    rules = all.toString();
  }

  private String rule(int number) {
    StringBuilder path = new StringBuilder();
    for (int n = random.nextInt(4); n > 0; n--) {
      path.append('/').append(SEGMENTS.get(random.nextInt(SEGMENTS.size())));
    }
    path.append(ENDS.get(random.nextInt(ENDS.size())));
    String slashes = SLASHES.get(random.nextInt(SLASHES.size()));
    return ("- {id: r%d, allow_encoded_slashes: %s, match: {routes: [{path: '%s'}]}, execute: [{authenticator: anon}, "
        + "{authorizer: same}]}%n").formatted(number, slashes, path.isEmpty() ? "/" : path);
  }

  private String raw() {
    StringBuilder out = new StringBuilder(random.nextInt(50) == 0 ? "" : "/");
    for (int n = random.nextInt(12); n > 0; n--) {
      out.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return out.toString();
  }

  private static Optional<RequestPath> read(String raw) {
    try {
      return Optional.of(RequestPath.read(raw));
    } catch (ResponseStatusException _) {
      return Optional.empty();
    }
  }

  /** Backslashes pass by no rule that does not let them. */
  private void refused(RequestPath path) {
    try {
      check(path);
    } catch (ResponseStatusException refusal) {
      equal(400, refusal.status());
      return;
    }
    throw new AssertionError("an encoded backslash passed");
  }

  private void check(RequestPath path) throws ResponseStatusException {
    Optional<Rule> rule = rule(path.canonical());
    boolean decodes = rule.filter(r -> r.slashes() == EncodedSlashes.ON).isPresent();
    RequestPath seen = decodes ? path.withSlashesDecoded() : path;
    Snapshot snapshot = new Snapshot(0, catalogue, index, Optional.empty(), ProtectedHeaders.NONE);
    Decision decision = new Decider(() -> snapshot, catalogue.context().log()).decide(new Request("GET", "http",
        Authority.parse("any.test").orElseThrow(), path, "", Fields.of("X-Decided", seen.canonical()), List.of(),
        Body.none()), Observer.NONE);
    RequestPath upstream = RequestPath.readUnresolved(seen.spelling());
    equal(List.of(seen.canonical(), seen.spelling()), List.of(upstream.canonical(), upstream.spelling()));
    Optional<Rule> again = rule(upstream.canonical());
    boolean strays = decodes && path.hasEncodedSlash() && !again.equals(rule)
        && (again.isPresent() || spelledOut(path) == 0);
    switch (decision) {
      case Decision.Allow allow -> {
        passed++;
        decoded += decodes && path.hasEncodedSlash() ? 1 : 0;
        equal(rule, Optional.of(allow.rule()));
        equal(seen.spelling(), allow.state().request().path().spelling());
        // once slashes are decoded there may be no rule any more, but never another one
        equal(false, strays || again.isEmpty() && !decodes);
        otherReadings(seen, allow.rule(), decodes);
      }
      case Decision.Own _ -> throw new AssertionError("no mechanism has endpoints");
      case Decision.Refuse refuse -> {
        boolean slash = rule.filter(r -> r.slashes() == EncodedSlashes.OFF).isPresent() && path.hasEncodedSlash();
        boolean other = refuse.stepFailure().failure().report().contains("read as");
        strayed += strays ? 1 : 0;
        equal(true, rule.isEmpty() || slash || other && hasOtherReadings(path));
        equal(false, refuse.stepFailure().failure().report().contains("expression"));
      }
    }
  }

  private int spelledOut(RequestPath path) {
    return index.find(Lookup.of("http", "GET", "any.test", path.canonical())).orElseThrow().spelledOut();
  }

  private static boolean hasOtherReadings(RequestPath path) {
    return (path.otherReadings() & ReadingPolicy.DEFAULT.guarded()) != 0;
  }

  /** What common servers make of the path, each said in one expression: no other rule is named by it. */
  private void otherReadings(RequestPath seen, Rule rule, boolean decodes) {
    String decided = seen.canonical();
    int own = decodes ? 0 : spelledOut(seen);
    String head = decided.substring(0, own);
    String rest = decided.substring(own);
    for (String read : List.of(rest.replaceAll(";[^/]*", ""), rest.replaceAll("(;|%3B)[^/]*", ""),
        withoutDots(rest), withoutDots(rest.replaceAll(";[^/]*", "")))) {
      String merged = (head + read).replaceAll("/+", "/");
      Optional<Rule> other = rule(merged);
      if (!merged.equals(decided) && other.isPresent()) {
        equal(rule, other.get());
      }
    }
  }

  /** Three dots and more are a name. */
  private static String withoutDots(String path) {
    return path.replaceAll("(?<![/.])[.]+(?=/|$)", "");
  }

  private Optional<Rule> rule(String decided) {
    return index.find(Lookup.of("http", "GET", "any.test", decided)).map(Match::value);
  }

  private static void equal(Object expected, Object seen) {
    if (!expected.equals(seen)) {
      throw new AssertionError("expected " + expected + ", but there is " + seen);
    }
  }
}
