package portcullis.lang.expression;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.value.Value;

/** A part of an expression ready to be evaluated. Immutable, for any thread. */
interface Term {
  Val value(Frame frame) throws EvaluationFailure;

  record Constant(Val constant) implements Term {
    @Override
    public Val value(Frame frame) {
      return constant;
    }
  }

  /** A variable of the expression. */
  record Root(String name) implements Term {
    @Override
    public Val value(Frame frame) throws EvaluationFailure {
      Optional<Val> value = frame.roots().find(name);
      if (value.isEmpty()) {
        throw new EvaluationFailure("`" + name + "` is not known here");
      }
      return value.get();
    }
  }

  /** The variable of a loop. */
  record Local(int number) implements Term {
    @Override
    public Val value(Frame frame) {
      return frame.locals()[number];
    }
  }

  record ListOf(List<Term> elements) implements Term {
    @Override
    public Val value(Frame frame) throws EvaluationFailure {
      Val[] values = new Val[elements.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = elements.get(i).value(frame);
      }
      return new Val.Items(List.of(values));
    }
  }

  record MapOf(List<Term> keys, List<Term> values) implements Term {
    @Override
    public Val value(Frame frame) throws EvaluationFailure {
      Map<Val, Val> built = LinkedHashMap.newLinkedHashMap(keys.size());
      for (int i = 0; i < keys.size(); i++) {
        Val key = keys.get(i).value(frame);
        if (hasParts(key)) {
          throw new EvaluationFailure("a key of a map cannot be " + key.type());
        }
        built.put(key, values.get(i).value(frame));
      }
      return new Entries.Built(built);
    }

    private static boolean hasParts(Val key) {
      return key instanceof Val.Items || key instanceof Entries || key instanceof Val.Bytes || key instanceof Val.Host;
    }
  }

  /** An object literal. */
  record ObjectOf(String type, Map<String, Term> members) implements Term {
    @Override
    public Val value(Frame frame) throws EvaluationFailure {
      Map<String, Value> values = new LinkedHashMap<>();
      for (Map.Entry<String, Term> member : members.entrySet()) {
        values.put(member.getKey(), ResultConverter.of(member.getValue().value(frame)));
      }
      return new Val.Host(new Struct(type, values));
    }
  }

  /** A call of a function; a receiver is the first argument. */
  record Call(String name, Function function, List<Term> arguments) implements Term {
    @Override
    public Val value(Frame frame) throws EvaluationFailure {
      Val[] values = new Val[arguments.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = arguments.get(i).value(frame);
      }
      return function.apply(new Arguments(name, values, frame.meter()));
    }
  }
}
