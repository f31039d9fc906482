package portcullis.lang.template;

import java.util.List;
import portcullis.lang.value.ValueFault;

/**
 * A function as templates call it.
 *
 * @param slots what it takes; of a variadic one the last stands for any number of arguments
 */
record Function(String name, List<Slot> slots, boolean variadic, Body body) {
  /** What it does with arguments that fit its slots. */
  interface Body {
    Item answer(Arguments arguments) throws ValueFault;
  }

  Slot slot(int index) {
    return index < slots.size() ? slots.get(index) : slots.getLast();
  }

  void checkCount(int count) throws ValueFault {
    int fixed = variadic ? slots.size() - 1 : slots.size();
    if (count < fixed || count > fixed && !variadic) {
      throw new ValueFault("takes " + (variadic ? "at least " : "") + fixed + (fixed == 1 ? " argument" : " arguments")
          + ", not " + count);
    }
  }
}
