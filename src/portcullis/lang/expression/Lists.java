package portcullis.lang.expression;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Implements the functions of lists and sets, and {@code size} and {@code reverse}, which strings have too. */
final class Lists {
  private Lists() {}

  static Optional<Function> find(String name) {
    return switch (name) {
      case "size" -> Optional.of(Lists::size);
      case "reverse" -> Optional.of(Lists::reverse);
      case "last" -> Optional.of(Lists::last);
      case "at" -> Optional.of(Lists::at);
      case "slice" -> Optional.of(Lists::slice);
      case "flatten" -> Optional.of(Lists::flatten);
      case "distinct" -> Optional.of(Lists::distinct);
      case "sort" -> Optional.of(a -> sortedBy(a.list(0), a.list(0), a.meter()));
      case "lists.range" -> Optional.of(Lists::range);
      case "sets.contains" -> Optional.of(a -> Val.of(containsAll(a.list(0), a.list(1), a.meter())));
      case "sets.equivalent" -> Optional.of(a -> Val.of(
          containsAll(a.list(0), a.list(1), a.meter()) && containsAll(a.list(1), a.list(0), a.meter())));
      case "sets.intersects" -> Optional.of(Lists::intersects);
      default -> Optional.empty();
    };
  }

  private static Val size(Arguments a) throws EvaluationFailure {
    return new Val.Int(switch (a.get(0)) {
      case Val.Text text -> Strings.size(text.value());
      case Val.Bytes bytes -> bytes.value().length;
      case Val.Items items -> items.values().size();
      case Entries entries -> entries.size();
      default -> throw a.mismatch();
    });
  }

  private static Val reverse(Arguments a) throws EvaluationFailure {
    if (a.get(0) instanceof Val.Text text) {
      a.meter().chargeText(text.value().length());
      return Val.of(new StringBuilder(text.value()).reverse().toString());
    }
    a.meter().charge(a.list(0).size());
    return new Val.Items(new ArrayList<>(a.list(0)).reversed());
  }

  private static Val last(Arguments a) throws EvaluationFailure {
    List<Val> list = a.list(0);
    if (list.isEmpty()) {
      throw new EvaluationFailure("an empty list has no last element");
    }
    return list.getLast();
  }

  /** Negative positions count from the end. */
  private static Val at(Arguments a) throws EvaluationFailure {
    List<Val> list = a.list(0);
    long position = a.whole(1);
    long index = position < 0 ? position + list.size() : position;
    if (index < 0 || index >= list.size()) {
      throw new EvaluationFailure("no element at(" + position + ") in a list of " + list.size());
    }
    return list.get((int) index);
  }

  private static Val slice(Arguments a) throws EvaluationFailure {
    List<Val> list = a.list(0);
    long from = a.whole(1);
    long to = a.whole(2);
    if (from < 0 || to < from || to > list.size()) {
      throw new EvaluationFailure("no slice(" + from + ", " + to + ") of a list of " + list.size());
    }
    return new Val.Items(list.subList((int) from, (int) to));
  }

  private static Val flatten(Arguments a) throws EvaluationFailure {
    long depth = a.count() == 1 ? 1 : a.whole(1);
    if (depth < 0) {
      throw new EvaluationFailure("`flatten` takes no negative depth");
    }
    List<Val> out = new ArrayList<>();
    flatten(a.list(0), depth, out, a.meter());
    return new Val.Items(out);
  }

  private static void flatten(List<Val> list, long depth, List<Val> out, Meter meter) throws EvaluationFailure {
    for (Val item : list) {
      meter.charge(1);
      if (depth > 0 && item instanceof Val.Items inner) {
        flatten(inner.values(), depth - 1, out, meter);
      } else {
        out.add(item);
      }
    }
  }

  private static Val distinct(Arguments a) throws EvaluationFailure {
    List<Val> out = new ArrayList<>();
    for (Val item : a.list(0)) {
      if (!Equality.contains(out, item, a.meter())) {
        out.add(item);
      }
    }
    return new Val.Items(out);
  }

  private static Val range(Arguments a) throws EvaluationFailure {
    long size = a.whole(0);
    if (size < 0) {
      throw new EvaluationFailure("`lists.range` takes no negative size");
    }
    a.meter().charge(size);
    List<Val> out = new ArrayList<>((int) size);
    for (long i = 0; i < size; i++) {
      out.add(new Val.Int(i));
    }
    return new Val.Items(out);
  }

  private static boolean containsAll(List<Val> list, List<Val> wanted, Meter meter) throws EvaluationFailure {
    for (Val item : wanted) {
      if (!Equality.contains(list, item, meter)) {
        return false;
      }
    }
    return true;
  }

  private static Val intersects(Arguments a) throws EvaluationFailure {
    for (Val item : a.list(1)) {
      if (Equality.contains(a.list(0), item, a.meter())) {
        return Val.TRUE;
      }
    }
    return Val.FALSE;
  }

  /** A value and its sort key, which is comparable. */
  private record Keyed(Val value, Val key) implements Comparable<Keyed> {
    @Override
    public int compareTo(Keyed other) {
      return key instanceof Val.Real a && other.key instanceof Val.Real b ? Double.compare(a.value(), b.value())
          : Order.ordered(key, other.key);
    }
  }

  /** Returns the values sorted by their keys, which must be of one type. */
  static Val sortedBy(List<Val> values, List<Val> keys, Meter meter) throws EvaluationFailure {
    List<Keyed> all = new ArrayList<>(values.size());
    long size = values.size();
    meter.charge(size * (Long.SIZE - Long.numberOfLeadingZeros(size)));
    for (int i = 0; i < values.size(); i++) {
      Val first = keys.getFirst();
      Val key = keys.get(i);
      if (!Order.areComparable(first, key) || first.getClass() != key.getClass()) {
        throw new EvaluationFailure("a list of " + first.type() + " and " + key.type() + " has no order");
      }
      all.add(new Keyed(values.get(i), key));
    }
    Collections.sort(all);
    return new Val.Items(all.stream().map(Keyed::value).toList());
  }
}
