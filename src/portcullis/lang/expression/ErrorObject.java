package portcullis.lang.expression;

import java.util.Optional;
import java.util.Set;
import portcullis.lang.value.HostObject;
import portcullis.lang.value.Value;

/**
 * The variable {@code Error}, which describes why a request is refused.
 *
 * @param kinds every kind in the chain of causes: {@code type(Error) == x} is true if x is among them
 * @param source the name of the mechanism that failed; empty if none did
 * @param stepId the id of the pipeline's step that failed; empty if it has none
 */
public record ErrorObject(Set<ErrorKind> kinds, String source, String stepId) implements HostObject {
  private static final Set<String> MEMBERS = Set.of("Source", "StepID");

  public ErrorObject {
    kinds = Set.copyOf(kinds);
  }

  @Override
  public String name() {
    return "Error";
  }

  @Override
  public Set<String> members() {
    return MEMBERS;
  }

  @Override
  public Optional<Value> member(String name) {
    return switch (name) {
      case "Source" -> Optional.of(Value.of(source));
      case "StepID" -> Optional.of(Value.of(stepId));
      default -> Optional.empty();
    };
  }

  @Override
  public String text() {
    return source;
  }
}
