package portcullis.lang.template;

import java.util.List;
import java.util.Map;
import portcullis.lang.value.ValueException;

/** Go's built-in functions except comparisons, and those that heimdall adds. */
final class Builtins {
  /** The evaluator stops at the operand that decides before it calls these two. */
  static final Function AND = new Function("and", List.of(Param.VALUE, Param.VALUE), true, a -> a.item(a.size() - 1));
  static final Function OR = new Function("or", List.of(Param.VALUE, Param.VALUE), true, a -> a.item(a.size() - 1));

  static final Map<String, Function> ALL = new FunctionSet()
      .with(Map.of("and", AND, "or", OR))
      .with("not", a -> Item.of(!Truth.of(a.item(0))), Param.VALUE)
      .with("len", a -> Item.ofInt(length(a)), Param.VALUE)
      .variadic("index", Indexing::of, Param.VALUE, Param.VALUE)
      .variadic("call", a -> {
        throw new ValueException(Types.name(a.item(0)) + " is not a function");
      }, Param.VALUE, Param.VALUE)
      .variadic("print", a -> Item.of(print(a.from(0), a)), Param.ANY)
      .variadic("println", a -> Item.of(println(a)), Param.ANY)
      .variadic("printf", a -> Item.of(Printf.text(a.text(0), a.from(1), a.budget())), Param.TEXT, Param.ANY)
      .variadic("html", a -> Item.of(OutputEscapes.html(shown(a))), Param.ANY)
      .variadic("js", a -> Item.of(OutputEscapes.js(shown(a))), Param.ANY)
      .variadic("urlquery", a -> Item.of(OutputEscapes.query(shown(a))), Param.ANY)
      .with("urlenc", a -> Item.of(urlenc(a.item(0))), Param.ANY)
      .with("atIndex", a -> atIndex(a.whole(0), a.item(1)), Param.INT, Param.ANY)
      .functions();

  private Builtins() {}

  private static int length(Arguments a) throws ValueException {
    return switch (a.item(0)) {
      case Item.Text(String text) -> Bytes.length(text);
      case Item.Sequence list -> list.items().size();
      case Dict dict -> dict.size();
      case Item.Host host when host.object().entries().isPresent() ->
        host.object().entries().get().members().size();
      default -> throw new ValueException(Types.name(a.item(0)) + " has no length");
    };
  }

  /** Puts blanks between operands that are not strings. */
  private static String print(List<Item> items, Arguments a) throws ValueException {
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

  private static String println(Arguments a) throws ValueException {
    Output out = new Output(a.budget());
    Printer printer = new Printer(out);
    for (int i = 0; i < a.size(); i++) {
      out.add(i > 0 ? " " : "");
      printer.print(a.item(i));
    }
    return out.add('\n').text();
  }

  private static String shown(Arguments a) throws ValueException {
    return print(a.from(0).stream().map(item -> item.equals(Item.NIL) ? Item.of("<no value>") : item).toList(), a);
  }

  private static String urlenc(Item item) {
    return switch (item) {
      case Item.Text(String text) -> OutputEscapes.query(text);
      case Item.Host host ->
        host.object().functions().contains("String") ? OutputEscapes.query(host.object().text()) : "";
      case Item.Time _, Item.Zone _, Item.SemVer _ -> OutputEscapes.query(Printer.single(item));
      case Item.Whole whole -> switch (whole.type()) {
        case DURATION, MONTH, WEEKDAY -> OutputEscapes.query(Printer.single(item));
        case INT, INT64, INT32, UINT8, UINT64 -> "";
      };
      case Item.Absent _, Item.Nil _, Item.NilPointer _, Item.Sequence _, Dict _ -> "";
      case Item.Bool _, Item.Real _, Item.Exact _, Item.Complex _ -> "";
    };
  }

  /** A negative position counts from the end. */
  private static Item atIndex(long position, Item item) throws ValueException {
    if (!(item instanceof Item.Sequence(_, List<Item> items, _))) {
      throw new ValueException(Types.name(item) + " is not a list");
    }
    if (items.isEmpty()) {
      return Item.NIL;
    }
    long index = position < 0 ? items.size() + position : position;
    if (index < 0 || index >= items.size()) {
      throw new ValueException("position " + position + " is out of range: the length is " + items.size());
    }
    return items.get((int) index);
  }
}
