package portcullis.lang.template;

import java.util.Map;
import portcullis.lang.value.BudgetExceededException;
import portcullis.lang.value.Json;
import portcullis.lang.value.ValueException;

/** sprig's functions for JSON. */
final class JsonFunctions {
  static final Map<String, Function> ALL = new FunctionSet()
      .with("toJson", a -> lenient(a, JsonWriter.Style.COMPACT), Param.ANY)
      .with("toPrettyJson", a -> lenient(a, JsonWriter.Style.PRETTY), Param.ANY)
      .with("mustToJson", a -> json(a, JsonWriter.Style.COMPACT), Param.ANY)
      .with("mustToPrettyJson", a -> json(a, JsonWriter.Style.PRETTY), Param.ANY)
      .with("toRawJson mustToRawJson", a -> json(a, JsonWriter.Style.RAW), Param.ANY)
      .with("fromJson", JsonFunctions::readLeniently, Param.TEXT)
      .with("mustFromJson", JsonFunctions::read, Param.TEXT)
      .functions();

  private JsonFunctions() {}

  private static Item json(Arguments a, JsonWriter.Style style) throws ValueException {
    return Item.of(JsonWriter.text(a.item(0), style, a.rendering()));
  }

  private static Item lenient(Arguments a, JsonWriter.Style style) throws ValueException {
    return Item.of(JsonWriter.textIfAny(a.item(0), style, a.rendering()));
  }

  private static Item readLeniently(Arguments a) throws ValueException {
    a.spend(a.text(0).length() / 16);
    try {
      return read(a);
    } catch (BudgetExceededException e) {
      throw e;
    } catch (ValueException _) {
      return Item.NIL;
    }
  }

  private static Item read(Arguments a) throws ValueException {
    a.spend(a.text(0).length() / 16);
    return a.rendering().items().item(Json.read(Bytes.clean(a.text(0))));
  }
}
