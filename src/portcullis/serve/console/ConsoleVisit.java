package portcullis.serve.console;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.http.message.ValidRequest;

/**
 * A request for a page of the console, by somebody who may use it; immutable.
 *
 * @param rest what follows the page's name and a slash in the path; empty for nothing
 * @param parameters of the query, or of a submitted form
 * @param submitted whether a form was submitted
 * @param subject the id of who sends the request
 */
public record ConsoleVisit(ValidRequest request, String rest, Map<String, List<String>> parameters, boolean submitted,
    String subject) {
  /** Returns the first value of a parameter without blanks around it; empty if that is all. */
  public Optional<String> parameter(String name) {
    return parameters.getOrDefault(name, List.of()).stream().findFirst().map(String::strip)
        .filter(value -> !value.isEmpty());
  }
}
