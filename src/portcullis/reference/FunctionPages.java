package portcullis.reference;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import portcullis.lang.expression.FunctionDoc;

/** The tables of functions and operators of templates and expressions. */
final class FunctionPages {
  private static final int SHOWN_SIGNATURES = 3;
  private static final List<String> HEAD = List.of("function", "result", "example");

  private FunctionPages() {}

  static String templates() {
    return grouped(portcullis.lang.template.FunctionDoc.all(), portcullis.lang.template.FunctionDoc::group,
        doc -> List.of(names(doc), doc.description(), example(doc.example(), doc.result())));
  }

  private static String names(portcullis.lang.template.FunctionDoc doc) {
    String first = doc.names().getFirst() + (doc.parameters().isEmpty() ? "" : " " + doc.parameters());
    return Prose.code(first) + doc.names().stream().skip(1).map(name -> ", " + Prose.code(name))
        .collect(Collectors.joining());
  }

  /** Returns the functions that templates do not have, by reason. */
  static String unsupported() {
    Map<String, List<String>> byReason = new TreeMap<>();
    portcullis.lang.template.FunctionDoc.unsupported()
        .forEach((name, reason) -> byReason.computeIfAbsent(reason, _ -> new ArrayList<>()).add("`" + name + "`"));
    return Prose.table(List.of("function", "why"), byReason.entrySet().stream()
        .map(entry -> List.of(String.join(", ", entry.getValue()), entry.getKey())).toList());
  }

  static String expressions() {
    return grouped(FunctionDoc.all(), FunctionDoc::group,
        doc -> List.of(signatures(doc.signatures()), doc.description(), example(doc.example(), doc.result())));
  }

  private static String signatures(List<String> all) {
    return all.stream().limit(SHOWN_SIGNATURES).map(Prose::code).collect(Collectors.joining(", "))
        + (all.size() > SHOWN_SIGNATURES ? ", …" : "");
  }

  /** Returns the operators by name, with the types that they take. */
  static String operators() {
    Map<String, Set<String>> types = new LinkedHashMap<>();
    for (String line : FunctionDoc.operators()) {
      int open = line.indexOf('(');
      String name = line.substring(0, open);
      types.computeIfAbsent(name.equals("_<_") ? "a < b, a <= b, a > b, a >= b" : written(name),
          _ -> new java.util.LinkedHashSet<>()).add(line.substring(open));
    }
    return Prose.table(List.of("operator", "operands and result"), types.entrySet().stream()
        .map(entry -> List.of(Prose.code(entry.getKey()),
            entry.getValue().stream().map(Prose::code).collect(Collectors.joining(", "))))
        .toList());
  }

  /** Returns an operator as it is written, {@code a + b} for {@code _+_}. */
  private static String written(String name) {
    return switch (name) {
      case "_?_:_" -> "condition ? a : b";
      case "_[_]" -> "a[b]";
      case "@in" -> "a in b";
      case "!_" -> "!a";
      case "-_" -> "-a";
      default -> "a " + name.replace("_", "") + " b";
    };
  }

  private static String example(String example, String result) {
    return example.isEmpty() ? "" : Prose.code(example) + " → " + Prose.code(result);
  }

  private static <T> String grouped(List<T> all, Function<T, String> group, Function<T, List<String>> row) {
    Map<String, List<List<String>>> groups = new LinkedHashMap<>();
    all.forEach(doc -> groups.computeIfAbsent(group.apply(doc), _ -> new ArrayList<>()).add(row.apply(doc)));
    return groups.entrySet().stream()
        .map(entry -> "### " + entry.getKey() + "\n\n" + Prose.table(HEAD, entry.getValue()))
        .collect(Collectors.joining("\n"));
  }
}
