package portcullis.policy.mechanism;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.http.message.Request;
import portcullis.lang.value.Value;

/** How far a request has come; immutable, each step hands on a new one. */
public record PipelineState(Request request, Optional<Subject> subject, Value.Dict outputs, Additions additions) {
  public static PipelineState of(Request request) {
    return new PipelineState(request, Optional.empty(), Value.Dict.EMPTY, Additions.NONE);
  }

  public PipelineState with(Subject known) {
    return new PipelineState(request, Optional.of(known), outputs, additions);
  }

  /** With what later steps read as {@code Outputs.id}. */
  public PipelineState withOutput(String id, Value output) {
    Map<String, Value> all = new LinkedHashMap<>(outputs.members());
    all.put(id, output);
    return new PipelineState(request, subject, new Value.Dict(all), additions);
  }

  public PipelineState with(Additions more) {
    return more.equals(Additions.NONE) ? this : new PipelineState(request, subject, outputs, additions.and(more));
  }

  /**
   * What templates of error handlers read: nothing at all as Subject where nobody is known, so that it has a default.
   */
  public Value.Dict scopeOfErrors() {
    Map<String, Value> scope = HashMap.newHashMap(6);
    scope.put("Request", request);
    scope.put("Outputs", outputs);
    subject.ifPresent(known -> scope.put("Subject", known));
    return new Value.Dict(scope);
  }

  /** Everything about who asks, for cache keys. */
  public List<String> identity() {
    return subject.map(Subject::identity).orElse(List.of());
  }

  /** What templates and expressions read: Request, Outputs and, once somebody is known, Subject. */
  public Value.Dict scope() {
    Map<String, Value> scope = HashMap.newHashMap(6);
    scope.put("Request", request);
    scope.put("Outputs", outputs);
    scope.put("Subject", subject.map(s -> (Value) s).orElse(Value.NULL));
    return new Value.Dict(scope);
  }
}
