package portcullis.crypto.passwords;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The hash of a password, in the form in which files have it; its costs are bounded, as clients cause them.
 * Immutable.
 */
public sealed interface PasswordHash {
  /** What OWASP recommends: 19 MiB, two passes, one lane. */
  Argon2id.Costs RECOMMENDED = new Argon2id.Costs(19 * 1024, 2, 1);

  /** Hashes of {@code crypt(3)}. */
  Pattern CRYPT = Pattern.compile("\\$(?:argon2[a-z]{1,2}|2[abxy]|apr1|[156y])\\$[!-~]{20,}");

  /** Thrown for a string that is not a hash, or a hash whose verification would cost too much. */
  final class InvalidHashException extends Exception {
    private static final long serialVersionUID = 1;
    private final String hint;

    InvalidHashException(String message, String hint) {
      super(message, null, false, false);
      this.hint = hint;
    }

    /** Returns what would be right. */
    public String hint() {
      return hint;
    }
  }

  /** Returns whether this is the password. @param memory with at least {@link #words} */
  boolean matches(byte[] password, long[] memory);

  /** Returns how many 64-bit words of memory the verification needs. */
  int words();

  /** Returns why it should be replaced, as one whose guessing is cheap; empty for a good one. */
  Optional<String> weakness();

  /** Returns the algorithm and its costs, as {@code argon2id m=19456,t=2,p=1}: hashes with the same cost the same. */
  String costs();

  /** Returns the hash as files have it. */
  String text();

  /** A hash by Argon2id, as {@code $argon2id$v=19$m=19456,t=2,p=1$salt$tag}. */
  final class Argon implements PasswordHash {
    private static final Pattern FORM = Pattern.compile("\\$argon2id\\$v=(\\d{1,9})"
        + "\\$m=([1-9]\\d{0,8}),t=([1-9]\\d{0,8}),p=([1-9]\\d{0,8})\\$([A-Za-z0-9+/]{1,172})\\$([A-Za-z0-9+/]{1,172})");
    private static final int MOST_KIB = 64 * 1024;
    private static final int MOST_LANES = 16;
    private static final int LEAST_KIB = 7 * 1024;
    private static final long LEAST_WORK = 35 * 1024L;
    private static final int USUAL_TAG = 32;
    /** KiB that are written, over all passes: more than a quarter of a second of a processor. */
    private static final long MOST_WORK = 4L * MOST_KIB;

    private final Argon2id.Costs costs;
    private final byte[] salt;
    private final byte[] tag;

    private Argon(Argon2id.Costs costs, byte[] salt, byte[] tag) {
      this.costs = costs;
      this.salt = salt;
      this.tag = tag;
    }

    static Argon of(byte[] password, SecureRandom random) {
      byte[] salt = new byte[16];
      random.nextBytes(salt);
      return new Argon(RECOMMENDED, salt,
          Argon2id.hash(password, new Argon2id.Salted(salt), RECOMMENDED, 32, new long[RECOMMENDED.words()]));
    }

    private static Argon parse(String text) throws InvalidHashException {
      Matcher parts = FORM.matcher(text);
      if (!parts.matches()) {
        throw new InvalidHashException("is not a hash by Argon2id",
            "portcullis password hash writes one, as $argon2id$v=19$m=19456,t=2,p=1$SALT$HASH");
      }
      int memory = Integer.parseInt(parts.group(2));
      int passes = Integer.parseInt(parts.group(3));
      int lanes = Integer.parseInt(parts.group(4));
      if (!parts.group(1).equals("19")) {
        throw new InvalidHashException("is of another version of Argon2id than 19", "hash the password again");
      }
      if (memory < 8L * lanes || memory > MOST_KIB || lanes > MOST_LANES || (long) memory * passes > MOST_WORK) {
        throw new InvalidHashException("has parameters out of bounds: m=" + memory + ",t=" + passes + ",p=" + lanes,
            "m is at most " + MOST_KIB + " and at least 8 times p, p at most " + MOST_LANES + ", m times t at most "
                + MOST_WORK);
      }
      byte[] salt = decoded(parts.group(5));
      byte[] tag = decoded(parts.group(6));
      if (salt.length < 8 || tag.length < 16) {
        throw new InvalidHashException("has a salt of " + salt.length + " and a hash of " + tag.length + " bytes",
            "a salt has at least 8, a hash at least 16 bytes");
      }
      if (tag.length % 4 > 0) {
        throw new InvalidHashException("is cut: its hash has " + tag.length + " bytes",
            "they are 32, or another multiple of 4: hash the password again");
      }
      return new Argon(new Argon2id.Costs(memory, passes, lanes), salt, tag);
    }

    private static byte[] decoded(String base64) throws InvalidHashException {
      try {
        byte[] bytes = Base64.getDecoder().decode(base64);
        if (Base64.getEncoder().withoutPadding().encodeToString(bytes).equals(base64)) {
          return bytes;
        }
      } catch (IllegalArgumentException _) {
        // reported below
      }
      throw new InvalidHashException("has a part that is cut, or not base64", "hash the password again");
    }

