package portcullis.lang.expression;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Binds the type variables of one expression to types, step by step like cel-go. Mutable. */
final class Bindings {
  /** A variable and the type that it had before; an unbound one had an empty list. */
  private record Change(Type.Variable variable, List<Type> before) {}

  private final Map<Type.Variable, Type> bound = new HashMap<>();
  private final Deque<Change> changes = new ArrayDeque<>();
  private int made;

  /** Returns a new variable. */
  Type.Variable fresh() {
    return new Type.Variable("#" + made++);
  }

  /** Returns whether values of the types can be used for the others, pair by pair; if not, nothing is bound. */
  boolean assignable(List<Type> from, List<Type> to) {
    int mark = changes.size();
    boolean all = from.size() == to.size();
    for (int i = 0; all && i < from.size(); i++) {
      all = fits(from.get(i), to.get(i));
    }
    while (!all && changes.size() > mark) {
      undo(changes.pop());
    }
    return all;
  }

  boolean assignable(Type from, Type to) {
    return assignable(List.of(from), List.of(to));
  }

  private void undo(Change change) {
    if (change.before().isEmpty()) {
      bound.remove(change.variable());
    } else {
      bound.put(change.variable(), change.before().getFirst());
    }
  }

  private void bind(Type.Variable variable, Type type) {
    List<Type> before = new ArrayList<>();
    if (bound.containsKey(variable)) {
      before.add(bound.get(variable));
    }
    changes.push(new Change(variable, before));
    bound.put(variable, type);
  }

  private boolean fits(Type from, Type to) {
    if (to instanceof Type.Variable variable) {
      boolean known = bound.containsKey(variable);
      if (binds(variable, from)) {
        return true;
      }
      if (known) {
        return false;
      }
    }
    if (from instanceof Type.Variable variable) {
      return binds(variable, to);
    }
    if (from.equals(Type.DYN) || to.equals(Type.DYN)) {
      return true;
    }
    if (from.equals(Type.NULL) || to.equals(Type.NULL)) {
      return mayBeNull(from) && mayBeNull(to);
    }
    return switch (from) {
      case Type.ListOf list -> to instanceof Type.ListOf other && fits(list.element(), other.element());
      case Type.MapOf map ->
        to instanceof Type.MapOf other && fits(map.key(), other.key()) && fits(map.value(), other.value());
      case Type.TypeOf _ -> to instanceof Type.TypeOf;
      case Type.Simple _, Type.Struct _, Type.Variable _ -> from.equals(to);
    };
  }

  private static boolean mayBeNull(Type type) {
    return type.equals(Type.NULL) || type instanceof Type.Struct
        || type.equals(Type.TIMESTAMP) || type.equals(Type.DURATION);
  }

  /** Binds the variable to the type or to a more general one; returns false if neither is possible. */
  private boolean binds(Type.Variable variable, Type type) {
    if (type.equals(variable)) {
      return true;
    }
    if (!bound.containsKey(variable)) {
      boolean free = isFreeOf(variable, type);
      if (free) {
        bind(variable, type);
      }
      return free;
    }
    Type now = bound.get(variable);
    if (type.equals(now)) {
      return true;
    }
    if (!fits(type, now)) {
      return false;
    }
    Type general = general(type, now);
    if (isFreeOf(variable, general)) {
      bind(variable, general);
    }
    return true;
  }

  private boolean isFreeOf(Type.Variable variable, Type type) {
    return switch (type) {
      case Type.Variable other -> !other.equals(variable)
          && (!bound.containsKey(other) || isFreeOf(variable, bound.get(other)));
      case Type.ListOf list -> isFreeOf(variable, list.element());
      case Type.MapOf map -> isFreeOf(variable, map.key()) && isFreeOf(variable, map.value());
      case Type.TypeOf of -> isFreeOf(variable, of.of());
      case Type.Simple _, Type.Struct _ -> true;
    };
  }

  /** Returns the common type of a list's elements, or a map's keys or values, and one more. */
  Type join(Type before, Type one) {
    return assignable(before, one) ? general(before, one) : Type.DYN;
  }

  /** Returns the more general of two compatible types. */
  private static Type general(Type one, Type other) {
    return isAsGeneral(one, other) ? one : other;
  }

  private static boolean isAsGeneral(Type one, Type other) {
    if (one.equals(Type.DYN) || one instanceof Type.Variable) {
      return true;
    }
    if (other.equals(Type.DYN) || other instanceof Type.Variable) {
      return false;
    }
    return switch (one) {
      case Type.ListOf list -> other instanceof Type.ListOf o && isAsGeneral(list.element(), o.element());
      case Type.MapOf map -> other instanceof Type.MapOf o
          && isAsGeneral(map.key(), o.key()) && isAsGeneral(map.value(), o.value());
      case Type.TypeOf _ -> other instanceof Type.TypeOf;
      case Type.Simple _, Type.Struct _, Type.Variable _ -> one.equals(other);
    };
  }

  /** Returns the type with every variable replaced by its type. */
  Type resolved(Type type) {
    return switch (type) {
      case Type.Variable variable -> bound.containsKey(variable) ? resolved(bound.get(variable)) : variable;
      case Type.ListOf list -> new Type.ListOf(resolved(list.element()));
      case Type.MapOf map -> new Type.MapOf(resolved(map.key()), resolved(map.value()));
      case Type.TypeOf of -> new Type.TypeOf(resolved(of.of()));
      case Type.Simple _, Type.Struct _ -> type;
    };
  }
}
