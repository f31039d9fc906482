package portcullis.lang.gjson;

/** Finds the next value of a JSON text, whatever stands before it. Mutable, for one text. */
final class Cursor {
  private final String json;
  private int at;
  private GjsonResult value = GjsonResult.NONE;

  Cursor(String json, int at) {
    this.json = json;
    this.at = at;
  }

  /** Goes to the next value; false if there is none. */
  boolean next() {
    for (; at < json.length(); at++) {
      char c = json.charAt(at);
      int end = c == '{' || c == '[' ? RawJson.endOfBrackets(json, at)
          : c == '"' ? RawJson.endOfString(json, at + 1)
              : RawJson.isNumber(json, at) ? RawJson.endOfNumber(json, at)
                  : RawJson.isWord(c) ? RawJson.endOfWord(json, at) : 0;
      if (end < 0) {
        return false;
      }
      if (end > 0) {
        value = RawJson.value(json, at, end);
        at = end;
        return true;
      }
    }
    return false;
  }

  GjsonResult value() {
    return value;
  }

  /** The offset behind the value. */
  int end() {
    return at;
  }

  /** The first value of a text; brackets go on to the text's end. Nothing, if something else comes first. */
  static GjsonResult first(String json) {
    int at = 0;
    while (at < json.length() && json.charAt(at) <= ' ') {
      at++;
    }
    if (at == json.length()) {
      return GjsonResult.NONE;
    }
    char c = json.charAt(at);
    if (c == '{' || c == '[') {
      return GjsonResult.of(GjsonResult.Kind.JSON, json.substring(at));
    }
    if (c == '"') {
      return RawJson.value(json, at, RawJson.endOfBlock(json, at));
    }
    Cursor cursor = new Cursor(json, at);
    boolean begins = RawJson.isNumber(json, at) || RawJson.isWord(c);
    return begins && cursor.next() ? cursor.value() : GjsonResult.NONE;
  }
}
