package portcullis.lang.expression;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import portcullis.fixture.Corpora;
import portcullis.fixture.GoldenReport;
import portcullis.fixture.GoldenRow;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** The rows of {@code cel/*.json}, the suite of the CEL specification, without features that heimdall does not have. */
final class ConformanceRows {
  static final List<String> FILES = List.of("cel/conformance.json", "cel/parsing.json", "cel/checking.json");
  private static final Set<String> LEFT_OUT = Set.of("bindings_ext", "block_ext", "dynamic", "enums", "macros2",
      "optionals",
      "proto2", "proto2_ext", "proto3", "wrappers", "unknowns", "network_ext", "legacy_nullable_types");
  /** Features of single rows that are left out: messages, wrappers, enumerations, optionals, containers, options. */
  private static final Pattern NOT_COVERED = Pattern.compile(
      "TestAllTypes|[pP]roto[23]|rapper|messageType|abstractType|objectValue|enumValue|\"container\"|optional|ce"
          + "l\\.bind|\"function\":"
          + "|google\\.protobuf\\.(?!Duration\\b|Timestamp\\b)|google\\.protobuf\\.\\w+\\{|unsupported "
          + "syntax|recursion|limit exceeded"
          + "|overwrites accumulator|unconvertible|typeParam\"|wellKnown\":\"ANY|google\\.type|container|\"erro"
          + "r\":\\{\\}|type_url|\"expr\":\"(1 \\+ )?i[sizudxb]\"|fg_s|fi_s_s");

  private ConformanceRows() {}

  static GoldenReport report(String file) {
    List<GoldenReport.Miss> misses = new ArrayList<>();
    return new GoldenReport(file, suite(Corpora.read(file), "", misses), misses);
  }

  private static int suite(Value suite, String path, List<GoldenReport.Miss> misses) {
    int rows = 0;
    for (Value inner : Corpora.items(suite, "suites")) {
      String name = Corpora.text(inner, "name");
      rows += LEFT_OUT.contains(name) ? 0 : suite(inner, path + name + "/", misses);
    }
    for (Value row : Corpora.items(suite, "tests")) {
      if (isCovered(row)) {
        rows++;
        row(row, path).ifPresent(misses::add);
      }
    }
    return rows;
  }

  private static boolean isCovered(Value row) {
    Value original = Corpora.member(row, "original").orElseThrow();
    boolean unchecked = Corpora.isTrue(original, "disableCheck") && Corpora.member(original, "evalError").isEmpty();
    return !unchecked && !NOT_COVERED.matcher(JsonText.plain(row)).find();
  }

  private static Optional<GoldenReport.Miss> row(Value row, String path) {
    Value original = Corpora.member(row, "original").orElseThrow();
    String expression = Corpora.text(original, "expr");
    String wanted = wanted(row, original);
    String got = got(original, expression, wanted.startsWith("type "));
    String kind = got.startsWith("fails") || got.startsWith("refused") ? got.substring(0, got.indexOf(':')) : got;
    boolean same = wanted.equals(kind) || wanted.equals("error") && Set.of("fails", "refused").contains(kind);
    return same ? Optional.empty()
        : GoldenRow.difference(expression, wanted, got)
            .map(why -> new GoldenReport.Miss(path + Corpora.text(original, "name"), why));
  }

  /** Returns a value with its type, {@code error}, {@code refused}, or {@code type x} if the row only knows that. */
  private static String wanted(Value row, Value original) {
    Optional<Value> value = Corpora.member(original, "value");
    if (Corpora.member(original, "evalError").isPresent()) {
      return "error";
    }
    boolean checkOnly = Corpora.isTrue(original, "checkOnly") || Corpora.text(original, "name").isEmpty();
    if (checkOnly) {
      return Corpora.member(row, "error").isPresent() ? "refused" : "type " + Corpora.text(row, "type");
    }
    Optional<Value> typed = Corpora.member(original, "typedResult").flatMap(t -> Corpora.member(t, "result"));
    return ConformanceValue.text(value.or(() -> typed).map(ConformanceValue::of).orElse(Val.TRUE));
  }

  private static String got(Value original, String expression, boolean typeOnly) {
    StringBuilder variables = new StringBuilder();
    for (Value declaration : Corpora.items(original, "typeEnv")) {
      Value type = Corpora.member(declaration, "ident").flatMap(i -> Corpora.member(i, "type")).orElseThrow();
      variables.append(Corpora.text(declaration, "name")).append(' ').append(ConformanceValue.type(type)).append('\n');
    }
    Problems problems = new Problems();
    Optional<Expression> compiled = new Compiler(variables.toString()).compile(LocatedText.of("row", expression), false,
        Optional.empty(), problems);
    if (compiled.isEmpty()) {
      return "refused: " + problems.sorted().stream().map(Problem::text).toList();
    }
    if (typeOnly) {
      return "type " + compiled.get().type();
    }
    Map<String, Val> bindings = new HashMap<>();
    Corpora.member(original, "bindings").ifPresent(b -> ((Value.Dict) b).members().forEach(
        (name, value) -> bindings.put(name, ConformanceValue.of(Corpora.member(value, "value").orElseThrow()))));
    try {
      return ConformanceValue.text(compiled.get().result(name -> Optional.ofNullable(bindings.get(name))));
    } catch (EvaluationFailure e) {
      return "fails: " + e.getMessage();
    }
  }
}
