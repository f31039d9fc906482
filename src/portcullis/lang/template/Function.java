package portcullis.lang.template;

import java.util.List;
import portcullis.lang.value.ValueException;

/**
 * A function that templates can call.
 *
 * @param parameters their types; a variadic function takes any number of arguments for the last one
 */
record Function(String name, List<Param> parameters, boolean variadic, Body body) {
  /** Computes the result for arguments of the right types. */
  interface Body {
    Item apply(Arguments arguments) throws ValueException;
  }

  Param parameter(int index) {
    return index < parameters.size() ? parameters.get(index) : parameters.getLast();
  }

  void checkCount(int count) throws ValueException {
    int fixed = variadic ? parameters.size() - 1 : parameters.size();
    if (count < fixed || count > fixed && !variadic) {
      throw new ValueException(
          "takes " + (variadic ? "at least " : "") + fixed + (fixed == 1 ? " argument" : " arguments")
              + ", not " + count);
    }
  }
}
