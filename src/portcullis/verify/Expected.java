package portcullis.verify;

import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Node;
import portcullis.config.PlainValues;
import portcullis.lang.source.Origin;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/**
 * What a value should be: {@code *} any value, {@code ~ REGEX} one that the regular expression matches, null none at
 * all, {@code jwt:} a JSON Web Token, with or without {@code Bearer}, that has these claims among others, another
 * mapping or list the same JSON, other scalars the same text.
 */
record Expected(Origin at, String written, Kind kind, Optional<Pattern> pattern, Value value) {
  /** How it is compared. */
  enum Kind {
    ABSENT, ANY, PATTERN, TEXT, JSON, JWT
  }

  static Decoder<Expected> decoder() {
    Decoder<Value> plain = PlainValues.decoder();
    return Decoders.node().then((node, _, problems) -> plain.decode(node, problems).flatMap(value -> {
      String text = text(value);
      if (value.equals(Value.NULL)) {
        return Optional.of(new Expected(node.at(), "nothing", Kind.ABSENT, Optional.empty(), value));
      }
      if (value instanceof Value.Dict dict && dict.members().size() == 1 && dict.get("jwt").isPresent()) {
        return Optional.of(new Expected(node.at(), text, Kind.JWT, Optional.empty(), dict.get("jwt").get()));
      }
      if (!(node instanceof Node.Scalar)) {
        return Optional.of(new Expected(node.at(), text, Kind.JSON, Optional.empty(), value));
      }
      if (text.equals("*")) {
        return Optional.of(new Expected(node.at(), "any value", Kind.ANY, Optional.empty(), value));
      }
      if (!text.startsWith("~ ")) {
        return Optional.of(new Expected(node.at(), text, Kind.TEXT, Optional.empty(), value));
      }
      try {
        return Optional.of(new Expected(node.at(), text, Kind.PATTERN, Optional.of(Pattern.compile(text.substring(2))),
            value));
      } catch (PatternSyntaxException e) {
        problems.error(node.at(), node.path(), "this is not a regular expression: " + e.getDescription(),
            "write `~ ` and an expression of java.util.regex, like `~ ^user-[0-9]+$`");
        return Optional.empty();
      }
    }));
  }

  /** Returns whether the value is as expected; empty for one that is not there. */
  boolean fits(Optional<String> actual) {
    return switch (kind) {
      case ABSENT -> actual.isEmpty();
      case ANY -> actual.isPresent();
      case TEXT -> actual.isPresent() && actual.get().equals(text(value));
      case PATTERN -> actual.isPresent() && pattern.orElseThrow().matcher(actual.get()).find();
      case JWT -> actual.isPresent() && hasClaims(actual.get());
      case JSON -> actual.isPresent() && sameJson(actual.get());
    };
  }

  /**
   * The signature is not verified: it is the token that this program has just signed, or a test would fail elsewhere.
   */
  private boolean hasClaims(String actual) {
    String[] parts = actual.replaceFirst("(?i)^bearer ", "").split("[.]");
    try {
      return parts.length == 3 && value instanceof Value.Dict wanted
          && Json.read(Base64.getUrlDecoder().decode(parts[1])) instanceof Value.Dict claims
          && wanted.members().entrySet().stream().allMatch(member -> claims.get(member.getKey()).map(JsonText::plain)
              .equals(Optional.of(JsonText.plain(member.getValue()))));
    } catch (ValueException | IllegalArgumentException _) {
      return false;
    }
  }

  private boolean sameJson(String actual) {
    try {
      return JsonText.plain(Json.read(actual)).equals(JsonText.plain(Json.read(JsonText.plain(value))));
    } catch (ValueException _) {
      return false;
    }
  }

  /** Returns the message for a value that is not as expected. */
  String mismatch(String what, Optional<String> actual) {
    return what + " is " + actual.map(a -> "`" + shortened(a) + "`").orElse("missing") + ", expected "
        + (kind == Kind.ABSENT || kind == Kind.ANY ? written : "`" + shortened(written) + "`");
  }

  static String shortened(String text) {
    String line = text.replace("\r", "\\r").replace("\n", "\\n");
    return line.length() > 200 ? line.substring(0, 197) + "…" : line;
  }

  /** Returns a string as it is, anything else as JSON. */
  static String text(Value value) {
    return value instanceof Value.Str text ? text.value() : JsonText.plain(value);
  }
}
