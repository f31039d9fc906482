package portcullis.lang.expression;

import java.util.Map;

/** The static type of a value. */
sealed interface Type {
  Simple BOOL = new Simple("bool");
  Simple INT = new Simple("int");
  Simple UINT = new Simple("uint");
  Simple DOUBLE = new Simple("double");
  Simple STRING = new Simple("string");
  Simple BYTES = new Simple("bytes");
  Simple NULL = new Simple("null");
  Simple TIMESTAMP = new Simple("timestamp");
  Simple DURATION = new Simple("duration");
  /** Any type, known only at evaluation. */
  Simple DYN = new Simple("dyn");

  Map<String, Type> SIMPLE = Map.ofEntries(Map.entry("bool", BOOL), Map.entry("int", INT), Map.entry("uint", UINT),
      Map.entry("double", DOUBLE), Map.entry("string", STRING), Map.entry("bytes", BYTES), Map.entry("null", NULL),
      Map.entry("timestamp", TIMESTAMP), Map.entry("duration", DURATION), Map.entry("dyn", DYN));

  record Simple(String name) implements Type {
    @Override
    public String toString() {
      return name;
    }
  }

  record ListOf(Type element) implements Type {
    @Override
    public String toString() {
      return "list(" + element + ")";
    }
  }

  record MapOf(Type key, Type value) implements Type {
    @Override
    public String toString() {
      return "map(" + key + ", " + value + ")";
    }
  }

  /** The type of a type. */
  record TypeOf(Type of) implements Type {
    @Override
    public String toString() {
      return "type(" + of + ")";
    }
  }

  /** An object with the members that {@link Structs} lists. */
  record Struct(String name) implements Type {
    @Override
    public String toString() {
      return name;
    }
  }

  /** A type variable, of a signature ({@code A}) or one to be inferred. */
  record Variable(String name) implements Type {
    @Override
    public String toString() {
      return "dyn";
    }
  }
}
