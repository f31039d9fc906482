package portcullis.verify;

import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.expression.EvaluationFailure;
import portcullis.lang.expression.Expression;
import portcullis.lang.value.HostObject;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/**
 * What all requests of a route have in common: the method, if it is given, and which captures there are. Everything
 * else is unknown. For one evaluation.
 */
final class PartialRequest {
  private final Optional<String> method;
  private final Set<String> captures;
  /** Whether an evaluation failed since something was read that is not known. */
  private boolean unknown;
  /** Whether it went on with a value that was made up. */
  private boolean invented;

  private PartialRequest(Optional<String> method, Set<String> captures) {
    this.method = method;
    this.captures = captures;
  }

  /** The result of an expression for all requests of a route. */
  enum Result {
    TRUE("is always true"), FALSE("is never true"), FAILURE("always fails");

    private final String text;

    Result(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  /**
   * Returns the result; empty if it depends on what is unknown.
   *
   * @param method of the requests; empty for any
   * @param captures names of the wildcards of the route
   * @param routed whether method and captures are known
   */
  static Optional<Result> result(Expression expression, Optional<String> method, Set<String> captures,
      boolean routed) {
    PartialRequest request = new PartialRequest(method, captures);
    boolean known = routed && !expression.text().contains("has("); // a missing member is not a failure there
    try {
      boolean result = expression.test(name -> name.equals("Request") && known
          ? Optional.of(request.root())
          : request.missing());
      return request.invented ? Optional.empty() : Optional.of(result ? Result.TRUE : Result.FALSE);
    } catch (EvaluationFailure _) {
      return request.unknown || request.invented ? Optional.empty() : Optional.of(Result.FAILURE);
    }
  }

  private <T> Optional<T> missing() {
    unknown = true;
    return Optional.empty();
  }

  private HostObject root() {
    Map<String, Value> known = new LinkedHashMap<>();
    method.ifPresent(name -> known.put("Method", Value.of(name)));
    known.put("URL", new Known(Map.of("Captures", new Value.Dict(new Captures()))));
    return new Known(known);
  }

  /** An object of which some members are known. */
  private final class Known implements HostObject {
    private final Map<String, Value> known;

    private Known(Map<String, Value> known) {
      this.known = known;
    }

    @Override
    public String name() {
      return "Request";
    }

    @Override
    public Set<String> members() {
      return known.keySet();
    }

    @Override
    public Set<String> functions() {
      unknown = true; // a call of one fails for want of it
      return Set.of();
    }

    @Override
    public Optional<Value> member(String name) {
      return known.containsKey(name) ? Optional.of(known.get(name)) : missing();
    }

    @Override
    public Value call(String function, List<Value> arguments) throws ValueException {
      unknown = true;
      throw new ValueException("unknown");
    }

    @Override
    public String text() {
      invented = true;
      return "";
    }
  }

  /** A map of which it is known what it lacks. */
  private final class Captures extends AbstractMap<String, Value> {
    @Override
    public Value get(Object name) {
      return containsKey(name) ? Value.EMPTY_STRING : null;
    }

    @Override
    public boolean containsKey(Object name) {
      invented |= captures.contains(name);
      return captures.contains(name);
    }

    @Override
    public Set<Map.Entry<String, Value>> entrySet() {
      invented = true;
      return Set.of();
    }
  }
}
