package portcullis.http.message;

import java.util.ArrayList;
import java.util.List;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueFault;

/** Checks what functions of our objects are called with. */
final class Arguments {
  private Arguments() {}

  static String text(String function, List<Value> arguments) throws ValueFault {
    if (arguments.size() != 1 || !(arguments.getFirst() instanceof Value.Text(String text))) {
      throw new ValueFault("`" + function + "` takes one text");
    }
    return text;
  }

  static List<String> texts(String function, List<Value> arguments) throws ValueFault {
    List<String> out = new ArrayList<>(arguments.size());
    for (Value argument : arguments) {
      out.add(text(function, List.of(argument)));
    }
    return out;
  }

  static void none(String function, List<Value> arguments) throws ValueFault {
    if (!arguments.isEmpty()) {
      throw new ValueFault("`" + function + "` takes no arguments");
    }
  }
}
