package portcullis.lang.gjson;

import java.util.ArrayList;
import java.util.List;

/** Goes over what is in an object or a list of a JSON text that need not be well formed. */
final class Elements {
  /** A member of an object, or an element of a list under no key. */
  record Element(GjsonResult key, GjsonResult value) {}

  private final String json;

  Elements(String json) {
    this.json = json;
  }

  /** The members or elements, in their order, up to where they cannot be read. Anything else is one element itself. */
  List<Element> all() {
    List<Element> all = new ArrayList<>();
    int at = open();
    boolean object = at > 0 && json.charAt(at - 1) == '{';
    while (at > 0 && at < json.length()) {
      GjsonResult key = GjsonResult.NONE;
      if (object) {
        int quote = json.indexOf('"', at);
        int end = quote < 0 ? -1 : RawJson.endOfString(json, quote + 1);
        if (end < 0) {
          break;
        }
        key = RawJson.value(json, quote, end);
        at = end;
      }
      Cursor cursor = new Cursor(json, skipped(at));
      if (!cursor.next()) {
        break;
      }
      all.add(new Element(key, cursor.value()));
      at = cursor.end() + 1;
    }
    return all;
  }

  /** The offset behind the opening bracket; 0 if something else comes first. */
  private int open() {
    for (int i = 0; i < json.length() && (json.charAt(i) <= ' ' || isOpen(i)); i++) {
      if (isOpen(i)) {
        return i + 1;
      }
    }
    return 0;
  }

  private boolean isOpen(int at) {
    return json.charAt(at) == '{' || json.charAt(at) == '[';
  }

  private int skipped(int from) {
    int at = from;
    while (at < json.length() && (json.charAt(at) <= ' ' || json.charAt(at) == ',' || json.charAt(at) == ':')) {
      at++;
    }
    return at;
  }

  /** All values up to the first closing bracket, the names of members among them. */
  List<GjsonResult> loose() {
    List<GjsonResult> all = new ArrayList<>();
    int at = open();
    while (at > 0 && at < json.length() && json.charAt(at) != ']' && json.charAt(at) != '}') {
      char c = json.charAt(at);
      boolean number = c >= '0' && c <= '9' || c == '-';
      if (!number && "{[ntf\"".indexOf(c) < 0) {
        at++;
        continue;
      }
      int end = number ? RawJson.endOfNumber(json, at)
          : c == '{' || c == '[' || c == '"' ? RawJson.endOfBlock(json, at) : RawJson.endOfWord(json, at);
      all.add(number ? GjsonResult.of(GjsonResult.Kind.NUMBER, json.substring(at, end)) : word(at, end));
      at = end;
    }
    return all;
  }

  /** Here, unlike elsewhere, {@code nan} is null. */
  private GjsonResult word(int from, int to) {
    return json.charAt(from) == 'n' ? GjsonResult.of(GjsonResult.Kind.NULL, json.substring(from, to))
        : RawJson.value(json, from, to);
  }
}
