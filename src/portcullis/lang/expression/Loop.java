package portcullis.lang.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A loop over the elements of a list or the keys of a map.
 *
 * @param weight how many steps the body takes each time
 */
record Loop(Syntax.LoopKind kind, Term range, int local, Optional<Term> filter, Term body, int weight) implements Term {
  @Override
  public Val value(Frame frame) throws EvaluationFailure {
    Val over = range.value(frame);
    List<Val> elements = switch (over) {
      case Val.Items items -> items.values();
      case Entries entries -> entries.keys();
      default -> throw new EvaluationFailure("a loop goes over a list or a map, not " + over.type());
    };
    return switch (kind) {
      case ALL -> Val.of(!decides(elements, frame, false));
      case EXISTS -> Val.of(decides(elements, frame, true));
      case EXISTS_ONE -> Val.of(count(elements, frame) == 1);
      case MAP -> mapped(elements, frame);
      case FILTER -> filtered(elements, frame);
      case SORT_BY -> Lists.sortedBy(elements, mapped(elements, frame).values(), frame.meter());
    };
  }

  private Val body(Val element, Frame frame) throws EvaluationFailure {
    frame.meter().charge(weight);
    frame.locals()[local] = element;
    return body.value(frame);
  }

  /** Returns whether one element decides; where some fail and none decides, the first failure counts. */
  private boolean decides(List<Val> elements, Frame frame, boolean decisive) throws EvaluationFailure {
    Optional<EvaluationFailure> failure = Optional.empty();
    for (Val element : elements) {
      try {
        if (Logic.bool(body(element, frame), name()) == decisive) {
          return true;
        }
      } catch (EvaluationFailure e) {
        failure = failure.isPresent() ? failure : Optional.of(e);
      }
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
    return false;
  }

  private int count(List<Val> elements, Frame frame) throws EvaluationFailure {
    int count = 0;
    for (Val element : elements) {
      count += Logic.bool(body(element, frame), name()) ? 1 : 0;
    }
    return count;
  }

  private Val.Items mapped(List<Val> elements, Frame frame) throws EvaluationFailure {
    List<Val> out = new ArrayList<>();
    for (Val element : elements) {
      frame.locals()[local] = element;
      frame.meter().charge(filter.isPresent() ? weight : 0);
      if (filter.isEmpty() || Logic.bool(filter.get().value(frame), name())) {
        out.add(body(element, frame));
      }
    }
    return new Val.Items(out);
  }

  private Val filtered(List<Val> elements, Frame frame) throws EvaluationFailure {
    List<Val> out = new ArrayList<>();
    for (Val element : elements) {
      if (Logic.bool(body(element, frame), name())) {
        out.add(element);
      }
    }
    return new Val.Items(out);
  }

  private String name() {
    return switch (kind) {
      case ALL -> "all";
      case EXISTS -> "exists";
      case EXISTS_ONE -> "exists_one";
      case MAP -> "map";
      case FILTER -> "filter";
      case SORT_BY -> "sortBy";
    };
  }
}
