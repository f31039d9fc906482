package portcullis.http.grpc;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import portcullis.http.message.Fields;
import portcullis.lang.value.Digits;

/** The client's half of a call with one message each way. */
public final class Call {
  /** The size of the prefix of a message: whether it is compressed, and its length. */
  private static final int PREFIX = 5;
  /** The maximum deadline; longer ones are reduced to it. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private Call() {}

  /**
   * {@code Timeout = "grpc-timeout" 1*8DIGIT ( "H" / "M" / "S" / "m" / "u" / "n" )}: how long the client waits from
   * now.
   *
   * @throws GrpcException where it is anything else
   */
  public static Optional<Duration> timeout(Fields head) throws GrpcException {
    Optional<String> text = head.first("grpc-timeout");
    return text.isEmpty() ? Optional.empty() : Optional.of(duration(text.get()));
  }

  private static Duration duration(String text) throws GrpcException {
    String digits = text.isEmpty() ? "" : text.substring(0, text.length() - 1);
    long unit = text.isEmpty() ? 0 : nanos(text.charAt(text.length() - 1));
    boolean shaped = Digits.are(digits, 8);
    if (unit == 0 || !shaped) {
      throw new GrpcException(Code.INTERNAL, "malformed grpc-timeout");
    }
    BigInteger nanos = BigInteger.valueOf(unit).multiply(new BigInteger(digits));
    return Duration.ofNanos(nanos.min(BigInteger.valueOf(LONGEST.toNanos())).longValue());
  }

  private static long nanos(char unit) {
    return switch (unit) {
      case 'H' -> 3_600_000_000_000L;
      case 'M' -> 60_000_000_000L;
      case 'S' -> 1_000_000_000L;
      case 'm' -> 1_000_000L;
      case 'u' -> 1_000L;
      case 'n' -> 1L;
      default -> 0;
    };
  }

  /**
   * {@code Length-Prefixed-Message}, the one that there is, to the end of the body.
   *
   * @param most bytes of it
   * @throws GrpcException where there is not exactly one, or one that is compressed or too long
   * @throws IOException where the client broke off
   */
  public static byte[] message(Fields head, InputStream body, int most) throws GrpcException, IOException {
    byte[] prefix = body.readNBytes(PREFIX);
    if (prefix.length < PREFIX) {
      throw GrpcException.broken(prefix.length == 0 ? "there is none" : "it ends inside its length");
    }
    requirePlain(prefix[0], head);
    long length = ByteBuffer.wrap(prefix, 1, 4).getInt() & 0xffffffffL;
    if (length > most) {
      throw new GrpcException(Code.RESOURCE_EXHAUSTED, "a message of " + length + " bytes, " + most + " are the limit");
    }
    byte[] message = body.readNBytes((int) length);
    if (message.length < length) {
      throw GrpcException.broken("it ends before its length");
    }
    if (body.read() != -1) {
      throw GrpcException.broken("there is another one behind it");
    }
    return message;
  }

  private static void requirePlain(byte flag, Fields head) throws GrpcException {
    if (flag == 0) {
      return;
    }
    String encoding = head.first("grpc-encoding").orElse("identity");
    if (flag != 1 || encoding.equals("identity")) {
      throw GrpcException.broken("its compressed flag is wrong");
    }
    throw new GrpcException(Code.UNIMPLEMENTED, "messages are taken uncompressed only");
  }

  /** Returns a message as it travels. */
  public static byte[] framed(byte[] message) {
    return ByteBuffer.allocate(PREFIX + message.length).put((byte) 0).putInt(message.length).put(message).array();
  }
}
