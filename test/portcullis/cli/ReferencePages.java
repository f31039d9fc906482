package portcullis.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import portcullis.fixture.LogPage;
import portcullis.reference.Page;
import portcullis.reference.Reference;
import portcullis.serve.runtime.KeysPage;
import portcullis.serve.runtime.MetricsPage;

/** The generated pages and schemas; {@code build.sh pages} writes them. */
public final class ReferencePages {
  static final Path SCHEMAS = Path.of("config/schemas");
  static final Path FOLDER = Path.of("config/docs/reference");

  private ReferencePages() {}

  static List<Page> all() throws IOException {
    List<Page> out = new ArrayList<>(Reference.pages());
    out.add(CommandPage.of(new Commands(new Console(System.out, System.err)).all()));
    out.add(LogPage.page());
    out.add(MetricsPage.page());
    out.add(index(out));
    return List.copyOf(out);
  }

  private static Page index(List<Page> pages) {
    String topics = pages.stream().filter(page -> !page.file().contains("/"))
        .map(page -> "| [" + page.file() + "](" + page.file() + ") | " + page.title() + " |\n")
        .collect(Collectors.joining());
    return new Page("README.md", "Reference", "# Reference\n\nThese pages are generated from the program by "
        + "`./build.sh pages`, and a test compares them with it. `portcullis help` prints most of them.\n\n"
        + "| page | about |\n| --- | --- |\n" + topics + "\nAll keys: [configuration](../keys.md), "
        + "[rule sets](../rule-keys.md).\n\n## Types of mechanisms\n\n" + Reference.mechanisms());
  }

  public static void main(String[] arguments) throws IOException {
    for (Page page : all()) {
      Path file = FOLDER.resolve(page.file());
      Files.createDirectories(file.getParent());
      Files.writeString(file, page.text());
    }
    for (Map.Entry<Path, String> page : KeysPage.all().entrySet()) {
      Files.writeString(page.getKey(), page.getValue());
    }
    Files.writeString(ExplainPicture.FILE, ExplainPicture.svg());
    Files.createDirectories(SCHEMAS);
    for (String of : SchemaCommand.OF) {
      Files.writeString(SCHEMAS.resolve(of + ".schema.json"), SchemaCommand.text(of));
    }
  }
}
