package portcullis.lang.template;

import java.util.Arrays;
import portcullis.lang.value.ValueException;

/** A call of a function at a place of a template. */
record Call(Rendering rendering, Function function, Span at) {
  private static final Item[] NO_ITEMS = {};

  Item apply(LazyArguments arguments) throws RenderFailure {
    return apply(NO_ITEMS, arguments);
  }

  /** @param first what precedes the arguments, as the object that a method is called on */
  Item apply(Item[] first, LazyArguments arguments) throws RenderFailure {
    checkCount(first.length + arguments.count());
    Item[] items = Arrays.copyOf(first, first.length + arguments.count());
    for (int i = 0; i < arguments.count(); i++) {
      items[first.length + i] = arguments.get(i, function.parameter(first.length + i));
    }
    try {
      charge(items);
      return function.body().apply(new Arguments(items, rendering));
    } catch (ValueException e) {
      throw rendering.failure(at, "`" + function.name() + "`: " + e.getMessage());
    }
  }

  private void charge(Item[] items) throws ValueException {
    for (Item item : items) {
      if (item instanceof Item.Text(String text)) {
        rendering.budget().spendText(text.length());
      }
    }
  }

  void checkCount(int count) throws RenderFailure {
    try {
      function.checkCount(count);
    } catch (ValueException e) {
      throw rendering.failure(at, "`" + function.name() + "` " + e.getMessage());
    }
  }
}
