package portcullis.lang.template;

import java.util.AbstractList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import portcullis.lang.value.HostObject;
import portcullis.lang.value.Value;

/** Converts values to items, lazily; for one rendering. */
final class ItemFactory {
  private final boolean keepsIdentity;
  private final Map<Value.Dict, Dict> dicts;

  /** @param keepsIdentity whether a dict that is read twice is the same item, so that changes of it are seen */
  ItemFactory(boolean keepsIdentity) {
    this.keepsIdentity = keepsIdentity;
    this.dicts = keepsIdentity ? new IdentityHashMap<>() : Map.of();
  }

  boolean keepsIdentity() {
    return keepsIdentity;
  }

  Item item(Value value) {
    return switch (value) {
      case Value.Str(String text) -> Item.of(text);
      case Value.Null _ -> Item.NIL;
      case Value.Bool(boolean truth) -> Item.of(truth);
      case Value.Float(double number, String digits) -> digits.isEmpty() ? new Item.Real(number)
          : new Item.Exact(digits, number);
      case Value.Int(long number, boolean typed) -> typed ? new Item.Whole(number, WholeType.INT) : number(number);
      case Value.Array(List<Value> values) -> new Item.Sequence(SequenceType.ANY, new ItemView(values));
      case Value.Dict dict -> keepsIdentity ? dicts.computeIfAbsent(dict, this::dict) : dict(dict);
      case HostObject object -> new Item.Host(object);
    };
  }

  private Dict dict(Value.Dict dict) {
    return Dict.of(dict, this);
  }

  private static Item number(long value) {
    double nearest = value;
    return (long) nearest == value && value != Long.MAX_VALUE ? new Item.Real(nearest)
        : new Item.Exact(Long.toString(value), nearest);
  }

  private final class ItemView extends AbstractList<Item> {
    private final List<Value> values;

    ItemView(List<Value> values) {
      this.values = values;
    }

    @Override
    public Item get(int index) {
      return item(values.get(index));
    }

    @Override
    public int size() {
      return values.size();
    }
  }
}
