package portcullis.lang.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.lang.source.Nearest;
import portcullis.lang.value.HostObject;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** Reads parts of values: {@code a.b}, {@code has(a.b)}, {@code a[b]}, {@code a.f(b)} of an object. */
final class Members {
  private Members() {}

  /** @param path the operand as written */
  record Select(Term operand, String member, String path) implements Term {
    @Override
    public Val value(Frame frame) throws EvaluationFailure {
      Val from = operand.value(frame);
      return switch (from) {
        case Entries entries -> {
          Optional<Val> found = entries.find(member);
          if (found.isEmpty()) {
            throw missing("`" + DisplayNames.cut(member) + "`", path);
          }
          yield found.get();
        }
        case Val.Host host -> of(host.object(), member);
        default -> throw new EvaluationFailure(
            "no member `" + DisplayNames.cut(member) + "` in " + path + ": it is " + from.type());
      };
    }
  }

  record Has(Term operand, String member) implements Term {
    @Override
    public Val value(Frame frame) throws EvaluationFailure {
      return switch (operand.value(frame)) {
        case Entries entries -> Val.of(entries.find(member).isPresent());
        case Val.Host host -> Val.of(!isZero(of(host.object(), member)));
        default -> Val.FALSE;
      };
    }

    private static boolean isZero(Val value) {
      return switch (value) {
        case Val.Null _ -> true;
        case Val.Host host -> host.object().isNothing();
        case Val.Text text -> text.value().isEmpty();
        case Val.Bool bool -> !bool.value();
        case Val.Int number -> number.value() == 0;
        case Val.Real number -> number.value() == 0;
        default -> false;
      };
    }
  }

  record Index(Term operand, Term index, String path) implements Term {
    @Override
    public Val value(Frame frame) throws EvaluationFailure {
      Val from = operand.value(frame);
      Val at = index.value(frame);
      return switch (from) {
        case Val.Items items -> element(items.values(), at, path);
        case Entries entries -> entry(entries, at, path);
        case Val.Host host when at instanceof Val.Text name -> of(host.object(), name.value());
        default -> throw new EvaluationFailure("`[ ]` does not take " + from.type() + " and " + at.type());
      };
    }

    private static Val entry(Entries entries, Val at, String path) throws EvaluationFailure {
      Optional<Val> found = entries.find(at);
      if (found.isEmpty()) {
        boolean isText = at instanceof Val.Text || Order.isNumber(at);
        throw missing(isText ? "`" + DisplayNames.cut(Conversions.text(at)) + "`" : "of type " + at.type(), path);
      }
      return found.get();
    }

    private static Val element(List<Val> items, Val at, String path) throws EvaluationFailure {
      long index = switch (at) {
        case Val.Int i -> i.value();
        case Val.Uint u -> u.bits();
        case Val.Real r when r.value() == (long) r.value() -> (long) r.value();
        default -> throw new EvaluationFailure("`[ ]` does not take list and " + at.type());
      };
      if (index < 0 || index >= items.size()) {
        throw new EvaluationFailure("no element " + index + " in " + path + ": it has " + items.size());
      }
      return items.get((int) index);
    }
  }

  private static EvaluationFailure missing(String member, String path) {
    return new EvaluationFailure("no member " + member + " in " + path);
  }

  /** Returns a member, or the result of the function of that name without arguments. */
  private static Val of(HostObject object, String member) throws EvaluationFailure {
    Optional<Value> found = object.member(member);
    if (found.isPresent()) {
      return Val.of(found.get());
    }
    if (object.functions().contains(member)) {
      return call(object, member, List.of());
    }
    String hint = Nearest.of(member, object.members()).map(m -> ", did you mean `" + m + "`?").orElse("");
    throw new EvaluationFailure("no member `" + DisplayNames.cut(member) + "` in " + object.name() + hint);
  }

  /** Calls a function of a host object, the first argument. */
  static Val call(Arguments arguments) throws EvaluationFailure {
    String name = arguments.function();
    if (!(arguments.get(0) instanceof Val.Host host)) {
      throw new EvaluationFailure("no function `" + name + "` in " + arguments.get(0).type());
    }
    HostObject object = host.object();
    if (arguments.count() == 1 && !object.functions().contains(name) && object.members().contains(name)) {
      return of(object, name);
    }
    if (!object.functions().contains(name)) {
      throw new EvaluationFailure("no function `" + name + "` in " + object.name());
    }
    List<Value> values = new ArrayList<>();
    for (int i = 1; i < arguments.count(); i++) {
      values.add(ResultConverter.of(arguments.get(i)));
    }
    return call(object, name, values);
  }

  private static Val call(HostObject object, String function, List<Value> arguments) throws EvaluationFailure {
    try {
      return Val.of(object.call(function, arguments));
    } catch (ValueException e) {
      throw new EvaluationFailure(e.getMessage());
    }
  }
}
