package portcullis.lang.gjson;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Goes down a JSON text along a path without pipes before it. Mutable, for one text. */
final class Walk {
  private static final int DEEPEST = 500;

  private final String json;
  private final Search search;
  private GjsonResult found = GjsonResult.NONE;
  /** The value that was gone over last. */
  private GjsonResult last = GjsonResult.NONE;
  private Optional<String> pipe = Optional.empty();
  private int at;
  private int depth;

  Walk(String json, Search search) {
    this.json = json;
    this.search = search;
  }

  GjsonResult found() {
    return found;
  }

  /** The path to go on with from what was found. */
  Optional<String> pipe() {
    return pipe;
  }

  void start(String path) {
    if (path.startsWith("..")) {
      array(path.substring(2));
      return;
    }
    while (at < json.length() && json.charAt(at) != '{' && json.charAt(at) != '[') {
      at++;
    }
    if (at < json.length()) {
      at++;
      inner(json.charAt(at - 1), path);
    }
  }

  private boolean inner(char open, String path) {
    if (depth == DEEPEST) {
      at = json.length();
      return false;
    }
    depth++;
    boolean hit = open == '{' ? object(path) : array(path);
    depth--;
    return hit;
  }

  /** From behind the opening brace; true if the path's end was found. */
  private boolean object(String path) {
    ObjectStep step = ObjectStep.parse(path);
    note(step.rest());
    while (key()) {
      boolean matches = step.matches(last.string());
      if (!toValue(false)) {
        return false;
      }
      if (matches && step.rest().more() && isOpen()) {
        if (inner(json.charAt(at++), step.rest().path())) {
          return true;
        }
      } else if (!value()) {
        return false;
      } else if (matches && !step.rest().more()) {
        found = last;
        return true;
      }
    }
    return false;
  }

  private void note(Rest rest) {
    if (rest.join() == Rest.Join.PIPE) {
      pipe = Optional.of(rest.path());
    }
  }

  private boolean isOpen() {
    return json.charAt(at) == '{' || json.charAt(at) == '[';
  }

  /** Goes behind the next name, which {@link #last} holds then; false at the end of the object or the text. */
  private boolean key() {
    while (at < json.length() && json.charAt(at) != '"' && json.charAt(at) != '}') {
      at++;
    }
    if (at < json.length() && json.charAt(at) == '"') {
      return value();
    }
    at = Math.min(json.length(), at + 1);
    return false;
  }

  /** Goes to where the next value begins; false if there is none, or a list ends before it. */
  private boolean toValue(boolean inList) {
    for (; at < json.length(); at++) {
      char c = json.charAt(at);
      if (c == '"' || c == '{' || c == '[' || RawJson.isWord(c) || RawJson.isNumber(json, at)) {
        return true;
      }
      if (inList && c == ']') {
        return false;
      }
    }
    return false;
  }

  /** Takes the value that begins here; false if it is a text without end. */
  private boolean value() {
    char c = json.charAt(at);
    int end = c == '"' ? RawJson.endOfString(json, at + 1)
        : c == '{' || c == '[' ? RawJson.endOfBrackets(json, at)
            : RawJson.isNumber(json, at) ? RawJson.endOfNumber(json, at) : RawJson.endOfWord(json, at);
    if (end < 0) {
      at = json.length();
      return false;
    }
    last = RawJson.value(json, at, end);
    at = end;
    return true;
  }

  // --- lists

  /** From behind the opening bracket; true if the path's end was found. */
  private boolean array(String path) {
    ArrayStep step = ArrayStep.parse(path);
    note(step.rest());
    if (step.query().isPresent()) {
      return queried(step.query().get(), step.rest());
    }
    return step.counts() ? counted(step) : positioned(step);
  }

  private boolean positioned(ArrayStep step) {
    int position = ArrayStep.position(step.part());
    for (int i = 0; toValue(true); i++) {
      boolean hit = i == position;
      if (hit && step.rest().more() && isOpen()) {
        if (inner(json.charAt(at++), step.rest().path())) {
          return true;
        }
      } else if (!value()) {
        return false;
      } else if (hit && !step.rest().more()) {
        found = last;
        return true;
      }
    }
    at++;
    return false;
  }

  /** The number of elements, or what a path finds in each of them. */
  private boolean counted(ArrayStep step) {
    List<GjsonResult> elements = new ArrayList<>();
    while (toValue(true)) {
      if (!value()) {
        return false;
      }
      elements.add(last);
    }
    if (at++ > json.length()) {
      return false;
    }
    if (!step.part().equals("#")) {
      return false;
    }
    found = step.collects() ? collected(elements, step.rest().path())
        : GjsonResult.of(GjsonResult.Kind.NUMBER, Integer.toString(elements.size()));
    return true;
  }

  private GjsonResult collected(List<GjsonResult> elements, String path) {
    String[] parts = Pipes.split(path);
    if (parts.length == 2) {
      pipe = Optional.of(parts[1]);
    }
    StringBuilder out = new StringBuilder("[");
    for (GjsonResult element : elements) {
      GjsonResult part = search.get(element.raw(), parts[0]);
      if (part.exists()) {
        out.append(out.length() > 1 ? "," : "").append(part.raw().isEmpty() ? part.text() : part.raw());
      }
    }
    return GjsonResult.of(GjsonResult.Kind.JSON, search.made(out.append(']')));
  }

  private boolean queried(Query query, Rest rest) {
    String[] parts = rest.more() ? Pipes.split(rest.path()) : new String[] {""};
    StringBuilder all = new StringBuilder("[");
    while (toValue(true)) {
      if (!value()) {
        return false;
      }
      GjsonResult element = last;
      if (fits(query, element)) {
        if (parts.length == 2) {
          pipe = Optional.of(parts[1]);
        }
        GjsonResult result = rest.more() ? search.get(element.raw(), parts[0]) : element;
        if (!query.all()) {
          found = result;
          return true;
        }
        String raw = result.raw().isEmpty() ? result.text() : result.raw();
        all.append(all.length() > 1 && !raw.isEmpty() ? "," : "").append(raw);
      }
    }
    if (at++ <= json.length() && query.all() && !found.exists()) {
      found = GjsonResult.of(GjsonResult.Kind.JSON, search.made(all.append(']')));
    }
    return false;
  }

  private boolean fits(Query query, GjsonResult element) {
    boolean container = element.kind() == GjsonResult.Kind.JSON;
    if (!container && !query.path().isEmpty()) {
      return false;
    }
    return query.fits(container ? search.get(element.raw(), query.path()) : element);
  }
}
