package portcullis.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.config.Node;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;

/** Cases that differ in some values: {@code table} lists them, {@code <name>} in the case stands for one of them. */
final class CaseTable {
  private static final Pattern PLACE = Pattern.compile("<(?!jwks>)([A-Za-z_][A-Za-z0-9_-]*)>");

  private CaseTable() {}

  /** Returns the case once for each row of its table; the case itself where it has none. */
  static List<Node> rows(Node node, String key, Problems problems) {
    if (!(node instanceof Node.Mapping test) || test.get(key).isEmpty()) {
      return List.of(node);
    }
    Node.Mapping rest = without(test, key);
    List<Node> out = new ArrayList<>();
    if (!(test.get(key).get() instanceof Node.Sequence table) || table.items().isEmpty()) {
      problems.error(test.get(key).get().at(), test.get(key).get().path(), "a table is a list of rows",
          "for example `[{path: /a, status: 200}]`");
      return List.of();
    }
    for (Node row : table.items()) {
      if (row instanceof Node.Mapping values) {
        out.add(filled(rest, values, problems));
      } else {
        problems.error(row.at(), row.path(), "a row of a table is a mapping", "for example `{path: /a, status: 200}`");
      }
    }
    return out;
  }

  private static Node.Mapping without(Node.Mapping mapping, String key) {
    LinkedHashMap<String, Node.Member> members = new LinkedHashMap<>(mapping.members());
    members.remove(key);
    return new Node.Mapping(mapping.at(), mapping.where(), members);
  }

  private static Node filled(Node node, Node.Mapping row, Problems problems) {
    return switch (node) {
      case Node.Scalar scalar -> scalar(scalar, row, problems);
      case Node.Sequence list -> new Node.Sequence(list.at(), list.where(),
          list.items().stream().map(item -> filled(item, row, problems)).toList());
      case Node.Mapping mapping -> {
        LinkedHashMap<String, Node.Member> members = new LinkedHashMap<>();
        for (Map.Entry<String, Node.Member> member : mapping.members().entrySet()) {
          members.put(text(member.getKey(), mapping.at(), mapping.path(), row, problems),
              new Node.Member(member.getValue().nameAt(), filled(member.getValue().value(), row, problems)));
        }
        yield new Node.Mapping(mapping.at(), mapping.where(), members);
      }
    };
  }

  /** A string that is a place as a whole becomes the value of the row, whatever that is. */
  private static Node scalar(Node.Scalar scalar, Node.Mapping row, Problems problems) {
    Matcher whole = PLACE.matcher(scalar.text());
    if (whole.matches() && row.get(whole.group(1)).isPresent()) {
      return row.get(whole.group(1)).get();
    }
    String text = text(scalar.text(), scalar.at(), scalar.path(), row, problems);
    return text.equals(scalar.text()) ? scalar
        : new Node.Scalar(new Substituted(text, scalar), scalar.where(), scalar.meaning());
  }

  private static String text(String text, Origin at, String path, Node.Mapping row, Problems problems) {
    return PLACE.matcher(text).replaceAll(place -> {
      if (!(row.get(place.group(1)).orElse(null) instanceof Node.Scalar value)) {
        problems.error(at, path, "no row of the table has a single value named `" + place.group(1) + "`",
            "each row needs it");
        return Matcher.quoteReplacement(place.group());
      }
      return Matcher.quoteReplacement(value.text());
    });
  }

  /** A string that was made of another. */
  record Substituted(String text, LocatedText from) implements LocatedText {
    @Override
    public Origin at(int offset, int length) {
      return from.at(0, from.text().length());
    }

    @Override
    public String path() {
      return from.path();
    }
  }
}
