package portcullis.policy.route;

import java.util.List;
import java.util.Optional;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Nearest;
import portcullis.lang.source.Problems;

/** A path of a rule and conditions on its captures, all of which must hold; immutable. */
public record Route(PathPattern path, List<PathParameter> parameters) {
  public Route {
    parameters = List.copyOf(parameters);
  }

  /** Puts both together; empty exactly if a problem was added, as for a name that the path does not capture. */
  public static Optional<Route> of(PathPattern path, List<PathParameter> parameters, Problems problems) {
    List<String> names = path.names();
    List<LocatedText> strange = parameters.stream().map(PathParameter::source)
        .filter(name -> !names.contains(name.text())).toList();
    strange.forEach(name -> problems.error(Origins.of(name), name.path(),
        "`" + path.source().text() + "` has no wildcard `" + name.text() + "`", Nearest.hint(name.text(), names)));
    return strange.isEmpty() ? Optional.of(new Route(path, parameters)) : Optional.empty();
  }
}
