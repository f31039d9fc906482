package portcullis.expression;

import com.google.api.expr.v1alpha1.Constant;
import com.google.api.expr.v1alpha1.Expr;
import com.google.protobuf.ByteString;
import com.google.protobuf.NullValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Writes an expression as the checker reads it: loops become comprehensions over an accumulator. Parts keep their numbers;
 * what is put in between gets numbers beyond them. For one expression.
 */
final class ProtoTree {
  /** No name of an expression begins so. */
  private static final String RESULT = "@result";
  private static final String INPUT = "@input";

  private final int parts;
  private final List<Syntax.Loop> owners = new ArrayList<>();
  private final Set<String> functions = new HashSet<>();
  private Syntax.Loop owner;

  /** @param parts how many numbers are taken */
  ProtoTree(int parts) {
    this.parts = parts;
  }

  /** The loop for whose sake the number was given; empty for the number of a part. */
  Optional<Syntax.Loop> owner(long id) {
    return id < parts ? Optional.empty() : Optional.of(owners.get((int) id - parts));
  }

  /** How many numbers were given, those of the parts included. */
  int numbers() {
    return parts + owners.size();
  }

  /** The names of all functions that may be called. */
  Set<String> functions() {
    return functions;
  }

  private long next() {
    owners.add(owner);
    return (long) parts + owners.size() - 1;
  }

  Expr of(Syntax part) {
    return switch (part) {
      case Syntax.Constant c -> numbered(c.id()).setConstExpr(constant(c.value())).build();
      case Syntax.Name n -> name(n.id(), n.name());
      case Syntax.Select s -> select(s.id(), s.operand(), s.member(), false);
      case Syntax.Has h -> select(h.id(), h.operand(), h.member(), true);
      case Syntax.Call c -> call(c);
      case Syntax.Logic l -> logic(l, l.operands().stream().map(this::of).toList(), 0, l.operators().size() - 1);
      case Syntax.ListOf l -> list(l.id(), l.elements().stream().map(this::of).toList());
      case Syntax.MapOf m -> map(m);
      case Syntax.ObjectOf o -> object(o);
      case Syntax.Loop l -> owned(l);
    };
  }

  private static Expr.Builder numbered(long id) {
    return Expr.newBuilder().setId(id);
  }

  private static Constant constant(Val value) {
    Constant.Builder constant = Constant.newBuilder();
    return switch (value) {
      case Val.Bool b -> constant.setBoolValue(b.value()).build();
      case Val.Int i -> constant.setInt64Value(i.value()).build();
      case Val.Uint u -> constant.setUint64Value(u.bits()).build();
      case Val.Real r -> constant.setDoubleValue(r.value()).build();
      case Val.Text t -> constant.setStringValue(t.value()).build();
      case Val.Bytes b -> constant.setBytesValue(ByteString.copyFrom(b.value())).build();
      default -> constant.setNullValue(NullValue.NULL_VALUE).build();
    };
  }

  private static Expr name(long id, String name) {
    return numbered(id).setIdentExpr(Expr.Ident.newBuilder().setName(name)).build();
  }

  private Expr select(long id, Syntax operand, String member, boolean test) {
    return numbered(id)
        .setSelectExpr(Expr.Select.newBuilder().setOperand(of(operand)).setField(member).setTestOnly(test)).build();
  }

  private Expr call(Syntax.Call call) {
    functions.add(call.function());
    call.target().flatMap(TreeReader::qualified).ifPresent(prefix -> functions.add(prefix + "." + call.function()));
    Expr.Call.Builder out = Expr.Call.newBuilder().setFunction(call.function());
    call.target().ifPresent(target -> out.setTarget(of(target)));
    call.arguments().forEach(argument -> out.addArgs(of(argument)));
    return numbered(call.id()).setCallExpr(out).build();
  }

  /** Halves the operands, so that the tree stays flat. */
  private Expr logic(Syntax.Logic logic, List<Expr> operands, int low, int high) {
    int middle = (low + high + 1) / 2;
    Expr left = middle == low ? operands.get(middle) : logic(logic, operands, low, middle - 1);
    Expr right = middle == high ? operands.get(middle + 1) : logic(logic, operands, middle + 1, high);
    return operator(logic.operators().get(middle), logic.and() ? "_&&_" : "_||_", left, right);
  }

