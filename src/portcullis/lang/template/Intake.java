package portcullis.lang.template;

import java.util.AbstractList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import portcullis.lang.value.Facade;
import portcullis.lang.value.Value;

/** Makes items of the data, each when it is first looked at; for one rendering. */
final class Intake {
  private final boolean remembers;
  private final Map<Value.Dict, Dict> dicts;

  /** @param remembers whether a dict of the data, looked at twice, is the same item: then changes of it are seen */
  Intake(boolean remembers) {
    this.remembers = remembers;
    this.dicts = remembers ? new IdentityHashMap<>() : Map.of();
  }

  boolean remembers() {
    return remembers;
  }

  Item item(Value value) {
    return switch (value) {
      case Value.Text(String text) -> Item.of(text);
      case Value.Null _ -> Item.NIL;
      case Value.Bool(boolean truth) -> Item.of(truth);
      case Value.Float number -> new Item.Real(number.value());
      case Value.Int(long number, boolean typed) -> typed ? new Item.Whole(number, WholeType.INT) : number(number);
      case Value.Array(List<Value> values) -> new Item.Sequence(SequenceType.ANY, new Taken(values));
      case Value.Dict dict -> remembers ? dicts.computeIfAbsent(dict, this::dict) : dict(dict);
      case Facade facade -> new Item.Thing(facade);
    };
  }

  private Dict dict(Value.Dict dict) {
    return Dict.of(dict, this);
  }

  private static Item number(long value) {
    double nearest = value;
    return (long) nearest == value && value != Long.MAX_VALUE ? new Item.Real(nearest) : new Item.Exact(value);
  }

  private final class Taken extends AbstractList<Item> {
    private final List<Value> values;

    Taken(List<Value> values) {
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
