package portcullis.lang.gjson;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.value.Value;

/** Descends from a document along a path up to its first pipe. Mutable, for one path. */
final class Walk {
  private final Evaluation evaluation;
  private Optional<Value> found = Optional.empty();
  private Optional<String> pipe = Optional.empty();

  Walk(Evaluation evaluation) {
    this.evaluation = evaluation;
  }

  Optional<Value> found() {
    return found;
  }

  /** Returns the path behind the pipe, which continues from what was found. */
  Optional<String> pipe() {
    return pipe;
  }

  /** Walks the path, which sees the document as the only element of an array if it starts with two points. */
  void start(Optional<Value> document, String path) {
    if (path.startsWith("..")) {
      array(document.stream().toList(), path.substring(2));
    } else {
      document.ifPresent(value -> enter(value, path));
    }
  }

  /** Walks the path in an object or array; false if its end was not reached. */
  private boolean enter(Value container, String path) {
    return switch (container) {
      case Value.Dict dict -> object(dict, path);
      case Value.Array array -> array(array.items(), path);
      default -> false;
    };
  }

  private boolean object(Value.Dict dict, String path) {
    ObjectStep step = ObjectStep.parse(path);
    note(step.rest());
    if (!step.isPattern()) {
      return dict.get(step.name()).filter(member -> reach(member, step.rest())).isPresent();
    }
    for (Map.Entry<String, Value> member : dict.members().entrySet()) {
      if (step.matches(member.getKey()) && reach(member.getValue(), step.rest())) {
        return true;
      }
    }
    return false;
  }

  /** Follows the rest of the path from a member or element that its first part means. */
  private boolean reach(Value value, Rest rest) {
    if (rest.continues()) {
      return enter(value, rest.path());
    }
    found = Optional.of(value);
    return true;
  }

  private void note(Rest rest) {
    if (rest.join() == Rest.Join.PIPE) {
      pipe = Optional.of(rest.path());
    }
  }

  private boolean array(List<Value> items, String path) {
    ArrayStep step = ArrayStep.parse(path);
    note(step.rest());
    if (step.query().isPresent()) {
      return query(step.query().get(), items, step.rest());
    }
    if (!step.counts()) {
      return ArrayStep.element(items, step.part()).filter(element -> reach(element, step.rest())).isPresent();
    }
    if (!step.part().equals("#")) {
      return false;
    }
    found = step.collects() ? collect(items, step.rest().path()) : Optional.of(Value.of(items.size()));
    return true;
  }

  private Optional<Value> collect(List<Value> items, String path) {
    String[] parts = splitAtPipe(path);
    List<Value> collected = new ArrayList<>();
    items.forEach(item -> evaluation.find(item, parts[0]).ifPresent(collected::add));
    return evaluation.built(new Value.Array(collected));
  }

  private boolean query(Query query, List<Value> items, Rest rest) {
    String[] parts = {""};
    List<Value> collected = new ArrayList<>();
    for (Value item : items) {
      if (!query.accepts(item, evaluation)) {
        continue;
      }
      if (rest.continues()) {
        parts = splitAtPipe(rest.path());
      }
      Optional<Value> result = rest.continues() ? evaluation.find(item, parts[0]) : Optional.of(item);
      if (!query.all()) {
        found = result;
        return true;
      }
      result.ifPresent(collected::add);
    }
    if (query.all() && found.isEmpty()) {
      found = evaluation.built(new Value.Array(collected));
    }
    return false;
  }

  private String[] splitAtPipe(String path) {
    String[] parts = Pipes.split(path);
    if (parts.length == 2) {
      pipe = Optional.of(parts[1]);
    }
    return parts;
  }
}
