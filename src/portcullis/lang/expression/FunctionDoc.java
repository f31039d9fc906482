package portcullis.lang.expression;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.JsonText;

/**
 * The documentation of a function of expressions.
 *
 * @param group the heading that it belongs to
 * @param signatures how it is called, as {@code string.contains(string) bool}; of a macro its syntax
 * @param example an expression that calls it; empty for functions of the request
 * @param result what the example evaluates to, as JSON
 */
public record FunctionDoc(String group, String name, List<String> signatures, String description, String example,
    String result) {
  private static final String FILE = "functions.txt";
  private static final String NO_EXAMPLE = "-";
  private static final String MEMBER = "this ";

  /** Returns all functions in the order of the file {@code functions.txt}, which has a line for each. */
  public static List<FunctionDoc> all() {
    List<FunctionDoc> out = new ArrayList<>();
    String group = "";
    for (String line : text().lines().toList()) {
      if (line.startsWith("# ")) {
        group = line.substring(2);
      } else {
        String[] cells = line.split(" \\| ", 3);
        String example = cells[2].equals(NO_EXAMPLE) ? "" : cells[2];
        out.add(new FunctionDoc(group, cells[0], signatures(cells[0]), cells[1], example, result(example)));
      }
    }
    return List.copyOf(out);
  }

  /** Returns the operators with the types of their operands and results. */
  public static List<String> operators() {
    return Signatures.OPERATORS.lines().toList();
  }

  private static String text() {
    try (InputStream in = FunctionDoc.class.getResourceAsStream(FILE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> signatures(String name) {
    List<String> overloads = Stream
        .of(Signatures.OBJECTS, Signatures.CONVERSIONS, Signatures.TEXTS, Signatures.LISTS, Signatures.NUMBERS,
            Signatures.TIMES)
        .flatMap(String::lines).filter(line -> line.startsWith(name + "(")).map(FunctionDoc::written).distinct()
        .toList();
    return overloads.isEmpty()
        ? List.of(Macros.usage(name.substring(name.indexOf('.') + 1))
            .orElseThrow(() -> new IllegalStateException(FILE + " names a function that does not exist: " + name)))
        : overloads;
  }

  /** Writes the first argument of a member function in front of its name. */
  private static String written(String line) {
    int open = line.indexOf('(') + 1;
    if (!line.startsWith(MEMBER, open)) {
      return line;
    }
    int end = open + MEMBER.length();
    for (int depth = 0; depth > 0 || line.charAt(end) != ',' && line.charAt(end) != ')'; end++) {
      depth += line.charAt(end) == '(' ? 1 : line.charAt(end) == ')' ? -1 : 0;
    }
    String rest = line.substring(line.charAt(end) == ',' ? end + 2 : end);
    return line.substring(open + MEMBER.length(), end) + "." + line.substring(0, open) + rest;
  }

  private static String result(String example) {
    Problems problems = new Problems();
    try {
      return example.isEmpty() ? ""
          : JsonText.plain(Expression.any(LocatedText.of("example", example), problems)
              .orElseThrow(() -> new IllegalStateException(example + ": " + problems.sorted().getFirst().text()))
              .evaluate(Variables.of(Map.of())));
    } catch (EvaluationFailure e) {
      throw new IllegalStateException(example + ": " + e.getMessage(), e);
    }
  }
}
