package portcullis.serve.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.config.Node;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.observe.otel.Variables;

/** Finds listeners that would need the same port at the same address. */
final class PortConflicts {
  private static final Set<String> ALL_ADDRESSES = Set.of("", "0.0.0.0", "::", "[::]");

  private PortConflicts() {}

  /**
   * A listener of a configuration.
   *
   * @param section that it is configured in
   * @param written where its port is written; empty if it is the default
   */
  private record Place(String section, String host, int port, Optional<Origin> written) {
    boolean conflicts(Place other) {
      boolean overlap = ALL_ADDRESSES.contains(host) || ALL_ADDRESSES.contains(other.host) || host.equals(other.host);
      return port == other.port && overlap;
    }
  }

  /** Adds an error for each listener whose port an earlier one has. */
  static void check(Settings settings, Map<String, String> environment, Problems problems) {
    List<Place> places = new ArrayList<>();
    places.add(place(settings, "serve", settings.main().host(), settings.main().port()));
    places.add(place(settings, "management", settings.management().host(), settings.management().port()));
    if (settings.profiling().enabled()) {
      places.add(place(settings, "profiling", settings.profiling().host(), settings.profiling().port()));
    }
    if (settings.metrics()) {
      Variables.of(environment, new Problems()).pull().ifPresent(pull -> places.add(new Place("metrics", pull.host(),
          pull.port(), Optional.of(new Origin.InEnvironment("OTEL_EXPORTER_PROMETHEUS_PORT")))));
    }
    for (int i = 1; i < places.size(); i++) {
      Place place = places.get(i);
      places.subList(0, i).stream().filter(place::conflicts).findFirst()
          .ifPresent(earlier -> report(place, earlier, settings.written().at(), problems));
    }
  }

  private static void report(Place later, Place earlier, Origin whole, Problems problems) {
    boolean atLater = later.written().isPresent() || earlier.written().isEmpty();
    Place place = atLater ? later : earlier;
    Place other = atLater ? earlier : later;
    problems.error(place.written().orElse(whole), place.section() + ".port",
        "port " + place.port() + " is that of `" + other.section() + "` too", "give each listener a port of its own");
  }

  private static Place place(Settings settings, String section, String host, int port) {
    Optional<Node> number = settings.written().get(section)
        .flatMap(node -> node instanceof Node.Mapping m ? m.get("port") : Optional.empty());
    return new Place(section, host, port, number.map(Node::at));
  }
}
