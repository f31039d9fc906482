package portcullis.lang.template;

import java.util.Map;
import portcullis.lang.value.ValueException;

/** sprig's functions for defaults, choices and Go's types. */
final class FlowFunctions {
  static final Map<String, Function> ALL = new FunctionSet()
      .variadic("default", a -> a.size() > 1 && Truth.of(a.item(1)) ? a.item(1) : a.item(0), Param.ANY, Param.ANY)
      .with("empty", a -> Item.of(!Truth.of(a.item(0))), Param.ANY)
      .variadic("coalesce", a -> a.from(0).stream().filter(Truth::of).findFirst().orElse(Item.NIL), Param.ANY)
      .variadic("all", a -> Item.of(a.from(0).stream().allMatch(Truth::of)), Param.ANY)
      .variadic("any", a -> Item.of(a.from(0).stream().anyMatch(Truth::of)), Param.ANY)
      .with("ternary", a -> a.item(a.truth(2) ? 0 : 1), Param.ANY, Param.ANY, Param.BOOL)
      .with("fail", a -> {
        throw new ValueException(Bytes.clean(a.text(0)));
      }, Param.TEXT)
      .with("typeOf", a -> Item.of(Types.name(a.item(0))), Param.ANY)
      .with("typeIs", a -> Item.of(a.text(0).equals(Types.name(a.item(1)))), Param.TEXT, Param.ANY)
      .with("typeIsLike", a -> Item.of(Types.name(a.item(1)).equals(a.text(0))
          || Types.name(a.item(1)).equals("*" + a.text(0))), Param.TEXT, Param.ANY)
      .with("kindOf", a -> Item.of(Types.kind(a.item(0))), Param.ANY)
      .with("kindIs", a -> Item.of(a.text(0).equals(Types.kind(a.item(1)))), Param.TEXT, Param.ANY)
      .with("deepEqual", a -> Item.of(DeepEqual.of(a.item(0), a.item(1), a.budget())), Param.ANY, Param.ANY)
      .functions();

  private FlowFunctions() {}
}
