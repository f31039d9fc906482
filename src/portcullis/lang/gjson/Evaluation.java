package portcullis.lang.gjson;

import java.util.Optional;
import portcullis.lang.value.Value;

/** Evaluates one path in one document within a budget for what it builds. Mutable, for one thread. */
final class Evaluation {
  /** The most characters and values of everything that is built. */
  private static final int MAX_SIZE = 8_000_000;
  private static final int MAX_DEPTH = 100;

  private long size;
  private int depth;

  Optional<Value> find(Value document, String path) {
    return find(Optional.of(document), path);
  }

  /**
   * Returns what the path finds; nothing if evaluations are nested too deeply.
   *
   * @param document empty where the path before a pipe found nothing: literals and some modifiers yield a value there
   */
  Optional<Value> find(Optional<Value> document, String path) {
    if (depth == MAX_DEPTH) {
      return Optional.empty();
    }
    depth++;
    Optional<Value> found = findWithin(document, path);
    depth--;
    return found;
  }

  private Optional<Value> findWithin(Optional<Value> whole, String path) {
    Optional<Value> document = whole;
    String rest = path;
    while (true) {
      Optional<DocumentStep> step = rest.length() > 1 ? DocumentStep.of(document, rest, this) : Optional.empty();
      if (step.isPresent()) {
        document = step.get().result();
        if (!step.get().hasNext()) {
          return document;
        }
        rest = step.get().rest().substring(1);
        continue;
      }
      Walk walk = new Walk(this);
      walk.start(document, DocumentStep.remainder(rest));
      if (walk.pipe().isEmpty()) {
        return walk.found();
      }
      document = walk.found();
      rest = walk.pipe().get();
    }
  }

  /** Charges the budget with a value that was built and returns it; an empty optional once the budget is exceeded. */
  Optional<Value> built(Value value) {
    charge(value);
    return isExhausted() ? Optional.empty() : Optional.of(value);
  }

  boolean isExhausted() {
    return size > MAX_SIZE;
  }

  /** Counts a value as often as the result contains it: printing visits it as often. */
  private void charge(Value value) {
    if (isExhausted()) {
      return;
    }
    size++;
    switch (value) {
      case Value.Str text -> size += text.value().length();
      case Value.Array array -> array.items().forEach(this::charge);
      case Value.Dict dict -> dict.members().forEach((name, member) -> {
        size += name.length();
        charge(member);
      });
      default -> {
      }
    }
  }
}
