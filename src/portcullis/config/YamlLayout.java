package portcullis.config;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import portcullis.lang.value.Floats;
import portcullis.lang.value.HostObject;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** Writes YAML in blocks indented by four columns, members in their order; quotes only where a string needs them. */
public final class YamlLayout {
  private static final int STEP = 4;
  /** Strings that older parsers take for booleans. */
  private static final Set<String> OLD_FLAGS = Set.of("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "n", "N", "no",
      "No", "NO", "off", "Off", "OFF", "<<");
  /** Strings that a parser may take for a number or a time. */
  private static final Pattern NUMBER = Pattern.compile("[-+]?(0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|"
      + "(\\.[0-9]+|[0-9][0-9_]*(\\.[0-9_]*)?)([eE][-+]?[0-9]+)?|[0-9][0-9_]*(:[0-5]?[0-9])+(\\.[0-9_]*)?)"
      + "|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?");
  private static final Pattern NOT_PLAIN = Pattern.compile("[#,\\[\\]{}&*!|>'\"%@` ].*|[-?:]( .*)?|---.*|\\.\\.\\..*"
      + "|.*[: ]|.*: .*|.* #.*");

  private final StringBuilder out = new StringBuilder();

  private YamlLayout() {}

  /** Returns the document of a mapping. */
  public static String of(Value.Dict document) {
    YamlLayout layout = new YamlLayout();
    layout.mapping(document, 0, false);
    return layout.out.toString();
  }

  private static int deeper(int indent) {
    return STEP * ((indent + STEP) / STEP);
  }

  private void mapping(Value.Dict dict, int indent, boolean begun) {
    boolean inLine = begun;
    for (Map.Entry<String, Value> member : dict.members().entrySet()) {
      out.append(" ".repeat(inLine ? 0 : indent)).append(line(member.getKey())).append(':');
      inLine = false;
      switch (member.getValue()) {
        case Value.Dict d when !d.members().isEmpty() -> {
          out.append('\n');
          mapping(d, deeper(indent), false);
        }
        case Value.Array a when !a.items().isEmpty() -> {
          out.append('\n');
          sequence(a.items(), deeper(indent), false);
        }
        default -> out.append(' ').append(scalar(member.getValue(), indent)).append('\n');
      }
    }
  }

  private void sequence(List<Value> items, int indent, boolean begun) {
    boolean inLine = begun;
    for (Value item : items) {
      out.append(" ".repeat(inLine ? 0 : indent)).append("- ");
      inLine = false;
      switch (item) {
        case Value.Dict d when !d.members().isEmpty() -> mapping(d, indent + 2, true);
        case Value.Array a when !a.items().isEmpty() -> sequence(a.items(), indent + 2, true);
        default -> out.append(scalar(item, indent)).append('\n');
      }
    }
  }

  private static String scalar(Value value, int indent) {
    return switch (value) {
      case Value.Str s when s.value().contains("\n") -> block(s.value(), deeper(indent));
      case Value.Str s -> line(s.value());
      case Value.Float f -> Floats.text(f.value(), 'g', Floats.SHORTEST);
      case Value.Dict _ -> "{}";
      case Value.Array _ -> "[]";
      case Value.Null _, Value.Bool _, Value.Int _, HostObject _ -> JsonText.plain(value);
    };
  }

  /** Returns a literal block, or a string in double quotes where that cannot hold it. */
  private static String block(String text, int indent) {
    boolean plain = text.charAt(0) > ' ' && text.codePoints().allMatch(c -> c == '\n' || isPrintable(c))
        && !text.contains(" \n") && !text.endsWith(" ");
    if (!plain) {
      return JsonText.quoted(text, false);
    }
    String body = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    String chomping = !text.endsWith("\n") ? "-" : body.endsWith("\n") ? "+" : "";
    StringBuilder out = new StringBuilder("|" + chomping);
    for (String line : body.split("\n", -1)) {
      out.append('\n').append(line.isEmpty() ? "" : " ".repeat(indent) + line);
    }
    return out.toString();
  }

  private static String line(String text) {
    boolean other = text.isEmpty() || OLD_FLAGS.contains(text) || NUMBER.matcher(text).matches()
        || Scalars.meaning(text) != Node.Meaning.TEXT || !text.codePoints().allMatch(YamlLayout::isPrintable);
    return other ? JsonText.quoted(text, false)
        : NOT_PLAIN.matcher(text).matches() ? "'" + text.replace("'", "''") + "'" : text;
  }

  private static boolean isPrintable(int c) {
    return c >= ' ' && !Character.isISOControl(c) && c != '\u2028' && c != '\u2029' && c != '\uFEFF';
  }
}
