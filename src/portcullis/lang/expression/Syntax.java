package portcullis.lang.expression;

import java.util.List;
import java.util.Optional;

/** An expression as it was written; every part has a number, under which its place and later its type are kept. */
sealed interface Syntax {
  int id();

  /** Returns the qualified name of a chain of members, as {@code google.protobuf.Duration}; empty for anything else. */
  default Optional<String> qualified() {
    return switch (this) {
      case Name name -> Optional.of(name.name());
      case Select select -> select.operand().qualified().map(prefix -> prefix + "." + select.member());
      case Constant _, Has _, Call _, Logic _, ListOf _, MapOf _, ObjectOf _, Loop _ -> Optional.empty();
    };
  }

  record Constant(int id, Val value) implements Syntax {}

  /** A variable, or the first word of a longer name; with a leading point where it was written so. */
  record Name(int id, String name) implements Syntax {}

  /** {@code operand.member}. */
  record Select(int id, Syntax operand, String member) implements Syntax {}

  /** {@code has(operand.member)}. */
  record Has(int id, Syntax operand, String member) implements Syntax {}

  /** A call of a function or an operator; operators have names as {@code _+_}. */
  record Call(int id, Optional<Syntax> target, String function, List<Syntax> arguments) implements Syntax {
    public Call {
      arguments = List.copyOf(arguments);
    }
  }

  /** {@code a && b && c} or the same with {@code ||}; one number for each operator, the first is its own. */
  record Logic(boolean and, List<Syntax> operands, List<Integer> operators) implements Syntax {
    public Logic {
      operands = List.copyOf(operands);
      operators = List.copyOf(operators);
    }

    @Override
    public int id() {
      return operators.getFirst();
    }
  }

  record ListOf(int id, List<Syntax> elements) implements Syntax {
    public ListOf {
      elements = List.copyOf(elements);
    }
  }

  record MapOf(int id, List<Entry> entries) implements Syntax {
    public MapOf {
      entries = List.copyOf(entries);
    }
  }

  record Entry(int id, Syntax key, Syntax value) {}

  /** {@code type{field: value}}. */
  record ObjectOf(int id, String type, List<Field> fields) implements Syntax {
    public ObjectOf {
      fields = List.copyOf(fields);
    }
  }

  record Field(int id, String name, Syntax value) {}

  /** The kind of a loop: {@code range.all(variable, body)} and so on. */
  enum LoopKind {
    ALL, EXISTS, EXISTS_ONE, MAP, FILTER, SORT_BY
  }

  /** A loop over a list or the keys of a map; only {@code map} may have a filter. */
  record Loop(int id, LoopKind kind, Syntax range, int variableId, String variable, Optional<Syntax> filter,
      Syntax body)
      implements Syntax {}
}
