package portcullis.observe.decisions;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/**
 * Something that changes how requests are decided, for the audit chain; immutable.
 *
 * @param kind like {@code reload} or {@code lock}
 * @param by who or what caused it, like {@code signal}, {@code watch} or {@code management 127.0.0.1}
 * @param details without secrets, by names that no other member of a line has
 * @param secrets details that are recorded as keyed hashes
 */
public record AuditEvent(String kind, String by, Map<String, Value> details, Map<String, String> secrets) {
  /** Returns an event without details. */
  public static AuditEvent of(String kind, String by) {
    return new AuditEvent(kind, by, Map.of(), Map.of());
  }

  /** Returns it with one more detail. */
  public AuditEvent with(String name, Value value) {
    Map<String, Value> out = new LinkedHashMap<>(details);
    out.put(name, value);
    return new AuditEvent(kind, by, out, secrets);
  }

  public AuditEvent with(String name, String value) {
    return with(name, Value.of(value));
  }

  public AuditEvent with(String name, long value) {
    return with(name, Value.of(value));
  }

  public AuditEvent with(String name, List<String> values) {
    return with(name, new Value.Array(List.<Value>copyOf(values.stream().map(Value::of).toList())));
  }

  /** Returns it with a detail that is recorded as a keyed hash, or masked if there is no key. */
  public AuditEvent withSecret(String name, String value) {
    Map<String, String> out = new LinkedHashMap<>(secrets);
    out.put(name, value);
    return new AuditEvent(kind, by, details, out);
  }

  /** Returns what is recorded of it. @param shown what is recorded of a secret */
  AuditEvent recorded(UnaryOperator<String> shown) {
    AuditEvent out = new AuditEvent(kind, by, details, Map.of());
    for (Map.Entry<String, String> secret : secrets.entrySet()) {
      out = out.with(secret.getKey(), shown.apply(secret.getValue()));
    }
    return out;
  }

  /** Returns its line, as JSON. */
  String line(Instant time) {
    JsonLine line = new JsonLine().add("time", time.toString()).add("event", kind).add("by", by);
    details.forEach((name, value) -> line.number(name, JsonLine.visible(JsonText.plain(value))));
    return line.text();
  }
}
