package portcullis.expression;

import java.util.Base64;
import java.util.Optional;

/** {@code base64.…} (RFC 4648, 4); reading takes it without padding too. */
final class Encodings {
  private Encodings() {}

  static Optional<Function> find(String name) {
    return switch (name) {
      case "base64.encode" -> Optional.of(Encodings::encode);
      case "base64.decode" -> Optional.of(Encodings::decode);
      default -> Optional.empty();
    };
  }

  private static Val encode(Arguments a) throws EvaluationFailure {
    if (!(a.get(0) instanceof Val.Bytes bytes)) {
      throw a.mismatch();
    }
    a.meter().chargeText(bytes.value().length);
    return Val.of(Base64.getEncoder().encodeToString(bytes.value()));
  }

  private static Val decode(Arguments a) throws EvaluationFailure {
    String text = a.text(0);
    a.meter().chargeText(text.length());
    try {
      return new Val.Bytes(Base64.getDecoder().decode(text.replace("\r", "").replace("\n", "")));
    } catch (IllegalArgumentException _) {
      throw new EvaluationFailure("the text is no base64");
    }
  }
}
