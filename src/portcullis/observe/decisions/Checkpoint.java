package portcullis.observe.decisions;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Jca;

/**
 * A signed line of an audit chain, which confirms all lines before it; immutable.
 *
 * @param every the number of lines after which the next one follows at the latest
 * @param interval the time after which it follows at the latest; empty in logs of earlier versions
 * @param last whether the log was closed after it
 * @param key the first 16 digits of the SHA-256 of the public key
 * @param signed what the signature is over
 */
public record Checkpoint(ChainLine line, String time, long every, Optional<Duration> interval, boolean last, String key,
    byte[] signed, byte[] signature) {
  static final String EVENT = "checkpoint";
  private static final String CONTEXT = "portcullis audit checkpoint v1\n";
  private static final String BEFORE_SIGNATURE = ",\"signature\":\"";
  private static final int KEY_DIGITS = 16;
  private static final int LONGEST = 1000;
  private static final Pattern FORMAT = Pattern.compile("\\{\"chain\":\"[0-9a-f]{16}\",\"seq\":[0-9]+,"
      + "\"prev\":\"[0-9a-f]{64}\",\"time\":\"([0-9TZ:.-]+)\",\"event\":\"checkpoint\",\"every\":([0-9]{1,9}),"
      + "(?:\"interval_ms\":([0-9]{1,9}),)?\"last\":(true|false),\"key\":\"([0-9a-f]{16})\","
      + "\"signature\":\"([A-Za-z0-9_-]{86})\","
      + "\"hash\":\"[0-9a-f]{64}\"}");

  /** Returns the checkpoint that a line is; empty if it is another line. */
  public static Optional<Checkpoint> of(byte[] line) {
    if (line.length > LONGEST) {
      return Optional.empty();
    }
    Matcher matcher = FORMAT.matcher(new String(line, StandardCharsets.ISO_8859_1));
    return !matcher.matches() ? Optional.empty()
        : ChainLine.of(line).flatMap(place -> ChainLine.signedPart(line, BEFORE_SIGNATURE)
            .map(signed -> new Checkpoint(place, matcher.group(1), Long.parseLong(matcher.group(2)),
                Optional.ofNullable(matcher.group(3)).map(Long::parseLong).map(Duration::ofMillis),
                matcher.group(4).equals("true"), matcher.group(5), signed,
                Base64.getUrlDecoder().decode(matcher.group(6)))));
  }

  /** Returns the members of a checkpoint up to its key, which follow the place in the chain. */
  static String members(String time, CheckpointPace pace, boolean last, String key) {
    return "\"time\":\"" + time + "\",\"event\":\"" + EVENT + "\",\"every\":" + pace.every()
        + ",\"interval_ms\":" + pace.interval().toMillis() + ",\"last\":" + last + ",\"key\":\"" + key + "\"";
  }

  /** Returns the member that has the signature of what stands before it. */
  static String signatureMember(PrivateKey key, byte[] before) {
    return BEFORE_SIGNATURE
        + Base64.getUrlEncoder().withoutPadding().encodeToString(Algorithm.EDDSA.sign(key, inContext(before))) + "\"";
  }

  /** Returns whether this key has signed it. */
  public boolean isSignedBy(PublicKey publicKey) {
    return Algorithm.EDDSA.verify(publicKey, inContext(signed), signature);
  }

  private static byte[] inContext(byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(CONTEXT.getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(content);
    return out.toByteArray();
  }

  /** Returns the id of a key. */
  public static String id(PublicKey key) {
    return HexFormat.of().formatHex(Jca.sha256().digest(key.getEncoded())).substring(0, KEY_DIGITS);
  }
}
