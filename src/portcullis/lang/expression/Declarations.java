package portcullis.lang.expression;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The variables, functions and types that an expression can name: {@link Signatures}, read once. Immutable. */
final class Declarations {
  private static final String[] ORDERS = {"_<_", "_<=_", "_>_", "_>=_"};

  /**
   * An overload of a function.
   *
   * @param member whether the first argument stands before the function's name
   * @param mixed whether it compares numbers of different types
   */
  record Overload(boolean member, boolean mixed, List<Type> arguments, Type result) {}

  private final Map<String, List<Overload>> functions = new HashMap<>();
  private final Map<String, Type> names = new HashMap<>();
  private final Set<String> inputs = new TreeSet<>();

  /** Declares all functions, types and kinds of error. @param variables names and types, one per line */
  Declarations(String variables) {
    for (String part : List.of(Signatures.OPERATORS, Signatures.CONVERSIONS, Signatures.LISTS, Signatures.TEXTS,
        Signatures.NUMBERS, Signatures.TIMES, Signatures.OBJECTS)) {
      part.lines().forEach(this::function);
    }
    for (Type type : List.of(Type.BOOL, Type.INT, Type.UINT, Type.DOUBLE, Type.STRING, Type.BYTES)) {
      names.put(type.toString(), new Type.TypeOf(type));
    }
    names.put("list", TypeText.type("type(list(dyn))"));
    names.put("map", TypeText.type("type(map(dyn, dyn))"));
    names.put("null_type", new Type.TypeOf(Type.NULL));
    names.put("type", TypeText.type("type(type(dyn))"));
    names.put("google.protobuf.Timestamp", new Type.TypeOf(Type.TIMESTAMP));
    names.put("google.protobuf.Duration", new Type.TypeOf(Type.DURATION));
    Structs.names().forEach(name -> names.put(name, new Type.TypeOf(new Type.Struct(name))));
    for (ErrorKind kind : ErrorKind.values()) {
      names.put(kind.constant(), Type.DYN);
    }
    variables.lines().forEach(this::variable);
  }

  private void variable(String line) {
    int blank = line.indexOf(' ');
    inputs.add(line.substring(0, blank));
    names.put(line.substring(0, blank), TypeText.type(line.substring(blank + 1)));
  }

  private void function(String line) {
    int open = line.indexOf('(');
    String name = line.substring(0, open);
    boolean member = line.startsWith("this ", open + 1);
    TypeText text = new TypeText(line.substring(open + (member ? 6 : 1)));
    List<Type> arguments = text.arguments();
    boolean mixed = name.equals("_<_") && !arguments.getFirst().equals(arguments.getLast());
    Overload overload = new Overload(member, mixed, arguments, text.type());
    List<String> same = name.equals("_<_") ? List.of(ORDERS)
        : name.equals("math.@max") ? List.of(name, "math.@min") : List.of(name);
    same.forEach(n -> functions.computeIfAbsent(n, _ -> new ArrayList<>()).add(overload));
  }

  /** Returns the type of a variable. */
  Optional<Type> type(String name) {
    return Optional.ofNullable(names.get(name.startsWith(".") ? name.substring(1) : name));
  }

  /** Returns the overloads of a function; empty if there is none. */
  List<Overload> overloads(String function) {
    return functions.getOrDefault(function.startsWith(".") ? function.substring(1) : function, List.of());
  }

  /** Returns the names of the variables that get a value at evaluation. */
  Set<String> inputs() {
    return inputs;
  }

  /** Returns the names of the variables and of the kinds of errors, for suggestions. */
  Set<String> variables() {
    Set<String> variables = new TreeSet<>();
    names.forEach((name, type) -> {
      if (!(type instanceof Type.TypeOf)) {
        variables.add(name);
      }
    });
    return variables;
  }

  /** Returns the names of the functions as written in expressions. */
  Set<String> functions() {
    Set<String> written = new TreeSet<>(Set.of("has", "all", "exists", "exists_one", "filter", "map", "sortBy",
        "math.greatest", "math.least"));
    functions.keySet().stream().filter(n -> Character.isLetter(n.charAt(0)) && n.indexOf('@') < 0)
        .forEach(written::add);
    return written;
  }
}
