package portcullis.policy.mechanism;

import java.util.SequencedMap;
import portcullis.lang.expression.ReadValues;
import portcullis.lang.expression.Variables;
import portcullis.lang.source.LocatedText;
import portcullis.lang.value.Value;

/** An expression that was false, with the variables that it saw. The values may be secrets: they are never logged. */
public record FailedCheck(LocatedText expression, Value.Dict scope) {
  /** Returns what the expression read, by the name of the member; each value is JSON. */
  public SequencedMap<String, String> values() {
    return ReadValues.of(expression, Variables.of(scope.members()));
  }
}
