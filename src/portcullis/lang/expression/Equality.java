package portcullis.lang.expression;

import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Compares values for equality: numbers by value whatever their type, all else only within its type. */
final class Equality {
  private Equality() {}

  record Equal(Term left, Term right, boolean wanted) implements Term {
    @Override
    public Val value(Frame frame) throws EvaluationFailure {
      Val a = left.value(frame);
      return Val.of(equal(a, right.value(frame), frame.meter()) == wanted);
    }
  }

  /** {@code element in container}. */
  record In(Term element, Term container) implements Term {
    @Override
    public Val value(Frame frame) throws EvaluationFailure {
      Val wanted = element.value(frame);
      Val in = container.value(frame);
      return switch (in) {
        case Val.Items items -> Val.of(contains(items.values(), wanted, frame.meter()));
        case Entries entries -> Val.of(entries.find(wanted).isPresent());
        case Val.Networks networks -> Val.of(Networks.contain(networks, wanted, frame.meter()));
        default -> throw new EvaluationFailure("`in` does not take " + wanted.type() + " and " + in.type());
      };
    }
  }

  static boolean contains(List<Val> items, Val wanted, Meter meter) throws EvaluationFailure {
    for (Val item : items) {
      if (equal(item, wanted, meter)) {
        return true;
      }
    }
    return false;
  }

  static boolean equal(Val a, Val b, Meter meter) throws EvaluationFailure {
    meter.charge(1);
    return switch (a) {
      case Val.Text t -> b instanceof Val.Text u && t.value().equals(u.value());
      case Val.Int _, Val.Uint _, Val.Real _ -> Order.isNumber(b) && Order.numbers(a, b) == 0;
      case Val.Items items -> b instanceof Val.Items others && lists(items.values(), others.values(), meter);
      case Entries entries -> b instanceof Entries others && maps(entries, others, meter);
      case Val.Kinds kinds -> b instanceof Val.Kinds others && kinds(kinds, others);
      case Val.Null _, Val.Bool _, Val.Bytes _, Val.Time _, Val.Span _, Val.Type _, Val.Host _, Val.Networks _ ->
        a.equals(b);
    };
  }

  private static boolean lists(List<Val> a, List<Val> b, Meter meter) throws EvaluationFailure {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!equal(a.get(i), b.get(i), meter)) {
        return false;
      }
    }
    return true;
  }

  private static boolean maps(Entries a, Entries b, Meter meter) throws EvaluationFailure {
    if (a.size() != b.size()) {
      return false;
    }
    for (Val key : a.keys()) {
      Optional<Val> other = b.find(key);
      if (other.isEmpty() || !equal(a.find(key).orElseThrow(), other.get(), meter)) {
        return false;
      }
    }
    return true;
  }

  /** The current error equals each of its kinds. */
  private static boolean kinds(Val.Kinds a, Val.Kinds b) {
    return a.constant() == b.constant() ? a.kinds().equals(b.kinds()) : !Collections.disjoint(a.kinds(), b.kinds());
  }
}
