package portcullis.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

/**
 * Wrong files, each with all that is to be said of it: a line {@code === what it is about}, the file, a line
 * {@code --- said}, and each problem with the line of the file that it is in and carets below. With the environment
 * variable {@code FAULTS_WRITE} set to the folder of the tables they are written anew from what is said now, to be read
 * before they are committed.
 */
public final class ErrorTable {
  private static final String HEAD = "=== ";
  private static final String MIDDLE = "--- said";

  private ErrorTable() {}

  /** A wrong file and what is to be said of it. */
  public record Row(String name, String text, String reported) {
    @Override
    public String toString() {
      return HEAD + name + "\n" + text + MIDDLE + "\n" + reported;
    }
  }

  /** Reads each file of a table and compares what is said; a file is known as {@code f.yaml}. */
  public static void check(String table, BiConsumer<SourceFile, Problems> reading) throws IOException {
    check(table, text -> {
      Problems problems = new Problems();
      reading.accept(new SourceFile("f.yaml", text), problems);
      return shown(problems);
    });
  }

  /** The same, with what says it all. */
  public static void check(String table, UnaryOperator<String> saying) throws IOException {
    List<Row> rows = rows(table);
    List<Row> got = new ArrayList<>();
    for (Row row : rows) {
      got.add(new Row(row.name(), row.text(), saying.apply(row.text())));
    }
    Optional<String> folder = Optional.ofNullable(System.getenv("FAULTS_WRITE"));
    if (folder.isPresent()) {
      Files.writeString(Path.of(folder.get(), table), String.join("\n", got.stream().map(Row::toString).toList()));
    }
    assertEquals(String.join("\n", rows.stream().map(Row::toString).toList()),
        String.join("\n", got.stream().map(Row::toString).toList()));
  }

  private static String shown(Problems problems) {
    StringBuilder out = new StringBuilder();
    for (Problem problem : problems.sorted()) {
      out.append(problem.text()).append('\n');
      problem.excerpt().lines().forEach(line -> out.append("    ").append(line).append('\n'));
    }
    return out.toString();
  }

  /** The rows of a table in {@code test/data/config}. */
  public static List<Row> rows(String table) throws IOException {
    List<Row> out = new ArrayList<>();
    try (InputStream in = ErrorTable.class.getResourceAsStream("/data/config/" + table)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (String part : ("\n" + text).split("\n" + HEAD)) {
        if (!part.isBlank()) {
          out.add(row(part));
        }
      }
    }
    return out;
  }

  private static Row row(String part) {
    int name = part.indexOf('\n');
    int middle = part.indexOf("\n" + MIDDLE + "\n");
    String reported = part.substring(middle + MIDDLE.length() + 2);
    return new Row(part.substring(0, name), part.substring(name + 1, middle + 1),
        reported.isEmpty() || reported.endsWith("\n") ? reported : reported + "\n");
  }
}
