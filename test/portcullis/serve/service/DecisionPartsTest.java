package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import portcullis.config.Enforcement;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Value;
import portcullis.observe.decisions.KeyedHash;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.route.RouteIndex;
import portcullis.policy.rule.Catalogues;
import portcullis.policy.rule.ConfigurationDigests;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleOrigin;
import portcullis.policy.rule.RuleReader;

class DecisionPartsTest {
  private final DecisionParts parts = new DecisionParts();

  @Test
  void eachSubjectHasItsOwnHash() throws Exception {
    KeyedHash hash = new KeyedHash(SymmetricKey.parse("0b".repeat(32), "test"));
    Subject ann = new Subject("ann", Value.Dict.EMPTY);
    byte[] first = parts.subject(ann, hash);
    assertSame(first, parts.subject(new Subject(ann.id(), Value.Dict.EMPTY), hash), "of the same credential");
    for (String id : List.of("ann", "bob", new String("ann"), "")) {
      String written = new String(parts.subject(new Subject(id, Value.Dict.EMPTY), hash), StandardCharsets.UTF_8);
      assertEquals("\"subject\":\"" + hash.of(id) + "\"", written);
    }
  }

  @Test
  void aRuleIsWrittenWithItsPlaceAndTheDigestsThatAreKnown() {
    assertEquals("\"rule\":{\"id\":\"one\",\"rule_set\":\"s\"}", written(RuleOrigin.UNKNOWN));
    String known = "\"rule\":{\"id\":\"one\",\"rule_set\":\"s\",\"at\":\"f:3\",\"sha256\":\"a\","
        + "\"authenticators_sha256\":\"b\",";
    assertEquals(known + "\"configuration_sha256\":\"d\"}",
        written(new RuleOrigin("f:3", "a", "b", "", "d", ConfigurationDigests.Effect.UNKNOWN)));
    assertEquals(known + "\"rule_set_sha256\":\"c\",\"configuration_sha256\":\"d\"}",
        written(new RuleOrigin("f:3", "a", "b", "c", "d", ConfigurationDigests.Effect.UNKNOWN)));
  }

  private String written(RuleOrigin origin) {
    Problems problems = new Problems();
    Rule read = new RuleReader(
        Catalogues.of("authenticators: [{id: a, type: anonymous}]", Enforcement.NONE, problems), Optional.empty(),
        false, Optional.empty()).read("s", new SourceFile("f", """
            version: 1alpha4
            rules:
            - {id: one, match: {routes: [{path: /**}]}, execute: [{authenticator: a}]}
            """), problems).set().flatMap(set -> RouteIndex.<Rule>empty().with(List.of(set), problems))
        .orElseThrow(() -> new AssertionError(Catalogues.reported(problems))).listed().getFirst().value();
    Rule rule = new Rule(read.id(), read.source(), read.pipeline(), read.backend(), read.slashes(), read.readings(),
        read.hosts(), origin, read.revalidate());
    return new String(parts.rule(rule), StandardCharsets.UTF_8);
  }
}
