package portcullis.lang.template;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;

/**
 * The documentation of a function of templates.
 *
 * @param group the heading that it belongs to
 * @param names the function's names, which mean the same
 * @param parameters the types of its parameters, as Go names them
 * @param example an action that calls it; empty where the result is not the same each time
 * @param result what the example renders
 */
public record FunctionDoc(String group, List<String> names, String parameters, String description, String example,
    String result) {
  private static final String FILE = "functions.txt";
  private static final String NO_EXAMPLE = "-";

  /** Returns all functions in the order of the file {@code functions.txt}, which has a line for each. */
  public static List<FunctionDoc> all() {
    List<FunctionDoc> out = new ArrayList<>();
    String group = "";
    for (String line : text().lines().toList()) {
      if (line.startsWith("# ")) {
        group = line.substring(2);
      } else {
        String[] cells = line.split(" \\| ", 3);
        List<String> names = List.of(cells[0].split(" "));
        String example = cells[2].equals(NO_EXAMPLE) ? "" : "{{ " + cells[2] + " }}";
        out.add(new FunctionDoc(group, names, parameters(names.getFirst()), cells[1], example, result(example)));
      }
    }
    return List.copyOf(out);
  }

  private static String text() {
    try (InputStream in = FunctionDoc.class.getResourceAsStream(FILE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String parameters(String name) {
    Function function = Functions.named(name)
        .orElseThrow(() -> new IllegalStateException(FILE + " names a function that does not exist: " + name));
    return function.parameters().stream().map(Param::shownName).collect(Collectors.joining(" "))
        + (function.variadic() ? "…" : "");
  }

  private static String result(String example) {
    Problems problems = new Problems();
    try {
      return example.isEmpty() ? ""
          : Template.compile(LocatedText.of("example", example), problems)
              .orElseThrow(() -> new IllegalStateException(example + ": " + problems.sorted().getFirst().text()))
              .render(Value.Dict.EMPTY);
    } catch (RenderFailure e) {
      throw new IllegalStateException(example + ": " + e.getMessage(), e);
    }
  }

  /** Returns the functions of sprig that templates do not have, with the reason. */
  public static SortedMap<String, String> unsupported() {
    return new TreeMap<>(UnsupportedFunctions.reasons());
  }
}
