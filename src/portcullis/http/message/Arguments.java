package portcullis.http.message;

import java.util.ArrayList;
import java.util.List;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** Checks what functions of our objects are called with. */
final class Arguments {
  private Arguments() {}

  static String text(String function, List<Value> arguments) throws ValueException {
    if (arguments.size() != 1 || !(arguments.getFirst() instanceof Value.Str(String text))) {
      throw new ValueException("`" + function + "` takes one string");
    }
    return text;
  }

  static List<String> texts(String function, List<Value> arguments) throws ValueException {
    List<String> out = new ArrayList<>(arguments.size());
    for (Value argument : arguments) {
      out.add(text(function, List.of(argument)));
    }
    return out;
  }

  static void none(String function, List<Value> arguments) throws ValueException {
    if (!arguments.isEmpty()) {
      throw new ValueException("`" + function + "` takes no arguments");
    }
  }
}
