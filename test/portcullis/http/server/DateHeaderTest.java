package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DateHeaderTest {
  private static final DateTimeFormatter IMF_FIXDATE = DateTimeFormatter
      .ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US).withZone(ZoneOffset.UTC);

  @Test
  void writesTheExampleOfTheRfc() {
    assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", DateHeader.text(784111777));
  }

  @Test
  void writesEverySecondAsTheJdkDoes() {
    Random random = new Random(7);
    for (int i = 0; i < 2000; i++) {
      long second = random.nextLong(253_402_300_800L); // to the end of 9999
      assertEquals(IMF_FIXDATE.format(Instant.ofEpochSecond(second)), DateHeader.text(second));
    }
  }
}
