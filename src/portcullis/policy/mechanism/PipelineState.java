package portcullis.policy.mechanism;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.http.message.Field;
import portcullis.http.message.Request;
import portcullis.lang.value.Value;

/**
 * The state of a request in its pipeline; immutable, each step returns a new one.
 *
 * @param response header fields that are added to the response to the client
 */
public record PipelineState(Request request, Optional<Subject> subject, Value.Dict outputs,
    RequestAdditions additions, List<Field> response) {
  public static PipelineState of(Request request) {
    return new PipelineState(request, Optional.empty(), Value.Dict.EMPTY, RequestAdditions.NONE, List.of());
  }

  public PipelineState with(Subject known) {
    return new PipelineState(request, Optional.of(known), outputs, additions, response);
  }

  public PipelineState with(Mechanism.Identified identified) {
    return new PipelineState(request, Optional.of(identified.subject()), outputs, additions, identified.response());
  }

  /** Returns a copy with an output, which later steps read as {@code Outputs.id}. */
  public PipelineState withOutput(String id, Value output) {
    Map<String, Value> all = new LinkedHashMap<>(outputs.members());
    all.put(id, output);
    return new PipelineState(request, subject, new Value.Dict(all), additions, response);
  }

  /** Returns a copy with more header fields of the response to the client. */
  public PipelineState withResponse(List<Field> more) {
    if (more.isEmpty()) {
      return this;
    }
    List<Field> all = new ArrayList<>(response);
    all.addAll(more);
    return new PipelineState(request, subject, outputs, additions, List.copyOf(all));
  }

  public PipelineState with(RequestAdditions more) {
    return more.equals(RequestAdditions.NONE) ? this
        : new PipelineState(request, subject, outputs, additions.and(more), response);
  }

  /**
   * Returns the variables of error handlers; without a subject there is no {@code Subject}, so that templates can use a
   * default.
   */
  public Value.Dict errorScope() {
    Map<String, Value> scope = HashMap.newHashMap(6);
    scope.put("Request", request);
    scope.put("Outputs", outputs);
    subject.ifPresent(known -> scope.put("Subject", known));
    return new Value.Dict(scope);
  }

  /** Returns everything about the subject, for cache keys. */
  public List<String> identity() {
    return subject.map(Subject::identity).orElse(List.of());
  }

  /**
   * Returns the variables of templates and expressions: Request, Outputs and Subject, which is null before
   * authentication.
   */
  public Value.Dict scope() {
    Map<String, Value> scope = HashMap.newHashMap(6);
    scope.put("Request", request);
    scope.put("Outputs", outputs);
    scope.put("Subject", subject.map(s -> (Value) s).orElse(Value.NULL));
    return new Value.Dict(scope);
  }
}
