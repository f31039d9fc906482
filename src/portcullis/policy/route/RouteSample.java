package portcullis.policy.route;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.lang.source.LocatedText;

/**
 * Requests that a route is for, one for each of its methods, or of those that this sample is about.
 *
 * @param methods that the route names; some usual ones where it is for all
 * @param isAnyMethod whether the route is for all methods
 * @param host with its port, if the route names one
 * @param segments of the path, percent-encoded
 * @param captures the index of the segment that each named wildcard takes
 * @param unknown what no value was found for, as a regular expression; empty if all conditions of the route hold
 * @param winner what the request is routed to: the value of this route, or that of a more specific one; empty where
 *     conditions of the route do not hold
 * @param taken whether routes that are tried before leave no request with these methods to this one, for certain
 */
public record RouteSample<V>(V value, LocatedText route, List<String> methods, boolean isAnyMethod, String scheme,
    String host, List<String> segments, SequencedMap<String, Integer> captures, String unknown, Optional<V> winner,
    boolean taken) {
  /** The methods tried of a route for all of them. */
  static final List<String> USUAL = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

  public RouteSample {
    methods = List.copyOf(methods);
    segments = List.copyOf(segments);
  }

  /** Returns whether these are all methods that are tried of a route for all methods. */
  public boolean areAll(List<String> some) {
    return isAnyMethod && some.size() == USUAL.size();
  }

  /** Returns the path, percent-encoded. */
  public String path() {
    return "/" + String.join("/", segments);
  }

  /** Returns the absolute URL. */
  public String url() {
    return scheme + "://" + host + path();
  }

  /** Returns the URL with another value, percent-encoded, in place of what a wildcard takes. */
  public String urlWith(String capture, String value) {
    List<String> changed = new ArrayList<>(segments);
    changed.set(captures.get(capture), value);
    return scheme + "://" + host + "/" + String.join("/", changed);
  }
}
