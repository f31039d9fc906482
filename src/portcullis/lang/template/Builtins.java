package portcullis.lang.template;

import java.util.List;
import java.util.Map;
import portcullis.lang.value.ValueFault;

/** Go's own functions but those that compare, and what heimdall adds to them and to sprig. */
final class Builtins {
  /** Only the evaluator can do what these two are for: stop at the operand that decides. */
  static final Function AND = new Function("and", List.of(Slot.VALUE, Slot.VALUE), true, a -> a.item(a.size() - 1));
  static final Function OR = new Function("or", List.of(Slot.VALUE, Slot.VALUE), true, a -> a.item(a.size() - 1));

  static final Map<String, Function> ALL = new FunctionSet()
      .with(Map.of("and", AND, "or", OR))
      .with("not", a -> Item.of(!Truth.of(a.item(0))), Slot.VALUE)
      .with("len", a -> Item.ofInt(length(a)), Slot.VALUE)
      .variadic("index", Indexing::of, Slot.VALUE, Slot.VALUE)
      .variadic("call", a -> {
        throw new ValueFault(Types.name(a.item(0)) + " is no function");
      }, Slot.VALUE, Slot.VALUE)
      .variadic("print", a -> Item.of(print(a.from(0), a)), Slot.ANY)
      .variadic("println", a -> Item.of(println(a)), Slot.ANY)
      .variadic("printf", a -> Item.of(Format.text(a.text(0), a.from(1), a.budget())), Slot.TEXT, Slot.ANY)
      .variadic("html", a -> Item.of(Escapes.html(shown(a))), Slot.ANY)
      .variadic("js", a -> Item.of(Escapes.js(shown(a))), Slot.ANY)
      .variadic("urlquery", a -> Item.of(Escapes.query(shown(a))), Slot.ANY)
      .with("urlenc", a -> Item.of(urlenc(a.item(0))), Slot.ANY)
      .with("atIndex", a -> atIndex(a.whole(0), a.item(1)), Slot.INT, Slot.ANY)
      .functions();

  private Builtins() {}

  private static int length(Arguments a) throws ValueFault {
    return switch (a.item(0)) {
      case Item.Text(String text) -> Bytes.length(text);
      case Item.Sequence list -> list.items().size();
      case Dict dict -> dict.size();
      case Item.Thing thing when thing.facade().entries().isPresent() ->
        thing.facade().entries().get().members().size();
      default -> throw new ValueFault(Types.name(a.item(0)) + " has no length");
    };
  }

  /** Blanks stand between operands that are no texts. */
  private static String print(List<Item> items, Arguments a) throws ValueFault {
    Output out = new Output(a.budget());
    Printer printer = new Printer(out);
    boolean blank = false;
    for (Item item : items) {
      boolean text = item instanceof Item.Text;
      out.add(blank && !text ? " " : "");
      printer.print(item);
      blank = !text;
    }
    return out.text();
  }

  private static String println(Arguments a) throws ValueFault {
    Output out = new Output(a.budget());
    Printer printer = new Printer(out);
    for (int i = 0; i < a.size(); i++) {
      out.add(i > 0 ? " " : "");
      printer.print(a.item(i));
    }
    return out.add('\n').text();
  }

  private static String shown(Arguments a) throws ValueFault {
    return print(a.from(0).stream().map(item -> item.equals(Item.NIL) ? Item.of("<no value>") : item).toList(), a);
  }

  private static String urlenc(Item item) {
    return switch (item) {
      case Item.Text(String text) -> Escapes.query(text);
      case Item.Thing thing ->
        thing.facade().functions().contains("String") ? Escapes.query(thing.facade().text()) : "";
      case Item.Time _, Item.Zone _, Item.Release _ -> Escapes.query(Printer.single(item));
      case Item.Whole whole -> switch (whole.type()) {
        case DURATION, MONTH, WEEKDAY -> Escapes.query(Printer.single(item));
        case INT, INT64, INT32, UINT8, UINT64 -> "";
      };
      case Item.Absent _, Item.Nil _, Item.NilPointer _, Item.Sequence _, Dict _ -> "";
      case Item.Bool _, Item.Real _, Item.Exact _, Item.Complex _ -> "";
    };
  }

  /** A negative position counts from the end. */
  private static Item atIndex(long position, Item item) throws ValueFault {
    if (!(item instanceof Item.Sequence(_, List<Item> items, _))) {
      throw new ValueFault(Types.name(item) + " has no positions");
    }
    if (items.isEmpty()) {
      return Item.NIL;
    }
    long index = position < 0 ? items.size() + position : position;
    if (index < 0 || index >= items.size()) {
      throw new ValueFault("position " + position + " is not in a list of " + items.size());
    }
    return items.get((int) index);
  }
}
