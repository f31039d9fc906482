import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.jdt.core.ToolFactory;
import org.eclipse.jdt.core.formatter.CodeFormatter;
import org.eclipse.jdt.core.formatter.DefaultCodeFormatterConstants;
import org.eclipse.jface.text.BadLocationException;
import org.eclipse.jface.text.Document;
import org.eclipse.text.edits.TextEdit;

/**
 * Formats the Java files and wraps the paragraphs of Markdown of the tree, or checks that this is done and that no line
 * is too long. Scripts, C, Python and CSS are checked for long lines only, and never written.
 * Arguments: {@code format} or {@code check}, the file of options, then files or folders. A file that is named is read
 * whatever its name is, as scripts may have none that shows it.
 */
final class Format {
  private static final int MAX_COLUMNS = 120;
  private static final Path GENERATED = Path.of("config/docs/reference");

  /** What is checked for long lines only. */
  private static final Pattern MEASURED = Pattern.compile(".*\\.(sh|py|c|h|css)");
  /** What tests read or run as it is; the lines of scripts there may be long. */
  private static final List<Path> DATA = Stream.of("data", "golden", "conformance/cases").map(Path.of("test")::resolve)
      .toList();

  /** The comma between two unnamed patterns of a case, behind which the formatter leaves no space. */
  private static final Pattern UNNAMED = Pattern.compile("(?<=\\w _),(?=\\w)");
  private static final Pattern IMPORTS = Pattern.compile("(?m)(?:^import [^\n]+;\n\n?)*^import [^\n]+;\n");

  private final CodeFormatter formatter;

  private Format(Map<String, String> options) {
    formatter = ToolFactory.createCodeFormatter(options);
  }

  public static void main(String[] arguments) throws IOException, BadLocationException {
    Format format = new Format(options(Path.of(arguments[1])));
    boolean check = arguments[0].equals("check");
    List<String> complaints = new ArrayList<>();
    for (String root : List.of(arguments).subList(2, arguments.length)) {
      for (Path file : files(Path.of(root))) {
        String text = Files.readString(file);
        String formatted = format.formatted(file, text);
        if (check) {
          complain(file, text, formatted, complaints);
        } else if (!formatted.equals(text)) {
          Files.writeString(file, formatted);
        }
      }
    }
    complaints.forEach(System.err::println);
    System.exit(complaints.isEmpty() ? 0 : 1);
  }

  private static Map<String, String> options(Path file) throws IOException {
    Map<String, String> options = DefaultCodeFormatterConstants.getEclipseDefaultSettings();
    Properties ours = new Properties();
    try (var in = Files.newBufferedReader(file)) {
      ours.load(in);
    }
    ours.forEach((key, value) -> options.put("org.eclipse.jdt." + key, (String) value));
    return options;
  }

  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(file -> isMarkdown(file) || isJava(file) || isMeasured(file, root))
          .filter(file -> !file.startsWith(GENERATED)).sorted().toList();
    }
  }

  private static boolean isMeasured(Path file, Path root) {
    boolean chosen = file.equals(root) || MEASURED.matcher(file.toString()).matches();
    return chosen && Files.isRegularFile(file) && DATA.stream().noneMatch(file::startsWith);
  }

  private static boolean isJava(Path file) {
    return file.toString().endsWith(".java");
  }

  private static boolean isMarkdown(Path file) {
    return file.toString().endsWith(".md");
  }

  private String formatted(Path file, String text) throws BadLocationException {
    if (isMarkdown(file)) {
      return Paragraphs.wrapped(text, MAX_COLUMNS);
    }
    if (!isJava(file)) {
      return text;
    }
    int kind = CodeFormatter.K_COMPILATION_UNIT | CodeFormatter.F_INCLUDE_COMMENTS;
    TextEdit edit = formatter.format(kind, text, 0, text.length(), 0, "\n");
    if (edit == null) {
      throw new IllegalArgumentException(file + ": does not parse");
    }
    Document document = new Document(text);
    edit.apply(document);
    return withSortedImports(UNNAMED.matcher(document.get()).replaceAll(", "));
  }

  /** Static imports first, each group in the order of its characters. */
  private static String withSortedImports(String text) {
    Matcher block = IMPORTS.matcher(text);
    if (!block.find()) {
      return text;
    }
    List<String> lines = block.group().lines().filter(line -> !line.isBlank()).sorted().toList();
    String statics = String.join("\n", lines.stream().filter(line -> line.startsWith("import static ")).toList());
    String others = String.join("\n", lines.stream().filter(line -> !line.startsWith("import static ")).toList());
    String sorted = statics + (statics.isEmpty() || others.isEmpty() ? "" : "\n\n") + others + "\n";
    return text.substring(0, block.start()) + sorted + text.substring(block.end());
  }

  private static void complain(Path file, String text, String formatted, List<String> complaints) {
    List<String> is = text.lines().toList();
    List<String> should = formatted.lines().toList();
    for (int i = 0; i < is.size(); i++) {
      if (!isMarkdown(file) && is.get(i).codePointCount(0, is.get(i).length()) > MAX_COLUMNS) {
        complaints.add(file + ":" + (i + 1) + ": longer than " + MAX_COLUMNS + " columns");
      }
    }
    for (int i = 0; !text.equals(formatted) && i < is.size(); i++) {
      if (i >= should.size() || !is.get(i).equals(should.get(i))) {
        complaints.add(file + ":" + (i + 1) + ": not formatted; `./build.sh format` does it");
        return;
      }
    }
  }
}
