package portcullis.observe.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class CausesTest {
  private static Throwable thrown(Throwable error, int line) {
    error.setStackTrace(new StackTraceElement[] {new StackTraceElement("a.B", "c", "B.java", line)});
    return error;
  }

  @Test
  void reportsEachCauseWithItsPlace() {
    Throwable error = thrown(new IllegalStateException("top", thrown(new IOException("below"), 2)), 1);
    assertEquals("java.lang.IllegalStateException: top at a.B.c(B.java:1), caused by java.io.IOException: below at "
        + "a.B.c(B.java:2)",
        Causes.text(error));
  }

  @Test
  void endsWhereCausesGoInACircleOrOn() {
    Throwable one = new IOException("one");
    one.initCause(new IOException("two", one));
    assertEquals(1, Causes.text(one).split("caused by").length - 1);
    Throwable deep = new IOException("x".repeat(5_000));
    for (int i = 0; i < 100; i++) {
      deep = new IOException("y".repeat(5_000), deep);
    }
    assertTrue(Causes.text(deep).length() < 20_000);
  }
}
