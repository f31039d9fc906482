package portcullis.lang.expression;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the types of all parts of an expression before it is evaluated, as strictly as cel-go does. For one expression.
 */
final class Checker {
  private final Declarations declarations;
  private final TypeErrors errors;
  private final Bindings bindings = new Bindings();
  private final Map<Integer, Type> types = new HashMap<>();
  private final Map<Integer, String> names = new HashMap<>();
  private final Map<Integer, String> functions = new HashMap<>();
  /** The variables of the enclosing loops. */
  private final Map<String, Type> locals = new HashMap<>();
  /** Whether a loop was checked: as in cel-go, numbers of different types can be ordered only after that. */
  private boolean looped;

  Checker(Declarations declarations, TypeErrors errors) {
    this.declarations = declarations;
    this.errors = errors;
  }

  /** Returns an empty optional exactly if a problem was added. */
  Optional<Checked> check(Syntax root) {
    type(root);
    if (errors.any()) {
      return Optional.empty();
    }
    types.replaceAll((_, type) -> known(type));
    return Optional.of(new Checked(types, names, functions));
  }

  /** Returns the type with unbound variables replaced by {@code dyn}. */
  private Type known(Type type) {
    return switch (bindings.resolved(type)) {
      case Type.Variable _ -> Type.DYN;
      case Type.ListOf list -> new Type.ListOf(known(list.element()));
      case Type.MapOf map -> new Type.MapOf(known(map.key()), known(map.value()));
      case Type.TypeOf of -> new Type.TypeOf(known(of.of()));
      case Type other -> other;
    };
  }

  /** After an error the type is {@code dyn}, so that it is not reported again for the enclosing part. */
  private Type type(Syntax part) {
    Type type = switch (part) {
      case Syntax.Constant constant -> constant(constant.value());
      case Syntax.Name name -> name(name);
      case Syntax.Select select -> select(select);
      case Syntax.Has has -> has(has);
      case Syntax.Call call -> call(call);
      case Syntax.Logic logic -> logic(logic);
      case Syntax.ListOf list -> new Type.ListOf(joined(list.elements()));
      case Syntax.MapOf map -> new Type.MapOf(joined(map.entries().stream().map(Syntax.Entry::key).toList()),
          joined(map.entries().stream().map(Syntax.Entry::value).toList()));
      case Syntax.ObjectOf object -> object(object);
      case Syntax.Loop loop -> loop(loop);
    };
    types.put(part.id(), type);
    return type;
  }

  private static Type constant(Val value) {
    return Type.SIMPLE.getOrDefault(value.type(), Type.NULL);
  }

  private Type joined(List<Syntax> parts) {
    Optional<Type> joined = Optional.empty();
    for (Syntax part : parts) {
      Type type = type(part);
      joined = Optional.of(joined.map(before -> bindings.join(before, type)).orElse(type));
    }
    return joined.orElseGet(bindings::fresh);
  }

  // --- names and members

  private Optional<Type> lookup(String name) {
    return locals.containsKey(name) ? Optional.of(locals.get(name)) : declarations.type(name);
  }

  private Type name(Syntax.Name name) {
    Optional<Type> type = lookup(name.name());
    if (type.isEmpty()) {
      errors.noVariable(name);
    }
    return type.orElse(Type.DYN);
  }

  private Type select(Syntax.Select select) {
    Optional<String> whole = select.qualified();
    Optional<Type> named = whole.flatMap(this::lookup);
    if (named.isPresent()) {
      names.put(select.id(), whole.get());
      return named.get();
    }
    return member(select, select.operand(), select.member());
  }

  private Type has(Syntax.Has has) {
    member(has, has.operand(), has.member());
    return Type.BOOL;
  }

  private Type member(Syntax part, Syntax operand, String member) {
    Type of = bindings.resolved(type(operand));
    return switch (of) {
      case Type.MapOf map -> map.value();
      case Type.Struct struct -> field(part, operand, struct, member);
      case Type.Variable _ -> {
        bindings.assignable(Type.DYN, of);
        yield Type.DYN;
      }
      default -> {
        if (!of.equals(Type.DYN)) {
          errors.noMembers(part, known(of));
        }
        yield Type.DYN;
      }
    };
  }

  private Type field(Syntax part, Syntax operand, Type.Struct struct, String member) {
    Optional<String> type = Optional.ofNullable(Structs.members(struct.name()).get(member));
    if (type.isEmpty()) {
      errors.noMember(part, operand, struct, member);
    }
    return type.map(TypeText::type).orElse(Type.DYN);
  }

  private Type object(Syntax.ObjectOf object) {
    Type.Struct struct = new Type.Struct(object.type());
    if (!Structs.names().contains(object.type())) {
      errors.noObject(object);
    }
    for (Syntax.Field field : object.fields()) {
      Type value = type(field.value());
      Optional<Type> wanted = Optional.ofNullable(Structs.members(object.type()).get(field.name())).map(TypeText::type);
      if (wanted.isEmpty() || !bindings.assignable(wanted.get(), value)) {
        errors.wrongField(field, object, wanted.map(Type::toString).orElse(""));
      }
    }
    return struct;
  }