    /** The least costs are what OWASP has as equivalent: 7 MiB with five passes, 46 MiB with one. */
    @Override
    public Optional<String> weakness() {
      if (costs.memory() < LEAST_KIB || (long) costs.memory() * costs.passes() < LEAST_WORK) {
        return Optional.of("has low costs (m=" + costs.memory() + ",t=" + costs.passes() + ",p=" + costs.lanes()
            + "), so passwords are guessed fast");
      }
      return tag.length < USUAL_TAG
          ? Optional.of("has a hash of " + tag.length + " bytes instead of " + USUAL_TAG + ": it may be cut")
          : Optional.empty();
    }

    @Override
    public boolean matches(byte[] password, long[] memory) {
      return MessageDigest.isEqual(tag,
          Argon2id.hash(password, new Argon2id.Salted(salt), costs, tag.length, memory));
    }

    @Override
    public int words() {
      return costs.words();
    }

    @Override
    public String costs() {
      return "argon2id m=" + costs.memory() + ",t=" + costs.passes() + ",p=" + costs.lanes();
    }

    @Override
    public String text() {
      Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
      return "$argon2id$v=19$m=" + costs.memory() + ",t=" + costs.passes() + ",p=" + costs.lanes() + "$"
          + base64.encodeToString(salt) + "$" + base64.encodeToString(tag);
    }

    /** Returns a description without salt and hash. */
    @Override
    public String toString() {
      return costs();
    }
  }

  /** A hash by bcrypt, as {@code $2y$12$…}. */
  final class Blowfish implements PasswordHash {
    private static final Pattern FORM = Pattern
        .compile("\\$2[aby]\\$(\\d\\d)\\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})");
    private static final String DIGITS = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final int LEAST_COST = 4;
    private static final int MOST_COST = 13;
    private static final int ADVISED_COST = 10;

    private final String text;
    private final int cost;
    private final byte[] salt;
    private final byte[] hash;

    private Blowfish(String text, int cost, byte[] salt, byte[] hash) {
      this.text = text;
      this.cost = cost;
      this.salt = salt;
      this.hash = hash;
    }

    private static Blowfish parse(String text) throws InvalidHashException {
      Matcher parts = FORM.matcher(text);
      if (!parts.matches()) {
        throw new InvalidHashException("is not a hash by bcrypt",
            "it is as $2y$12$ and 53 letters, digits, dots and slashes");
      }
      int cost = Integer.parseInt(parts.group(1));
      if (cost < LEAST_COST || cost > MOST_COST) {
        throw new InvalidHashException("has the cost " + cost, "costs are " + LEAST_COST + " to " + MOST_COST);
      }
      return new Blowfish(text, cost, decoded(parts.group(2), Bcrypt.SALT_BYTES),
          decoded(parts.group(3), Bcrypt.HASH_BYTES));
    }

    private static byte[] decoded(String digits, int length) {
      byte[] out = new byte[length];
      int bits = 0;
      int count = 0;
      int at = 0;
      for (int i = 0; i < digits.length() && at < length; i++) {
        bits = bits << 6 | DIGITS.indexOf(digits.charAt(i));
        count += 6;
        if (count >= Byte.SIZE) {
          count -= Byte.SIZE;
          out[at++] = (byte) (bits >> count);
        }
      }
      return out;
    }

    @Override
    public Optional<String> weakness() {
      return cost < ADVISED_COST ? Optional.of("has the low cost " + cost + ", so passwords are guessed fast")
          : Optional.empty();
    }

    @Override
    public boolean matches(byte[] password, long[] memory) {
      return MessageDigest.isEqual(hash, Bcrypt.hash(password, salt, cost));
    }

    @Override
    public int words() {
      return 0;
    }

    @Override
    public String costs() {
      return "bcrypt " + cost;
    }

    @Override
    public String text() {
      return text;
    }

    /** Returns a description without salt and hash. */
    @Override
    public String toString() {
      return costs();
    }
  }

  /**
   * Returns the hash that a string describes.
   *
   * @throws InvalidHashException if it is not a hash; the message is a clause
   */
  static PasswordHash parse(String text) throws InvalidHashException {
    if (text.startsWith("$argon2id$")) {
      return Argon.parse(text);
    }
    if (text.startsWith("$2")) {
      return Blowfish.parse(text);
    }
    throw new InvalidHashException(text.startsWith("$argon2") ? "is a hash by another algorithm than Argon2id"
        : "is not a hash", "portcullis password hash writes one by Argon2id; bcrypt is understood as well");
  }

  /** Returns whether a string has the form of a hash, also by another algorithm: hardly a password. */
  static boolean isLikely(String text) {
    return CRYPT.matcher(text).matches();
  }

  /** Returns a new hash of a password, by Argon2id with recommended costs. */
  static PasswordHash of(byte[] password, SecureRandom random) {
    return Argon.of(password, random);
  }

  /** Returns a hash that costs as much as another one, and of which no password is known. */
  static PasswordHash withoutPassword(PasswordHash like, SecureRandom random) {
    return switch (like) {
      case Argon argon -> {
        byte[] salt = new byte[argon.salt.length];
        byte[] tag = new byte[argon.tag.length];
        random.nextBytes(salt);
        random.nextBytes(tag);
        yield new Argon(argon.costs, salt, tag);
      }
      case Blowfish bcrypt -> {
        byte[] salt = new byte[bcrypt.salt.length];
        byte[] hash = new byte[bcrypt.hash.length];
        random.nextBytes(salt);
        random.nextBytes(hash);
        yield new Blowfish("", bcrypt.cost, salt, hash);
      }
    };
  }
}
