package portcullis.policy.route;

import java.util.List;
import java.util.Optional;
import portcullis.lang.source.LocatedText;

/**
 * What many routes have in common; immutable.
 *
 * @param literals how many segments their paths have before the first wildcard
 * @param tail the segments from the first wildcard on
 */
record RouteShape<V>(int literals, List<Segment> tail, List<Capture> captures, Terms terms) implements Edges.Kind<V> {
  /** The conditions of a route on a request whose path fits. */
  record Terms(Scheme scheme, MethodSet methods, List<StringPattern> hostTexts, EncodedSlashes slashes,
      List<PathParameter> parameters) {
    private boolean hold(RouteQuery query) {
      return scheme.has(query.lookup().scheme()) && methods.has(query.lookup().method()) && query.hostFits(hostTexts);
    }

    Terms ignoringCase() {
      return new Terms(scheme, methods, hostTexts, slashes,
          parameters.stream().map(PathParameter::ignoringCase).toList());
    }

    /** Returns whether these leave nothing to others of a path and hosts that are the same. */
    boolean cover(Terms other) {
      return scheme.covers(other.scheme) && methods.covers(other.methods)
          && (hostTexts.isEmpty() || hostTexts.equals(other.hostTexts))
          && (parameters.isEmpty() || slashes == other.slashes && other.askAllOf(parameters));
    }

    private boolean askAllOf(List<PathParameter> earlier) {
      return earlier.stream().allMatch(p -> parameters.stream()
          .anyMatch(own -> own.name().equals(p.name()) && own.pattern().equals(p.pattern())));
    }
  }

  /** Returns the shape for paths in lower case. */
  RouteShape<V> ignoringCase() {
    return new RouteShape<>(literals, tail.stream().map(Segment::ignoringCase).toList(), captures,
        terms.ignoringCase());
  }

  /** Returns whether a path fits whose literals up to {@code end} were found to be those of the route. */
  boolean fits(SplitPath path, int end) {
    return tail.isEmpty() ? path.length() == end : tailFits(path);
  }

  private boolean tailFits(SplitPath path) {
    for (int i = 0; i < tail.size(); i++) {
      int at = literals + i;
      boolean fits = at < path.size() && switch (tail.get(i)) {
        case Segment.Literal literal -> path.is(at, literal.text());
        case Segment.Single _ -> !path.isEmpty(at);
        case Segment.Rest _ -> !path.endsBefore(at);
      };
      if (!fits || tail.get(i) instanceof Segment.Rest) {
        return fits;
      }
    }
    return path.size() == literals + tail.size();
  }

  /** Returns the match of a path that was found to fit, if the terms hold too. */
  Optional<Match<V>> match(RouteQuery query, V value, LocatedText written) {
    if (!terms.hold(query)) {
      return Optional.empty();
    }
    Match<V> match = new Match<>(value, written, captures, query.path(), terms.slashes(), literals);
    return match.fits(terms.parameters()) ? Optional.of(match) : Optional.empty();
  }
}
