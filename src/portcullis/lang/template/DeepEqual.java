package portcullis.lang.template;

import java.util.List;
import portcullis.lang.value.ValueException;

/** Compares types and values recursively, as Go's reflect.DeepEqual. */
final class DeepEqual {
  private DeepEqual() {}

  static boolean of(Item a, Item b, Budget budget) throws ValueException {
    return of(a, b, budget, 0);
  }

  private static boolean of(Item a, Item b, Budget budget, int depth) throws ValueException {
    Budget.checkDepth(depth);
    budget.step();
    return switch (a) {
      case Item.Sequence list -> b instanceof Item.Sequence other && lists(list, other, budget, depth);
      case Dict dict -> b instanceof Dict other && dicts(dict, other, budget, depth);
      case Item.Real(double real) -> b instanceof Item.Real(double other) && real == other;
      case Item.Text text -> {
        budget.spendText(text.value().length());
        yield text.equals(b);
      }
      case Item.Host(var object) -> b instanceof Item.Host(var other) && object.equals(other);
      default -> a.equals(b);
    };
  }

  private static boolean lists(Item.Sequence a, Item.Sequence b, Budget budget, int depth) throws ValueException {
    List<Item> items = a.items();
    if (a.type() != b.type() || a.nil() != b.nil() || items.size() != b.items().size()) {
      return false;
    }
    for (int i = 0; i < items.size(); i++) {
      if (!of(items.get(i), b.items().get(i), budget, depth + 1)) {
        return false;
      }
    }
    return true;
  }

  private static boolean dicts(Dict a, Dict b, Budget budget, int depth) throws ValueException {
    if (a.type() != b.type() || a.isNil() != b.isNil() || a.size() != b.size()) {
      return false;
    }
    for (String key : a.keys()) {
      if (!b.has(key) || !of(a.get(key), b.get(key), budget, depth + 1)) {
        return false;
      }
    }
    return true;
  }
}