  private Expr operator(long id, String function, Expr... arguments) {
    functions.add(function);
    return numbered(id).setCallExpr(Expr.Call.newBuilder().setFunction(function).addAllArgs(List.of(arguments))).build();
  }

  private static Expr list(long id, List<Expr> elements) {
    return numbered(id).setListExpr(Expr.CreateList.newBuilder().addAllElements(elements)).build();
  }

  private Expr map(Syntax.MapOf map) {
    Expr.CreateStruct.Builder out = Expr.CreateStruct.newBuilder();
    for (Syntax.Entry entry : map.entries()) {
      out.addEntries(Expr.CreateStruct.Entry.newBuilder().setId(entry.id()).setMapKey(of(entry.key())).setValue(of(entry.value())));
    }
    return numbered(map.id()).setStructExpr(out).build();
  }

  private Expr object(Syntax.ObjectOf object) {
    Expr.CreateStruct.Builder out = Expr.CreateStruct.newBuilder().setMessageName(object.type());
    for (Syntax.Field field : object.fields()) {
      out.addEntries(Expr.CreateStruct.Entry.newBuilder().setId(field.id()).setFieldKey(field.name()).setValue(of(field.value())));
    }
    return numbered(object.id()).setStructExpr(out).build();
  }

  // --- loops

  private Expr owned(Syntax.Loop loop) {
    Expr range = of(loop.range());
    Expr body = of(loop.body());
    Optional<Expr> filter = loop.filter().map(this::of);
    owner = loop;
    return switch (loop.kind()) {
      case ALL -> fold(loop, range, bool(true), operator(next(), "_&&_", result(), body));
      case EXISTS -> fold(loop, range, bool(false), operator(next(), "_||_", result(), body));
      case EXISTS_ONE -> operator(loop.id(), "_==_", number(1), fold(loop, range, number(0),
          operator(next(), "_?_:_", body, operator(next(), "_+_", result(), number(1)), result())));
      case MAP -> fold(loop, range, list(next(), List.of()), filter
          .map(test -> operator(next(), "_?_:_", test, appended(body), result())).orElseGet(() -> appended(body)));
      case FILTER -> fold(loop, range, list(next(), List.of()),
          operator(next(), "_?_:_", body, appended(name(next(), loop.variable())), result()));
      case SORT_BY -> sorted(loop, range, body);
    };
  }

  /** The range is kept under a name, because it is read twice. */
  private Expr sorted(Syntax.Loop loop, Expr range, Expr body) {
    functions.add("@sortBy");
    Expr keys = fold(loop, name(next(), INPUT), list(next(), List.of()), appended(body));
    Expr call = numbered(next()).setCallExpr(
        Expr.Call.newBuilder().setFunction("@sortBy").setTarget(name(next(), INPUT)).addArgs(keys)).build();
    return numbered(loop.id()).setComprehensionExpr(Expr.Comprehension.newBuilder().setIterVar("@unused")
        .setIterRange(list(next(), List.of())).setAccuVar(INPUT).setAccuInit(range)
        .setLoopCondition(bool(false)).setLoopStep(name(next(), INPUT)).setResult(call)).build();
  }

  private Expr fold(Syntax.Loop loop, Expr range, Expr start, Expr step) {
    return numbered(loop.kind() == Syntax.LoopKind.EXISTS_ONE || loop.kind() == Syntax.LoopKind.SORT_BY ? next() : loop.id())
        .setComprehensionExpr(Expr.Comprehension.newBuilder().setIterVar(loop.variable()).setIterRange(range)
            .setAccuVar(RESULT).setAccuInit(start).setLoopCondition(bool(true)).setLoopStep(step).setResult(result()))
        .build();
  }

  private Expr appended(Expr element) {
    return operator(next(), "_+_", result(), list(next(), List.of(element)));
  }

  private Expr result() {
    return name(next(), RESULT);
  }

  private Expr bool(boolean value) {
    return numbered(next()).setConstExpr(Constant.newBuilder().setBoolValue(value)).build();
  }

  private Expr number(long value) {
    return numbered(next()).setConstExpr(Constant.newBuilder().setInt64Value(value)).build();
  }
}
