package portcullis.route;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Things by host, under {@link HostKeys}; immutable. */
final class HostTable<T> {
  private final Map<String, T> things;
  private final boolean hasPorts;
  private final boolean hasWildcards;

  HostTable(Map<String, T> things) {
    this.things = Map.copyOf(things);
    this.hasPorts = things.keySet().stream().anyMatch(key -> HostName.of(key).port() != 0);
    this.hasWildcards = things.keySet().stream().anyMatch(key -> key.startsWith("*."));
  }

  /** What {@code take} first makes of a thing whose host takes such a request, the most specific host first. */
  <R> Optional<R> taking(HostName host, String scheme, Function<T, Optional<R>> take) {
    int standard = HostName.defaultPort(scheme);
    int port = host.port() == 0 ? standard : host.port();
    boolean mayBeBare = port == standard;
    Optional<R> found = named(host.name(), port, mayBeBare, take);
    int dot = hasWildcards && found.isEmpty() ? host.name().indexOf('.', 1) : -1;
    while (dot >= 0 && found.isEmpty()) {
      found = named("*" + host.name().substring(dot), port, mayBeBare, take);
      dot = host.name().indexOf('.', dot + 1);
    }
    return found.isEmpty() ? under(HostKeys.ANY, take) : found;
  }

  private <R> Optional<R> named(String name, int port, boolean mayBeBare, Function<T, Optional<R>> take) {
    Optional<R> found = hasPorts && port != 0 ? under(name + ":" + port, take) : Optional.empty();
    return found.isEmpty() && mayBeBare ? under(name, take) : found;
  }

  private <R> Optional<R> under(String key, Function<T, Optional<R>> take) {
    T thing = things.get(key);
    return thing == null ? Optional.empty() : take.apply(thing);
  }
}
