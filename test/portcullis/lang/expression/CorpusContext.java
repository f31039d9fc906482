package portcullis.lang.expression;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import portcullis.lang.value.Value;

/** The variables that a row of the golden files is evaluated with. */
final class CorpusContext {
  private CorpusContext() {}

  static Variables of(Value context) {
    Map<String, Value> variables = new HashMap<>();
    ((Value.Dict) context).members().forEach((name, value) -> {
      // a subject that is null was a nil pointer, which heimdall cannot pass on
      if (!name.equals("Subject") || value instanceof Value.Dict) {
        variables.put(name, variable(name, value));
      }
    });
    return Variables.of(variables);
  }

  private static Value variable(String name, Value value) {
    return switch (name) {
      case "Request" -> CorpusRequest.of(value);
      case "Subject" -> new TestFacade("Subject", Map.of("ID", Value.of(Corpora.text(value, "ID")), "Attributes",
          Corpora.member(value, "Attributes").filter(a -> a instanceof Value.Dict).orElse(Value.Dict.EMPTY)), Map.of());
      case "Error" -> error(value);
      default -> value;
    };
  }

  private static Value error(Value value) {
    Set<ErrorKind> kinds = new HashSet<>();
    for (Value kind : Corpora.items(value, "kinds")) {
      kinds.addAll(switch (((Value.Text) kind).value()) {
        case "authentication" -> List.of(ErrorKind.AUTHENTICATION);
        case "authorization" -> List.of(ErrorKind.AUTHORIZATION);
        case "communication", "timeout" -> List.of(ErrorKind.COMMUNICATION);
        case "internal", "configuration" -> List.of(ErrorKind.INTERNAL);
        case "argument" -> List.of(ErrorKind.PRECONDITION);
        default -> List.of();
      });
    }
    return new ErrorFacade(kinds, Corpora.text(value, "Source"), Corpora.text(value, "StepID"));
  }
}
