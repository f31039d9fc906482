package portcullis.lang.expression;

import java.util.Map;
import java.util.Set;

/**
 * The objects whose members are known before they are read: {@code Error}, and those that an expression can write down.
 */
final class Structs {
  private static final Map<String, Map<String, String>> MEMBERS = Map.of(
      "error", Map.of("Source", "string", "StepID", "string"),
      "networks", Map.of(),
      "heimdall.Request", Map.of("Method", "string", "URL", "heimdall.URL", "ClientIPAddresses", "list(string)"),
      "heimdall.URL", Map.of("Scheme", "string", "Host", "string", "Path", "string", "RawPath", "string",
          "RawQuery", "string", "Fragment", "string", "Captures", "map(string, string)"),
      "subject.Subject", Map.of("ID", "string", "Attributes", "map(string, dyn)"));
  private static final Set<String> WRITTEN = Set.of("heimdall.Request", "heimdall.URL", "subject.Subject");

  private Structs() {}

  /** Returns the names of the types of objects that an expression can create. */
  static Set<String> names() {
    return WRITTEN;
  }

  /** Returns the types of the members of a type, by name. */
  static Map<String, String> members(String type) {
    return MEMBERS.getOrDefault(type, Map.of());
  }
}
