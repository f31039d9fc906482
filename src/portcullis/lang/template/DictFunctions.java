package portcullis.lang.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import portcullis.lang.value.ValueException;

/** sprig's functions for maps. */
final class DictFunctions {
  /** The functions that change their first argument. */
  static final Set<String> CHANGING = Set.of("set", "unset", "merge", "mergeOverwrite", "mustMerge",
      "mustMergeOverwrite");

  static final Map<String, Function> ALL = new FunctionSet()
      .variadic("dict", DictFunctions::dict, Param.ANY)
      .with("get", a -> a.dict(0).has(a.text(1)) ? a.dict(0).get(a.text(1)) : Item.EMPTY_STRING, Param.DICT, Param.TEXT)
      .with("hasKey", a -> Item.of(a.dict(0).has(a.text(1))), Param.DICT, Param.TEXT)
      .with("set", DictFunctions::set, Param.DICT, Param.TEXT, Param.ANY)
      .with("unset", DictFunctions::unset, Param.DICT, Param.TEXT)
      .variadic("pluck", DictFunctions::pluck, Param.TEXT, Param.DICT)
      .variadic("keys", DictFunctions::keys, Param.DICT)
      .with("values", a -> Item.list(values(a.dict(0), a)), Param.DICT)
      .variadic("pick", a -> picked(a, true), Param.DICT, Param.TEXT)
      .variadic("omit", a -> picked(a, false), Param.DICT, Param.TEXT)
      .variadic("merge mustMerge", a -> merged(a, false), Param.DICT, Param.DICT)
      .variadic("mergeOverwrite mustMergeOverwrite", a -> merged(a, true), Param.DICT, Param.DICT)
      .variadic("dig", DictFunctions::dig, Param.ANY)
      .with("deepCopy mustDeepCopy", a -> copy(a.item(0), a.budget()), Param.ANY)
      .functions();

  private DictFunctions() {}

  private static Item dict(Arguments a) throws ValueException {
    Dict dict = Dict.empty();
    for (int i = 0; i < a.size(); i += 2) {
      dict.put(a.printed(i), i + 1 < a.size() ? a.item(i + 1) : Item.EMPTY_STRING);
    }
    return dict;
  }

  private static Item set(Arguments a) throws ValueException {
    if (a.dict(0).isNil()) {
      throw new ValueException("there is no map to set `" + a.text(1) + "` in");
    }
    a.spend(a.dict(0).size() / 16);
    a.dict(0).put(a.text(1), a.item(2));
    return a.item(0);
  }

  private static Item unset(Arguments a) {
    a.dict(0).remove(a.text(1));
    return a.item(0);
  }

  private static Item pluck(Arguments a) {
    return Item.list(
        a.from(1).stream().map(d -> ((Dict) d).get(a.text(0))).filter(found -> !found.equals(Item.ABSENT)).toList());
  }

  private static Item keys(Arguments a) throws ValueException {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < a.size(); i++) {
      a.spend(a.dict(i).size());
      keys.addAll(a.dict(i).keys());
    }
    return Item.texts(keys);
  }

  private static List<Item> values(Dict dict, Arguments a) throws ValueException {
    a.spend(dict.size());
    return dict.keys().stream().map(dict::get).toList();
  }

  private static Item picked(Arguments a, boolean named) throws ValueException {
    Dict dict = a.dict(0);
    Set<String> names = Set.copyOf(a.from(1).stream().map(name -> ((Item.Text) name).value()).toList());
    a.spend(dict.size());
    Dict out = Dict.empty();
    dict.keys().stream().filter(key -> names.contains(key) == named).forEach(key -> out.put(key, dict.get(key)));
    return out;
  }

  private static Item merged(Arguments a, boolean overwrites) throws ValueException {
    Dict into = a.dict(0).isNil() ? Dict.empty() : a.dict(0);
    for (Item from : a.from(1)) {
      merge(into, (Dict) from, overwrites, a.budget(), 0);
    }
    return into;
  }

  /** Keeps members that are not empty, unless they are to be overwritten. Maps merge, lists do not. */
  private static void merge(Dict into, Dict from, boolean overwrites, Budget budget, int depth) throws ValueException {
    Budget.checkDepth(depth);
    for (String key : from.keys()) {
      budget.step();
      Item coming = from.get(key);
      Item there = into.get(key);
      if (there instanceof Dict inner && coming instanceof Dict more && !inner.isNil() && inner != more) {
        merge(inner, more, overwrites, budget, depth + 1);
      } else if (overwrites || !coming.equals(Item.NIL) && !Truth.of(there)) {
        into.put(key, coming);
      }
    }
  }

  /** {@code dig "a" "b" default map}: the member of the member, or the default where a key is missing. */
  private static Item dig(Arguments a) throws ValueException {
    if (a.size() < 3) {
      throw new ValueException("takes at least 3 arguments, not " + a.size());
    }
    List<String> names = new ArrayList<>();
    for (Item key : a.from(0).subList(0, a.size() - 2)) {
      names.add(((Item.Text) Param.TEXT.take(key)).value());
    }
    Item found = a.item(a.size() - 1);
    for (String name : names) {
      Dict dict = (Dict) Param.DICT.take(found);
      if (!dict.has(name)) {
        return a.item(a.size() - 2);
      }
      found = dict.get(name);
    }
    return found;
  }

  private static Item copy(Item item, Budget budget) throws ValueException {
    if (item.equals(Item.NIL)) {
      throw new ValueException("nothing to copy");
    }
    return copy(item, budget, 0);
  }

  private static Item copy(Item item, Budget budget, int depth) throws ValueException {
    Budget.checkDepth(depth);
    budget.step();
    if (item instanceof Dict dict && !dict.isNil()) {
      Dict out = Dict.empty(dict.type());
      for (String key : dict.keys()) {
        out.put(key, copy(dict.get(key), budget, depth + 1));
      }
      return out;
    }
    if (item instanceof Item.Sequence list && !list.nil()) {
      List<Item> out = new ArrayList<>(list.items().size());
      for (Item each : list.items()) {
        out.add(copy(each, budget, depth + 1));
      }
      return new Item.Sequence(list.type(), out);
    }
    return item;
  }
}
