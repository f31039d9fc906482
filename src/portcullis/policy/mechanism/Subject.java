package portcullis.policy.mechanism;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.value.Facade;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** The subject of a request: an identifier and attributes. */
public record Subject(String id, Value.Dict attributes) implements Facade {
  private static final Set<String> MEMBERS = Set.of("ID", "Attributes");

  /** Returns everything about it, for cache keys. */
  public List<String> identity() {
    return List.of(id, JsonText.plain(attributes));
  }

  @Override
  public String name() {
    return "Subject";
  }

  @Override
  public Set<String> members() {
    return MEMBERS;
  }

  @Override
  public Optional<Value> member(String name) {
    return switch (name) {
      case "ID" -> Optional.of(Value.of(id));
      case "Attributes" -> Optional.of(attributes);
      default -> Optional.empty();
    };
  }

  @Override
  public String text() {
    return JsonText.plain(new Value.Dict(Map.of("ID", Value.of(id), "Attributes", attributes)));
  }
}
