package portcullis.policy.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import portcullis.policy.pipeline.Pipeline;

/**
 * Replaces equal parts of the rules of a file by one object, to save memory for the lifetime of the rules. For one
 * thread.
 */
final class Interner {
  private final Map<Object, Object> known = new HashMap<>();

  /** A key that is compared by identity, since comparing content may take long. */
  private record Same(Object object) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Same same && same.object == object;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(object);
    }
  }

  /** Returns the first of all parts that equal this one. */
  <T> T intern(T part) {
    return intern(part, () -> part);
  }

  /** Returns the value first created for a key; all values of a key have one type. */
  @SuppressWarnings("unchecked") // as it was put there
  <T> T intern(Object key, Supplier<T> part) {
    return (T) known.computeIfAbsent(key, _ -> part.get());
  }

  /** Returns the first pipeline of the same steps. */
  Pipeline intern(Pipeline pipeline) {
    List<Object> steps = new ArrayList<>();
    steps.add(pipeline.version());
    steps.add(pipeline.authenticators().stream().map(Same::new).toList());
    steps.add(pipeline.handlers().stream().map(Same::new).toList());
    steps.add(pipeline.finalizers().stream().map(Same::new).toList());
    steps.add(pipeline.errorHandlers().stream().map(Same::new).toList());
    return intern(steps, () -> pipeline);
  }
}
