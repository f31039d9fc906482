package portcullis.serve.console;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.crypto.keys.CryptoProvider;
import portcullis.observe.telemetry.OngoingProblem;
import portcullis.serve.service.StatusReport;
import portcullis.serve.service.StatusSource;
import portcullis.serve.shadow.ShadowReport;

/** A status that pages show in tests. @param shadow what came of shadow rules */
record PageStatus(Optional<StatusReport.Shadow> shadow, List<StatusReport.KeyStore> keys,
    List<StatusReport.Breaker> breakers) implements StatusSource {
  static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");
  static final PageStatus EMPTY = new PageStatus(Optional.empty(), List.of(), List.of());

  static StatusReport.Shadow newlyAllowed(long count) {
    return new StatusReport.Shadow(List.of(), Optional.of(new ShadowReport(NOW,
        Map.of(ShadowReport.Change.NEWLY_ALLOWED, count, ShadowReport.Change.UNCHANGED, 5L), 0, 0,
        List.of(new ShadowReport.Group(ShadowReport.Change.NEWLY_ALLOWED, count, "orders: 403", "orders: allowed",
            "abc123")))));
  }

  @Override
  public List<String> unreadyReasons() {
    return List.of();
  }

  @Override
  public StatusReport report() {
    return new StatusReport("1.2.3", NOW, new CryptoProvider("JDK 25", Optional.empty()),
        new StatusReport.Reading(NOW, true, List.of()), true, List.of(), shadow, keys, breakers,
        List.of(new StatusReport.Cache("in-memory", 3, 4000)), StatusReport.Live.NONE,
        List.of(new OngoingProblem(NOW, "the disk is full")));
  }
}
