package portcullis.lang.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import portcullis.lang.value.ValueException;

/** sprig's functions for lists; those whose name begins with {@code must} do the same. */
final class ListFunctions {
  static final Map<String, Function> ALL = new FunctionSet()
      .variadic("list tuple", a -> Item.list(List.copyOf(a.from(0))), Param.ANY)
      .with("first mustFirst", a -> any(a, 0).isEmpty() ? Item.NIL : any(a, 0).getFirst(), Param.ANY)
      .with("last mustLast", a -> any(a, 0).isEmpty() ? Item.NIL : any(a, 0).getLast(), Param.ANY)
      .with("rest mustRest", a -> part(all(a, 0), 1, 0), Param.ANY)
      .with("initial mustInitial", a -> part(all(a, 0), 0, 1), Param.ANY)
      .with("append mustAppend push mustPush", a -> with(all(a, 0), all(a, 0).size(), a.item(1)), Param.ANY, Param.ANY)
      .with("prepend mustPrepend", a -> with(all(a, 0), 0, a.item(1)), Param.ANY, Param.ANY)
      .with("reverse mustReverse", a -> Item.list(List.copyOf(all(a, 0).reversed())), Param.ANY)
      .with("uniq mustUniq", ListFunctions::distinct, Param.ANY)
      .variadic("without mustWithout", a -> without(a, a.from(1)), Param.ANY, Param.ANY)
      .with("has mustHas", a -> Item.of(!a.item(1).equals(Item.NIL) && contains(all(a, 1), a.item(0), a)), Param.ANY,
          Param.ANY)
      .with("compact mustCompact", a -> Item.list(all(a, 0).stream().filter(Truth::of).toList()), Param.ANY)
      .variadic("slice mustSlice", ListFunctions::slice, Param.ANY, Param.ANY)
      .variadic("concat", ListFunctions::concatenated, Param.ANY)
      .with("chunk mustChunk", a -> chunks(all(a, 1), a.whole(0)), Param.INT, Param.ANY)
      .with("until", a -> numbers(a, 0, a.whole(0), a.whole(0) < 0 ? -1 : 1), Param.INT)
      .with("untilStep", a -> numbers(a, a.whole(0), a.whole(1), a.whole(2)), Param.INT, Param.INT, Param.INT)
      .variadic("seq", a -> Item.of(sequence(a)), Param.INT)
      .functions();

  private ListFunctions() {}

  private static List<Item> any(Arguments a, int index) throws ValueException {
    if (a.item(index) instanceof Item.Sequence(_, List<Item> items, _)) {
      return items;
    }
    throw new ValueException(Types.name(a.item(index)) + " is not a list");
  }

  /** Returns the items for a function that reads all of them, and charges for them. */
  private static List<Item> all(Arguments a, int index) throws ValueException {
    List<Item> items = any(a, index);
    a.spend(items.size() / 4);
    return items;
  }

  private static Item part(List<Item> items, int front, int back) {
    return items.isEmpty() ? Item.nilList(SequenceType.ANY)
        : Item.list(List.copyOf(items.subList(front, items.size() - back)));
  }

  private static Item with(List<Item> items, int index, Item more) {
    List<Item> out = new ArrayList<>(items.size() + 1);
    out.addAll(items);
    out.add(index, more);
    return Item.list(out);
  }

  private static boolean contains(List<Item> items, Item item, Arguments a) throws ValueException {
    for (Item each : items) {
      if (DeepEqual.of(each, item, a.budget())) {
        return true;
      }
    }
    return false;
  }

  private static Item distinct(Arguments a) throws ValueException {
    List<Item> out = new ArrayList<>();
    for (Item each : all(a, 0)) {
      if (!contains(out, each, a)) {
        out.add(each);
      }
    }
    return Item.list(out);
  }

  private static Item without(Arguments a, List<Item> left) throws ValueException {
    List<Item> out = new ArrayList<>();
    for (Item each : all(a, 0)) {
      if (!contains(left, each, a)) {
        out.add(each);
      }
    }
    return Item.list(out);
  }

  private static Item slice(Arguments a) throws ValueException {
    List<Item> items = any(a, 0);
    if (items.isEmpty()) {
      return Item.NIL;
    }
    long from = a.size() > 1 ? Casts.whole(a.item(1)) : 0;
    long to = a.size() > 2 ? Casts.whole(a.item(2)) : items.size();
    if (from < 0 || from > to || to > items.size()) {
      throw new ValueException("[" + from + ":" + to + "] is out of range: the length is " + items.size());
    }
    a.spend((to - from) / 4);
    return new Item.Sequence(((Item.Sequence) a.item(0)).type(), List.copyOf(items.subList((int) from, (int) to)));
  }

  private static Item concatenated(Arguments a) throws ValueException {
    List<Item> out = new ArrayList<>();
    for (int i = 0; i < a.size(); i++) {
      out.addAll(all(a, i));
    }
    return out.isEmpty() ? Item.nilList(SequenceType.ANY) : Item.list(out);
  }

  private static Item chunks(List<Item> items, long size) throws ValueException {
    long count = size == 0 ? -1 : Math.floorDiv(items.size() - 1L, size) + 1;
    if (count < 0 || count > 0 && size < 0) {
      throw new ValueException("invalid chunk size " + size);
    }
    List<Item> out = new ArrayList<>();
    for (long from = 0; out.size() < count; from += size) {
      out.add(Item.list(List.copyOf(items.subList((int) from, (int) Math.min(items.size(), from + size)))));
    }
    return new Item.Sequence(SequenceType.LISTS, out);
  }

  private static Item numbers(Arguments a, long start, long end, long step) throws ValueException {
    List<Item> out = new ArrayList<>();
    for (long number : range(a, start, end, step)) {
      out.add(Item.ofInt(number));
    }
    return new Item.Sequence(SequenceType.INT, out);
  }

  /** Counts from the one to before the other; empty where the step has the wrong sign. */
  private static List<Long> range(Arguments a, long start, long end, long step) throws ValueException {
    List<Long> out = new ArrayList<>();
    boolean down = end < start;
    if (down ? step >= 0 : step <= 0) {
      return out;
    }
    for (long i = start; down ? i > end : i < end; i += step) {
      a.spend(1);
      out.add(i);
    }
    return out;
  }

  /** {@code seq end}, {@code seq start end}, {@code seq start step end}; the end is included. */
  private static String sequence(Arguments a) throws ValueException {
    if (a.size() == 0 || a.size() > 3) {
      return "";
    }
    long start = a.size() == 1 ? 1 : a.whole(0);
    long end = a.whole(a.size() - 1);
    long direction = end < start ? -1 : 1;
    long step = a.size() == 3 ? a.whole(1) : direction;
    List<Long> numbers = direction < 0 && step > 0 ? List.of() : range(a, start, end + direction, step);
    return String.join(" ", numbers.stream().map(String::valueOf).toList());
  }
}
