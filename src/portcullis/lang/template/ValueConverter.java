package portcullis.lang.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** Converts items to values, as arguments of the program's own functions. */
final class ValueConverter {
  private ValueConverter() {}

  static Value value(Item item, Budget budget) throws ValueException {
    return value(item, budget, 0);
  }

  private static Value value(Item item, Budget budget, int depth) throws ValueException {
    Budget.checkDepth(depth);
    budget.step();
    return switch (item) {
      case Item.Absent _, Item.Nil _, Item.NilPointer _ -> Value.NULL;
      case Item.Bool(boolean truth) -> Value.of(truth);
      case Item.Whole whole -> Value.of(whole.value());
      case Item.Exact(String digits, double nearest) -> NumberText.whole(digits).filter(NumberText::fits64)
          .<Value>map(whole -> Value.of(whole.longValue())).orElseGet(() -> new Value.Float(nearest, digits));
      case Item.Real(double real) -> Value.of(real);
      case Item.Text(String text) -> Value.of(Bytes.clean(text));
      case Item.Sequence(_, List<Item> items, _) -> {
        List<Value> values = new ArrayList<>(items.size());
        for (Item each : items) {
          values.add(value(each, budget, depth + 1));
        }
        yield new Value.Array(values);
      }
      case Dict dict -> dict(dict, budget, depth);
      case Item.Host host -> host.object();
      case Item.Complex _, Item.Time _, Item.Zone _, Item.SemVer _ ->
        throw new ValueException(Types.name(item) + " cannot be an argument");
    };
  }

  private static Value dict(Dict dict, Budget budget, int depth) throws ValueException {
    Map<String, Value> members = new LinkedHashMap<>();
    for (String key : dict.keys()) {
      members.put(key, value(dict.get(key), budget, depth + 1));
    }
    return new Value.Dict(members);
  }
}
