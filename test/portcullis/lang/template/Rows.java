package portcullis.lang.template;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import portcullis.fixture.StubObject;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** Tables of templates and expected results: a line each, {@code template => outcome}. */
final class Rows {
  private static final String ARROW = " => ";

  private Rows() {}

  /** Renders each with {@link #data}; a failure is {@code FAILS line:column: message}. */
  static void check(String table) {
    assertEquals(table, table.lines().map(row -> template(row) + ARROW + outcome(unescaped(template(row))))
        .collect(Collectors.joining("\n", "", "\n")));
  }

  /** Compiles each; a problem is {@code line:column:length message, hint}. */
  static void checkProblems(String table) {
    assertEquals(table, table.lines().map(row -> template(row) + ARROW + problem(unescaped(template(row))))
        .collect(Collectors.joining("\n", "", "\n")));
  }

  private static String template(String row) {
    return row.substring(0, row.lastIndexOf(ARROW));
  }

  /** A line break is written as {@code ⏎}. */
  private static String unescaped(String text) {
    return text.replace('⏎', '\n');
  }

  static String outcome(String template) {
    Problems problems = new Problems();
    return Template.compile(LocatedText.of("t", template), problems).map(compiled -> {
      try {
        return compiled.render(data()).replace('\n', '⏎');
      } catch (RenderFailure e) {
        return "FAILS " + e.getMessage().substring(2);
      }
    }).orElseGet(() -> "REFUSED " + problem(template));
  }

  private static String problem(String template) {
    Problems problems = new Problems();
    if (Template.compile(LocatedText.of("t", template), problems).isPresent()) {
      return "none";
    }
    List<Problem> found = problems.sorted();
    assertEquals(1, found.size());
    Origin.InFile at = (Origin.InFile) found.getFirst().at();
    String hint = found.getFirst().hint();
    return at.line() + ":" + at.column() + ":" + at.length() + " " + found.getFirst().message()
        + (hint.isEmpty() ? "" : ", " + hint);
  }

  static Value.Dict data() {
    Map<String, Value> root = new LinkedHashMap<>(json("""
        {"n": 3, "f": 1.5, "big": 9007199254740993, "huge": 12345678901234567891, "s": "text", "empty": "", "yes": true,
         "null": null,
         "list": ["a", "b", "c"], "numbers": [1, 20, 3], "map": {"b": 2, "a": {"x": "y"}, "k-k": 1}}""").members());
    root.put("Subject", new StubObject("Subject", Map.of("ID", Value.of("alice"),
        "Attributes", json("{\"mail\": \"a@b.c\", \"roles\": [\"dev\", \"ops\"], \"address\": {\"city\": \"Köln\"}, "
            + "\"none\": null}")),
        Map.of("Greet", a -> Value.of("hello " + StubObject.argument(a))), "subject alice"));
    root.put("Values", Value.dict("tenant", Value.of("acme")));
    root.put("Nobody", Value.NULL);
    return new Value.Dict(root);
  }

  static Value.Dict json(String text) {
    try {
      return (Value.Dict) Json.read(text);
    } catch (ValueException e) {
      throw new IllegalStateException(e);
    }
  }
}
