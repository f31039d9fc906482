package portcullis.lang.template;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.value.Value;

/** What the rows of the golden files are rendered with. */
final class CorpusContext {
  private CorpusContext() {}

  static Value.Dict of(Value context) {
    Map<String, Value> out = new LinkedHashMap<>();
    ((Value.Dict) context).members().forEach((name, value) -> out.put(name, member(name, value)));
    return new Value.Dict(out);
  }

  private static Value member(String name, Value value) {
    if (!(value instanceof Value.Dict dict)) {
      return value;
    }
    return switch (name) {
      case "Request" -> CorpusRequest.of(dict);
      case "Subject" -> subject(dict);
      default -> value;
    };
  }

  private static Value subject(Value.Dict subject) {
    Value attributes = subject.get("Attributes").filter(a -> a instanceof Value.Dict).orElse(Value.Dict.EMPTY);
    return new StubFacade("Subject", Map.of("ID", subject.get("ID").orElse(Value.EMPTY_TEXT), "Attributes", attributes),
        Map.of("Hash", StubFacade.answer(Value.of("hash"))), "&{subject}", Optional.empty());
  }
}
