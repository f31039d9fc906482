package portcullis.reference;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Texts of this package: pages with places for generated tables, and examples. */
final class Prose {
  private static final String PLACE = "@";

  private Prose() {}

  /** Returns a page of the folder {@code pages}, with each line {@code @name} replaced by the table of that name. */
  static Page page(String name, Map<String, Supplier<String>> tables) {
    String text = resource("pages/" + name + ".txt").lines()
        .map(line -> line.startsWith(PLACE) ? table(tables, line.substring(PLACE.length())) : line)
        .collect(Collectors.joining("\n", "", "\n"));
    return new Page(name + ".md", text.substring(2, text.indexOf('\n')), text);
  }

  private static String table(Map<String, Supplier<String>> tables, String name) {
    if (!tables.containsKey(name)) {
      throw new IllegalStateException("no table is named " + name);
    }
    return tables.get(name).get().stripTrailing();
  }

  private static String resource(String name) {
    return find(name).orElseThrow(() -> new IllegalStateException("there is no " + name));
  }

  /** Returns a file of this package, if there is one. */
  static Optional<String> find(String name) {
    try (InputStream in = Prose.class.getResourceAsStream(name)) {
      return in == null ? Optional.empty() : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a table in Markdown; cells are escaped. */
  static String table(List<String> head, List<List<String>> rows) {
    StringBuilder out = new StringBuilder(row(head)).append("\n|").append(" --- |".repeat(head.size())).append('\n');
    rows.forEach(cells -> out.append(row(cells)).append('\n'));
    return out.toString();
  }

  private static String row(List<String> cells) {
    return cells.stream().map(cell -> cell.replace("|", "\\|").replace("\n", " "))
        .collect(Collectors.joining(" | ", "| ", " |"));
  }

  /** Returns text as code; empty text stays empty. */
  static String code(String text) {
    return text.isEmpty() ? "" : text.contains("`") ? "`` " + text + " ``" : "`" + text + "`";
  }
}
