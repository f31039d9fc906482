package portcullis.observe.decisions;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** A second of the clock as it is written in lines: a time in UTC without its fraction and zone. Immutable. */
record SecondText(long epoch, byte[] text) {
  static SecondText of(long epoch) {
    String whole = Instant.ofEpochSecond(epoch).toString();
    return new SecondText(epoch, whole.substring(0, whole.length() - 1).getBytes(StandardCharsets.US_ASCII));
  }
}
