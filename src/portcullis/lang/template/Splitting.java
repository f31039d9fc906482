package portcullis.lang.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import portcullis.lang.value.ValueException;

/** sprig's functions that split strings and join lists. */
final class Splitting {
  static final Map<String, Function> ALL = new FunctionSet()
      .with("split", a -> numbered(a, split(a.text(1), a.text(0), -1)), Param.TEXT, Param.TEXT)
      .with("splitn", a -> numbered(a, split(a.text(2), a.text(0), a.whole(1))), Param.TEXT, Param.INT, Param.TEXT)
      .with("splitList", a -> charged(a, split(a.text(1), a.text(0), -1)), Param.TEXT, Param.TEXT)
      .with("join", a -> Item.of(joined(a)), Param.TEXT, Param.ANY)
      .with("toStrings", a -> Item.texts(texts(a.item(0), a)), Param.ANY)
      .with("sortAlpha", a -> Item.texts(sorted(a)), Param.ANY)
      .functions();

  private Splitting() {}

  /** Splits into at most {@code most} parts, the last being the rest; into all where that is negative. */
  static List<String> split(String text, String separator, long most) {
    List<String> out = new ArrayList<>();
    int at = 0;
    while (most != 0 && (most < 0 || out.size() < most - 1)) {
      int end = separator.isEmpty() ? at + (at < text.length() ? Character.charCount(text.codePointAt(at)) : 0)
          : text.indexOf(separator, at);
      if (end < 0 || separator.isEmpty() && end >= text.length()) {
        break;
      }
      out.add(text.substring(at, end));
      at = end + separator.length();
    }
    if (most != 0 && !(separator.isEmpty() && text.isEmpty())) {
      out.add(text.substring(at));
    }
    return out;
  }

  /** Counts the occurrences of the part. */
  static int count(String text, String part) {
    int count = 0;
    for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length())) {
      count++;
    }
    return count;
  }

  /** Puts the other string in front of each character and at the end. */
  static String characters(String text, String between) {
    StringBuilder out = new StringBuilder(between);
    text.codePoints().forEach(c -> out.appendCodePoint(c).append(between));
    return out.toString();
  }

  private static Item charged(Arguments a, List<String> parts) throws ValueException {
    a.budget().spendList(parts.size());
    return Item.texts(parts);
  }

  private static Item numbered(Arguments a, List<String> parts) throws ValueException {
    a.budget().spendList(parts.size());
    Dict dict = Dict.empty(DictType.TEXT);
    for (int i = 0; i < parts.size(); i++) {
      dict.put("_" + i, Item.of(parts.get(i)));
    }
    return dict;
  }

  private static String joined(Arguments a) throws ValueException {
    Output out = new Output(a.budget());
    String separator = "";
    for (String text : texts(a.item(1), a)) {
      out.add(separator).add(text);
      separator = a.text(0);
    }
    return out.text();
  }

  /** Returns the items of a list except nil as strings; anything else as one string. */
  static List<String> texts(Item item, Arguments a) throws ValueException {
    if (item.equals(Item.NIL)) {
      return List.of();
    }
    if (!(item instanceof Item.Sequence(_, List<Item> items, _))) {
      return List.of(a.rendering().printed(item));
    }
    a.budget().spendList(items.size());
    List<String> out = new ArrayList<>(items.size());
    for (Item each : items) {
      if (!each.equals(Item.NIL)) {
        out.add(a.rendering().printed(each));
      }
    }
    return out;
  }

  private static List<String> sorted(Arguments a) throws ValueException {
    if (!(a.item(0) instanceof Item.Sequence)) {
      return List.of(a.printed(0));
    }
    List<String> texts = texts(a.item(0), a);
    return texts.stream().sorted(Dict.BY_CHARACTERS).toList();
  }
}
