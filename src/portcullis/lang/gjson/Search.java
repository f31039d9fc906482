package portcullis.lang.gjson;

import java.util.Optional;

/** One search for a path in a text. Bounded in what it may write on the way; mutable, for one thread. */
final class Search {
  private static final int MOST_WRITTEN = 8_000_000;
  private static final int DEEPEST = 100;

  private int written;
  private int depth;

  /** What the path finds; nothing, if the way there is too long. */
  GjsonResult get(String json, String path) {
    if (depth == DEEPEST) {
      return GjsonResult.NONE;
    }
    depth++;
    GjsonResult result = getWithin(json, path);
    depth--;
    return result;
  }

  /** A text that was made on the way; empty where it would be too much. */
  String made(CharSequence text) {
    written += text.length();
    return written > MOST_WRITTEN || written < 0 ? "" : text.toString();
  }

  boolean exhausted() {
    return written > MOST_WRITTEN || written < 0;
  }

  private GjsonResult getWithin(String json, String path) {
    String document = json;
    String rest = path;
    while (true) {
      Optional<Whole> whole = rest.length() > 1 ? Whole.of(document, rest, this) : Optional.empty();
      if (whole.isPresent()) {
        if (whole.get().rest().isEmpty() || ".|".indexOf(whole.get().rest().charAt(0)) < 0) {
          return whole.get().result();
        }
        document = whole.get().made();
        rest = whole.get().rest().substring(1);
        continue;
      }
      Walk walk = new Walk(document, this);
      walk.start(Whole.remainder(rest));
      if (walk.pipe().isEmpty()) {
        return walk.found();
      }
      document = walk.found().raw();
      rest = walk.pipe().get();
    }
  }
}
