package portcullis.observe.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What lasts is logged once, listed while it lasts, and its end is logged at every level. */
class ProblemsTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(out);
  private final Log log = new Log(Level.FATAL, LogFormat.TEXT, writer, now::get, "");

  private List<String> lines() {
    writer.close();
    return out.toString(StandardCharsets.UTF_8).lines().map(line -> line.substring(line.indexOf(' ') + 1)).toList();
  }

  @Test
  void logsAProblemOnceUntilItChanges() {
    Log errors = new Log(Level.ERROR, LogFormat.TEXT, writer, now::get, "");
    errors.problem("a", "Rules cannot be read", "_error", "gone", "_src", "/rules");
    now.set(START.plusSeconds(60));
    errors.problem("a", "Rules cannot be read", "_error", "gone", "_src", "/rules");
    errors.problem("a", "Rules cannot be read", "_error", "no permission", "_src", "/rules");
    errors.problem("b", "Other");
    assertEquals(List.of(new OngoingProblem(START, "Rules cannot be read /rules: no permission"),
        new OngoingProblem(START.plusSeconds(60), "Other")), errors.problems());
    assertTrue(errors.resolved("a", "Rules can be read again"));
    assertFalse(errors.resolved("a", "Rules can be read again"));
    assertTrue(errors.ongoing().end("b"));
    assertEquals(List.of(), errors.problems());
    assertEquals(List.of("ERR Rules cannot be read error=gone _src=/rules",
        "ERR Rules cannot be read error=\"no permission\" _src=/rules", "ERR Other", "NTC Rules can be read again"),
        lines());
  }

  @Test
  void logsNoticesUnlessDisabled() {
    log.error("not at this level");
    log.notice("at every level", "_n", 1);
    new Log(Level.DISABLED, LogFormat.TEXT, writer, now::get, "").notice("not where logging is disabled");
    new Log(Level.INFO, LogFormat.TEXT, writer, now::get, "").notice("at its own level");
    assertEquals(List.of("NTC at every level _n=1", "INF at its own level"), lines());
    assertEquals(5, Level.NOTICE.syslog());
    assertFalse(Level.byName().containsKey("notice"));
    assertEquals(8, Level.byName().size());
  }

  @Test
  void remembersLostLinesForAnHour() {
    LogLosses losses = new LogLosses();
    losses.failing(Optional.of("No space left on device"), START);
    losses.lost(40, "No space left on device", START);
    losses.lost(40, "No space left on device", START.plusSeconds(1));
    losses.lost(50, "No space left on device", START.plusSeconds(2));
    assertEquals(List.of(new OngoingProblem(START, "the log cannot be written: No space left on device"),
        new OngoingProblem(START, "log lines were dropped, 50 since the start, the last at 2030-01-01T00:00:02Z: No "
            + "space left on device")),
        losses.problems(START.plusSeconds(2)));
    losses.failing(Optional.empty(), START.plusSeconds(3));
    Instant later = START.plusSeconds(2).plus(LogLosses.REMEMBERED);
    assertEquals(1, losses.problems(later.minusMillis(1)).size());
    assertEquals(List.of(), losses.problems(later));
    losses.lost(51, "too fast", later);
    assertEquals(List.of(later), losses.problems(later).stream().map(OngoingProblem::since).toList());
  }
}