  // --- calls

  private Type call(Syntax.Call call) {
    List<Type> arguments = new ArrayList<>();
    call.arguments().forEach(argument -> arguments.add(type(argument)));
    if (call.target().isEmpty()) {
      return called(call, call.function(), false, arguments);
    }
    Optional<String> whole = call.target().get().qualified().map(prefix -> prefix + "." + call.function())
        .filter(name -> !declarations.overloads(name).isEmpty());
    if (whole.isPresent()) {
      functions.put(call.id(), whole.get());
      return called(call, whole.get(), false, arguments);
    }
    if (declarations.overloads(call.function()).isEmpty()) {
      return called(call, call.function(), true, arguments);
    }
    arguments.addFirst(type(call.target().get()));
    return called(call, call.function(), true, arguments);
  }

  private Type called(Syntax.Call call, String function, boolean member, List<Type> arguments) {
    if (declarations.overloads(function).isEmpty()) {
      errors.noFunction(call);
      return Type.DYN;
    }
    Optional<Type> result = resolve(function, member, arguments);
    if (result.isEmpty()) {
      errors.wrongArguments(call, arguments.stream().map(this::known).toList());
    }
    return result.orElse(Type.DYN);
  }

  /** Returns the result type that all matching overloads share, else {@code dyn}; empty if none matches. */
  private Optional<Type> resolve(String function, boolean member, List<Type> arguments) {
    Optional<Type> result = Optional.empty();
    for (Declarations.Overload overload : declarations.overloads(function)) {
      Map<Type, Type> fresh = new HashMap<>();
      boolean applies = overload.member() == member && (looped || !overload.mixed());
      if (applies
          && bindings.assignable(arguments, overload.arguments().stream().map(a -> instance(a, fresh)).toList())) {
        Type one = bindings.resolved(instance(overload.result(), fresh));
        result = Optional.of(result.filter(r -> !r.equals(one)).map(_ -> (Type) Type.DYN).orElse(one));
      }
    }
    return result;
  }

  /** Returns the type of a signature with fresh type variables. */
  private Type instance(Type type, Map<Type, Type> fresh) {
    return switch (type) {
      case Type.Variable variable -> fresh.computeIfAbsent(variable, _ -> bindings.fresh());
      case Type.ListOf list -> new Type.ListOf(instance(list.element(), fresh));
      case Type.MapOf map -> new Type.MapOf(instance(map.key(), fresh), instance(map.value(), fresh));
      case Type.TypeOf of -> new Type.TypeOf(instance(of.of(), fresh));
      case Type.Simple _, Type.Struct _ -> type;
    };
  }

  private Type logic(Syntax.Logic logic) {
    logic.operands().forEach(this::condition);
    return Type.BOOL;
  }

  private void condition(Syntax part) {
    Type type = type(part);
    if (!bindings.assignable(type, Type.BOOL)) {
      errors.notBool(part, known(type));
    }
  }

  // --- loops, checked as comprehensions

  private Type loop(Syntax.Loop loop) {
    Type range = bindings.resolved(type(loop.range()));
    looped = true;
    Optional<Type> outer = Optional.ofNullable(locals.put(loop.variable(), element(loop, range)));
    Type type = switch (loop.kind()) {
      case ALL, EXISTS, EXISTS_ONE -> {
        condition(loop.body());
        yield Type.BOOL;
      }
      case MAP -> {
        loop.filter().ifPresent(this::condition);
        yield collected(type(loop.body()));
      }
      case FILTER -> {
        condition(loop.body());
        yield collected(locals.get(loop.variable()));
      }
      case SORT_BY -> sorted(loop, range);
    };
    outer.ifPresentOrElse(o -> locals.put(loop.variable(), o), () -> locals.remove(loop.variable()));
    return type;
  }

  private Type element(Syntax.Loop loop, Type range) {
    return switch (range) {
      case Type.ListOf list -> list.element();
      case Type.MapOf map -> map.key();
      case Type.Variable _ -> {
        bindings.assignable(Type.DYN, range);
        yield Type.DYN;
      }
      default -> {
        if (!range.equals(Type.DYN)) {
          errors.noRange(loop.range(), known(range));
        }
        yield Type.DYN;
      }
    };
  }

  /** Returns the type of a list with these elements. */
  private Type collected(Type element) {
    Type start = new Type.ListOf(bindings.fresh());
    Type sum = resolve("_+_", false, List.of(start, new Type.ListOf(element))).orElseThrow();
    bindings.assignable(start, sum);
    return bindings.resolved(start);
  }

  private Type sorted(Syntax.Loop loop, Type range) {
    Type keys = collected(type(loop.body()));
    Optional<Type> sorted = resolve("@sortBy", true, List.of(range, keys));
    if (sorted.isEmpty()) {
      errors.noOrder(loop, known(types.get(loop.body().id())));
    }
    return sorted.orElse(Type.DYN);
  }
}
