package portcullis.expression;

import com.google.api.expr.v1alpha1.Decl;
import com.google.api.expr.v1alpha1.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.projectnessie.cel.checker.Decls;

/** Reads {@link Signatures} to what the checker takes. An overload's id is the name of its function, {@code #} and a number. */
final class Declarations {
  static final String ERROR = "heimdall.Error";
  static final String NETWORKS = "heimdall.IPNetworks";
  private static final String[] ORDERS = {"_<_", "_<=_", "_>_", "_>=_"};
  private static final Map<String, Type> SIMPLE = Map.ofEntries(
      Map.entry("bool", Decls.Bool), Map.entry("int", Decls.Int), Map.entry("uint", Decls.Uint),
      Map.entry("double", Decls.Double), Map.entry("string", Decls.String), Map.entry("bytes", Decls.Bytes),
      Map.entry("null", Decls.Null), Map.entry("dyn", Decls.Dyn), Map.entry("timestamp", Decls.Timestamp),
      Map.entry("duration", Decls.Duration), Map.entry("error", Decls.newObjectType(ERROR)),
      Map.entry("networks", Decls.newObjectType(NETWORKS)));

  private final Map<String, List<String>> overloads = new HashMap<>();
  private final Map<String, Type> names = new LinkedHashMap<>();

  /** All functions, the types by their names, the kinds of error, and these variables: names and types, one a line. */
  Declarations(String variables) {
    for (String part : List.of(Signatures.OPERATORS, Signatures.CONVERSIONS, Signatures.TEXTS, Signatures.LISTS,
        Signatures.NUMBERS, Signatures.TIMES, Signatures.OBJECTS)) {
      part.lines().forEach(this::line);
    }
    for (String type : List.of("bool", "int", "uint", "double", "string", "bytes")) {
      names.put(type, Decls.newTypeType(SIMPLE.get(type)));
    }
    names.put("list", Decls.newTypeType(Decls.newListType(Decls.newTypeParamType("A"))));
    names.put("map", Decls.newTypeType(Decls.newMapType(Decls.newTypeParamType("A"), Decls.newTypeParamType("B"))));
    names.put("null_type", Decls.newTypeType(Decls.Null));
    names.put("type", Decls.newTypeType(Decls.newTypeType(Decls.Dyn)));
    names.put("google.protobuf.Timestamp", Decls.newTypeType(Decls.Timestamp));
    names.put("google.protobuf.Duration", Decls.newTypeType(Decls.Duration));
    Structs.NAMES.forEach(name -> names.put(name, Decls.newTypeType(Decls.newObjectType(name))));
    for (ErrorKind kind : ErrorKind.values()) {
      names.put(kind.constant(), Decls.Dyn);
    }
    variables.lines().forEach(this::variable);
  }

  private void variable(String line) {
    int blank = line.indexOf(' ');
    names.put(line.substring(0, blank), type(line.substring(blank + 1)));
  }

  private void line(String line) {
    String name = line.substring(0, line.indexOf('('));
    List<String> same = name.equals("_<_") ? List.of(ORDERS)
        : name.equals("math.@max") ? List.of(name, "math.@min") : List.of(name);
    same.forEach(n -> overloads.computeIfAbsent(n, _ -> new ArrayList<>()).add(line.substring(name.length() + 1)));
  }

  /** What all names stand for. */
  List<Decl> names() {
    return names.entrySet().stream().map(name -> Decls.newVar(name.getKey(), name.getValue())).toList();
  }

  /** All names. */
  Set<String> known() {
    return names.keySet();
  }

  boolean isFunction(String name) {
    return overloads.containsKey(name);
  }

  /** The functions that can be called, as an author writes them. */
  Set<String> functions() {
    Set<String> written = new TreeSet<>(Set.of("has", "all", "exists", "exists_one", "filter", "map", "sortBy",
        "math.greatest", "math.least"));
    overloads.keySet().stream().filter(n -> Character.isLetter(n.charAt(0)) && n.indexOf('@') < 0).forEach(written::add);
    return written;
  }

  /** The function of that name with all its overloads. */
  Decl function(String name) {
    List<Decl.FunctionDecl.Overload> all = new ArrayList<>();
    for (String line : overloads.get(name)) {
      boolean member = line.startsWith("this ");
      TypeText text = new TypeText(line.substring(member ? 5 : 0));
      all.add(Decl.FunctionDecl.Overload.newBuilder().setOverloadId(name + "#" + all.size()).setIsInstanceFunction(member)
          .addAllParams(text.arguments()).setResultType(text.type()).addAllTypeParams(text.parameters).build());
    }
    return Decls.newFunction(name, all);
  }

  /** The type that a text as {@code map(string, dyn)} means. */
  static Type type(String text) {
    return new TypeText(text).type();
  }

  /** Reads types off a text, one after the other. */
  private static final class TypeText {
    private final String text;
    private final Set<String> parameters = new TreeSet<>();
    private int at;

    private TypeText(String text) {
      this.text = text;
    }

    /** What stands before {@code )}, separated by commas. */
    private List<Type> arguments() {
      List<Type> arguments = new ArrayList<>();
      while (text.charAt(at) != ')') {
        arguments.add(type());
      }
      skip();
      return arguments;
    }

    private Type type() {
      int start = at;
      while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || "._".indexOf(text.charAt(at)) >= 0)) {
        at++;
      }
      String name = text.substring(start, at);
      Type type = at < text.length() && text.charAt(at) == '(' ? generic(name) : plain(name);
      if (at < text.length() && text.charAt(at) == ',') {
        skip();
      }
      return type;
    }

    private Type generic(String name) {
      at++;
      List<Type> of = arguments();
      return switch (name) {
        case "list" -> Decls.newListType(of.getFirst());
        case "map" -> Decls.newMapType(of.getFirst(), of.getLast());
        default -> Decls.newTypeType(of.getFirst());
      };
    }

    private Type plain(String name) {
      if (name.length() == 1) {
        parameters.add(name);
        return Decls.newTypeParamType(name);
      }
      return SIMPLE.getOrDefault(name, Decls.newObjectType(name));
    }

    /** Over a bracket or comma and the blank behind it. */
    private void skip() {
      at++;
      if (at < text.length() && text.charAt(at) == ' ') {
        at++;
      }
    }
  }
}
