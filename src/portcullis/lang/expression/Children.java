package portcullis.lang.expression;

import java.util.ArrayList;
import java.util.List;

/** Lists the direct parts of a part in the order in which they were written. */
final class Children {
  private Children() {}

  static List<Syntax> of(Syntax part) {
    return switch (part) {
      case Syntax.Constant _, Syntax.Name _ -> List.of();
      case Syntax.Select select -> List.of(select.operand());
      case Syntax.Has has -> List.of(has.operand());
      case Syntax.Call call -> ofCall(call);
      case Syntax.Logic logic -> logic.operands();
      case Syntax.ListOf list -> list.elements();
      case Syntax.MapOf map -> ofMap(map);
      case Syntax.ObjectOf object -> object.fields().stream().map(Syntax.Field::value).toList();
      case Syntax.Loop loop -> ofLoop(loop);
    };
  }

  private static List<Syntax> ofCall(Syntax.Call call) {
    if (call.target().isEmpty()) {
      return call.arguments();
    }
    List<Syntax> all = new ArrayList<>(List.of(call.target().get()));
    all.addAll(call.arguments());
    return all;
  }

  private static List<Syntax> ofMap(Syntax.MapOf map) {
    List<Syntax> all = new ArrayList<>();
    map.entries().forEach(entry -> all.addAll(List.of(entry.key(), entry.value())));
    return all;
  }

  private static List<Syntax> ofLoop(Syntax.Loop loop) {
    List<Syntax> all = new ArrayList<>(List.of(loop.range()));
    loop.filter().ifPresent(all::add);
    all.add(loop.body());
    return all;
  }
}
