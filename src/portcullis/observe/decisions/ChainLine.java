package portcullis.observe.decisions;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.crypto.keys.Jca;

/**
 * The place of a line in an audit chain. A line begins with the id of its chain, its number and the hash of the line
 * before, and ends with its own hash: the SHA-256 of everything before that member.
 *
 * @param chain 16 hexadecimal digits
 * @param number 1 for the first line
 * @param previous the hash of the line before; zeros in the first line
 */
public record ChainLine(String chain, long number, String previous, String hash) {
  /** What the first line has as the hash before it. */
  public static final String NONE = "0".repeat(64);
  private static final int CHAIN_BYTES = 8;
  private static final int HEAD = 160;
  private static final String BEFORE_HASH = ",\"hash\":\"";
  private static final int TAIL = BEFORE_HASH.length() + 64 + 2;
  private static final Pattern BEGIN = Pattern.compile("\\{\"chain\":\"([0-9a-f]{16})\",\"seq\":([1-9][0-9]{0,17}),"
      + "\"prev\":\"([0-9a-f]{64})\",.*", Pattern.DOTALL);
  private static final Pattern END = Pattern.compile(BEFORE_HASH + "([0-9a-f]{64})\"}");

  /** Returns the place of a line, without its end, whose own hash is right; empty for any other. */
  public static Optional<ChainLine> of(byte[] line) {
    if (line.length < TAIL) {
      return Optional.empty();
    }
    int end = line.length - TAIL;
    Matcher begin = BEGIN.matcher(new String(line, 0, Math.min(HEAD, line.length), StandardCharsets.ISO_8859_1));
    Matcher tail = END.matcher(new String(line, end, TAIL, StandardCharsets.ISO_8859_1));
    if (!begin.matches() || !tail.matches()) {
      return Optional.empty();
    }
    MessageDigest digest = Jca.sha256();
    digest.update(line, 0, end);
    String hash = HexFormat.of().formatHex(digest.digest());
    return hash.equals(tail.group(1))
        ? Optional.of(new ChainLine(begin.group(1), Long.parseLong(begin.group(2)), begin.group(3), hash))
        : Optional.empty();
  }

  /** Returns the id of another chain. */
  static String newChain() {
    byte[] random = new byte[CHAIN_BYTES];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  /** Returns what a line begins with. */
  static String begin(String chain, long number, String previous) {
    return "{\"chain\":\"" + chain + "\",\"seq\":" + number + ",\"prev\":\"" + previous + "\",";
  }

  /** Returns what a line ends with. */
  static String end(String hash) {
    return BEFORE_HASH + hash + "\"}";
  }

  /** Returns whether it follows a line directly. */
  public boolean follows(ChainLine before) {
    return chain.equals(before.chain) && number == before.number + 1 && previous.equals(before.hash);
  }

  /** Returns whether the bytes begin as the next line does. */
  public boolean precedes(byte[] line) {
    return new String(line, StandardCharsets.ISO_8859_1).startsWith(begin(chain, number + 1, hash));
  }

  /**
   * Returns whether the bytes can be the beginning of the next line, which its process has not written to the end, or
   * what a file system has in the place of bytes that it has not stored.
   */
  public boolean mayPrecede(byte[] torn) {
    int length = torn.length;
    while (length > 0 && torn[length - 1] == 0) {
      length--;
    }
    String begun = new String(torn, 0, length, StandardCharsets.ISO_8859_1);
    String next = begin(chain, number + 1, hash);
    return begun.indexOf('\n') < 0 && (begun.startsWith(next) || next.startsWith(begun));
  }

  /** Returns the part of a line that its signature is over; empty if it has none. */
  static Optional<byte[]> signedPart(byte[] line, String beforeSignature) {
    int at = new String(line, StandardCharsets.ISO_8859_1).lastIndexOf(beforeSignature);
    return at < 0 ? Optional.empty() : Optional.of(Arrays.copyOf(line, at));
  }
}
