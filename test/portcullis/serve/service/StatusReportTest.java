package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import portcullis.crypto.keys.CryptoProvider;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.observe.telemetry.OngoingProblem;
import portcullis.serve.shadow.ShadowReport;

/** What the status says. */
class StatusReportTest {
  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");

  private static String shadow(Optional<StatusReport.Shadow> rules) {
    StatusReport.Reading reading = new StatusReport.Reading(NOW, true, List.of());
    Value.Dict document = new StatusReport("1", NOW, new CryptoProvider("JDK", Optional.empty()), reading, false,
        List.of(), rules, List.of(), List.of(), List.of(), StatusReport.Live.NONE, List.of()).document(List.of());
    return document.get("shadow").map(JsonText::plain).orElse("none");
  }

  private static StatusReport.RuleSet ruleSet() {
    return new StatusReport.RuleSet("file_system:next.yaml", 2, new StatusReport.Reading(NOW, true, List.of()), "")
        .withDigest("0a1b");
  }

  @Test
  void shadowRulesAreShownWithTheirChanges() {
    ShadowReport report = new ShadowReport(NOW, Map.of(ShadowReport.Change.NEWLY_ALLOWED, 1L,
        ShadowReport.Change.NEWLY_DENIED, 2L, ShadowReport.Change.UNDECIDED, 4L, ShadowReport.Change.UNCHANGED, 8L), 16,
        32,
        List.of(new ShadowReport.Group(ShadowReport.Change.NEWLY_DENIED, 2, "allowed by rule `a`", "denied", "r-1")));
    assertEquals("""
        {"changes":[{"before":"allowed by rule `a`","change":"newly_denied","count":2,"now":"denied",\
        "request_id":"r-1"}],"compared":true,"decided":11,"denied_otherwise":0,"dropped":16,"newly_allowed":1,\
        "newly_denied":2,"rule_sets":[{"outcome":"applied","problems":[],"read":"2030-01-02T03:04:05Z","rules":2,\
        "sha256":"0a1b","source":"file_system:next.yaml"}],"since":"2030-01-02T03:04:05Z","unchanged":8,\
        "undecided":4,"waiting":32}""",
        shadow(Optional.of(new StatusReport.Shadow(List.of(ruleSet()), Optional.of(report)))));
  }

  @Test
  void shadowRulesThatAreNotComparedSaySo() {
    String text = shadow(Optional.of(new StatusReport.Shadow(List.of(ruleSet()), Optional.empty())));
    assertTrue(text.contains("\"compared\":false"), text);
    assertFalse(text.contains("decided") || text.contains("changes"), text);
    assertEquals("none", shadow(Optional.empty()));
  }

  @Test
  void everythingHasItsMember() {
    StatusReport.Reading rejected = new StatusReport.Reading(NOW, false, List.of("no"));
    StatusReport.RuleSet other = new StatusReport.RuleSet("http:a", 3, rejected, "");
    StatusReport report = new StatusReport("1.2", NOW, new CryptoProvider("JDK", Optional.of("why")), rejected, true,
        List.of(ruleSet(), other), Optional.empty(),
        List.of(new StatusReport.KeyStore("k.pem", List.of(new StatusReport.Key("k1", "ES256", Optional.of(NOW)),
            new StatusReport.Key("k2", "EdDSA", Optional.empty())))),
        List.of(new StatusReport.Breaker("http://a", 4, Optional.of(NOW)),
            new StatusReport.Breaker("http://b", 0, Optional.empty())),
        List.of(new StatusReport.Cache("in-memory", 5, 6)),
        new StatusReport.Live(Map.of("call", 7L), Map.of("locked", 8L), 9, Optional.empty()),
        List.of(new OngoingProblem(NOW, "full")));
    assertEquals("""
        {"breakers":[{"failures_in_a_row":4,"open_since":"T","service":"http://a"},{"failures_in_a_row":0,\
        "open_since":null,"service":"http://b"}],"caches":[{"bytes":6,"entries":5,"type":"in-memory"}],\
        "configuration":{"outcome":"rejected","problems":["no"],"read":"T"},"crypto":{"native":false,"obstacle":"why",\
        "provider":"JDK"},"default_rule":true,"key_stores":[{"file":"k.pem","keys":[{"algorithm":"ES256",\
        "expires":"T","id":"k1"},{"algorithm":"EdDSA","expires":null,"id":"k2"}]}],"locks":9,"problems":[{"since":"T",\
        "text":"full"}],"ready":false,"reasons":["early"],"rule_sets":[{"outcome":"applied","problems":[],"read":"T",\
        "rules":2,"sha256":"0a1b","source":"file_system:next.yaml"},{"outcome":"rejected","problems":["no"],\
        "read":"T","rules":3,"source":"http:a"}],"rules":5,"started":"T","streams":{"active":{"call":7},"ended":\
        {"locked":8}},"version":"1.2"}""",
        JsonText.plain(report.document(List.of("early"))).replace(NOW.toString(), "T"));
    Value.Dict ready = report.document(List.of());
    assertEquals(Optional.of(Value.TRUE), ready.get("ready"));
  }
}
