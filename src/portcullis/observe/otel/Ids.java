package portcullis.observe.otel;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.trace.IdGenerator;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Generates random ids without the flag that says so (W3C Trace Context, level 2), which not every service knows yet.
 * The ids of a thread's next span can be set in advance.
 */
final class Ids implements IdGenerator {
  /** The two hexadecimal digits of each octet. */
  private static final byte[] HEX = digits();
  private static final int DIGITS_OF_A_LONG = 16;

  private final ThreadLocal<SpanContext> given = new ThreadLocal<>();

  private static byte[] digits() {
    StringBuilder all = new StringBuilder();
    for (int octet = 0; octet < 256; octet++) {
      HexFormat.of().toHexDigits(all, (byte) octet);
    }
    return all.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Sets the ids of the spans that this thread starts until {@link #forget}. */
  void give(SpanContext ids) {
    given.set(ids);
  }

  void forget() {
    given.remove();
  }

  static String spanId() {
    return hex(new byte[DIGITS_OF_A_LONG]);
  }

  static String traceId() {
    return hex(new byte[2 * DIGITS_OF_A_LONG]);
  }

  @Override
  public String generateSpanId() {
    SpanContext ids = given.get();
    return ids == null ? spanId() : ids.getSpanId();
  }

  @Override
  public String generateTraceId() {
    SpanContext ids = given.get();
    return ids == null ? traceId() : ids.getTraceId();
  }

  @Override
  public boolean generatesRandomTraceIds() {
    return false;
  }

  /** Fills the array with random digits, no sixteen of which are all zero: that would be an invalid id. */
  private static String hex(byte[] digits) {
    for (int at = 0; at < digits.length; at += DIGITS_OF_A_LONG) {
      long rest = ThreadLocalRandom.current().nextLong();
      while (rest == 0) {
        rest = ThreadLocalRandom.current().nextLong();
      }
      for (int i = at; i < at + DIGITS_OF_A_LONG; i += 2) {
        int octet = (int) rest & 0xff;
        digits[i] = HEX[2 * octet];
        digits[i + 1] = HEX[2 * octet + 1];
        rest >>>= 8;
      }
    }
    return new String(digits, StandardCharsets.ISO_8859_1);
  }
}
