package portcullis.policy.mechanism;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Node;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.template.Template;

/** Names of header fields and cookies in settings: tokens (RFC 9110, 5.6.2; RFC 6265, 4.1.1). */
public final class FieldName {
  private static final String SPECIAL = "!#$%&'*+-.^_`|~";
  private static final String HINT = "letters, digits and " + SPECIAL;

  private FieldName() {}

  public static boolean isToken(String name) {
    return !name.isEmpty()
        && name.chars().allMatch(c -> c < 128 && Character.isLetterOrDigit(c) || SPECIAL.indexOf(c) >= 0);
  }

  /** Returns the name of a header field. */
  public static Decoder<String> decoder() {
    return Decoders.text().then((name, node,
        problems) -> checked(name, node.at(), node.path(), problems) ? Optional.of(name) : Optional.empty());
  }

  /**
   * Returns the decoder of the name of a field or cookie that requests have.
   *
   * @param strict whether a name that none can have is an error; otherwise a warning, as heimdall takes any
   */
  public static Decoder<String> ofRequests(boolean strict) {
    return Decoders.nonEmpty().then((name, node, problems) -> {
      if (strict) {
        return checked(name, node.at(), node.path(), problems) ? Optional.of(name) : Optional.empty();
      }
      if (!isToken(name)) {
        problems.warning(node.at(), node.path(), "no request can have the name `" + Decoders.shortened(name) + "`",
            HINT);
      }
      return Optional.of(name);
    });
  }

  /** Templates by the name of the field or cookie that they make; at least one. */
  public static Decoder<SequencedMap<String, Template>> templates() {
    return Decoders.map(Templates.decoder()).then((map, node, problems) -> {
      if (map.isEmpty()) {
        problems.error(node.at(), node.path(), "must contain at least 1 name", "");
      }
      boolean good = !map.isEmpty();
      if (node instanceof Node.Mapping m) {
        for (Map.Entry<String, Node.Member> member : m.members().entrySet()) {
          good &= checked(member.getKey(), member.getValue().nameAt(), m.path(), problems);
        }
      }
      return good ? Optional.of(map) : Optional.empty();
    });
  }

  /** Returns a list of entries of exactly one name and its template each. */
  public static Decoder<List<Map.Entry<String, Template>>> pairs() {
    Decoder<Map.Entry<String, Template>> pair = Decoders.map(Templates.decoder()).then((map, node, problems) -> {
      if (map.size() != 1 || !(node instanceof Node.Mapping m)) {
        problems.error(node.at(), node.path(), "an entry has exactly one name and its value", "as `- X-Name: value`");
        return Optional.empty();
      }
      Node.Member only = m.members().firstEntry().getValue();
      return checked(map.firstEntry().getKey(), only.nameAt(), node.path(), problems) ? Optional.of(map.firstEntry())
          : Optional.empty();
    });
    return Decoders.list(pair);
  }

  private static boolean checked(String name, Origin at, String path, Problems problems) {
    if (isToken(name)) {
      return true;
    }
    problems.error(at, path, "invalid name `" + Decoders.shortened(name) + "`",
        HINT);
    return false;
  }
}
