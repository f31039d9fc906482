package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import portcullis.reference.Page;
import portcullis.reference.Reference;
import portcullis.reference.Topic;

/** The reference pages are what the program makes of its declarations, and help prints the same. */
class ReferencePagesTest {
  static List<Page> pages() throws IOException {
    return ReferencePages.all();
  }

  static Stream<String> topics() {
    return Reference.topics().stream().map(Topic::name);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void pageIsAsGenerated(Page page) throws IOException {
    Path file = ReferencePages.FOLDER.resolve(page.file());
    assertTrue(Files.exists(file), () -> file + " is missing: run ./build.sh pages");
    List<String> now = Files.readString(file).lines().toList();
    List<String> generated = page.text().lines().toList();
    for (int i = 0; i < Math.min(now.size(), generated.size()); i++) {
      assertEquals(generated.get(i), now.get(i), file + ":" + (i + 1) + " is out of date: run ./build.sh pages");
    }
    assertEquals(page.text(), Files.readString(file), () -> file + " is out of date: run ./build.sh pages");
  }

  @Test
  void thereAreNoOtherPages() throws IOException {
    List<String> generated = pages().stream().map(Page::file).sorted().toList();
    try (Stream<Path> files = Files.walk(ReferencePages.FOLDER)) {
      assertEquals(generated, files.filter(Files::isRegularFile)
          .map(file -> ReferencePages.FOLDER.relativize(file).toString()).sorted().toList());
    }
  }

  @Test
  void pictureShowsWhatExplainPrints() throws IOException {
    String picture = ExplainPicture.svg();
    assertTrue(picture.contains("allowed, subject `ann`") && picture.contains("refused with 403"), picture);
    assertEquals(picture, Files.readString(ExplainPicture.FILE), "out of date: run ./build.sh pages");
  }

  @ParameterizedTest
  @MethodSource("topics")
  void helpPrintsTopic(String name) {
    CommandResult reported = CommandResult.of("help", name);
    assertEquals(0, reported.status());
    assertEquals("", reported.err());
    assertTrue(reported.out().contains("\n==="), reported.out());
    assertFalse(reported.out().contains("| --- |"), reported.out());
    assertTrue(CommandResult.of("help").out().contains("portcullis help " + name + " "));
    assertTrue(CommandResult.of(Completion.ASKED, "help", "").out().contains(name + "\t"), name);
  }

  @Test
  void helpListsEveryOptionOfEveryCommand() {
    String out = CommandResult.of("help", "commands").out();
    for (Command command : new Commands(new Console(System.out, System.err)).all()) {
      assertTrue(out.contains("portcullis " + command.name()), command.name());
      command.options().forEach(option -> assertTrue(out.contains(option.name()), option.name()));
    }
  }

  @Test
  void tablesHaveColumnsInATerminal() {
    String out = CommandResult.of("help", "errors").out();
    assertTrue(out.lines().anyMatch(line -> line.matches("`authentication_error` {2,}the request .* {2,}401 .*")), out);
  }

  @Test
  void wildcardsAreShownAsWritten() {
    String out = CommandResult.of("help", "rules").out();
    assertTrue(out.contains("`:*` and `**` match") && out.contains("`/files/**` matches neither"), out);
    assertTrue(out.lines().allMatch(line -> line.startsWith(" ") || line.length() <= 160), out);
  }

  @Test
  void manPageNamesCommandsAndTopics() throws IOException {
    String manual = Files.readString(Path.of("jlink/portcullis.1")).replaceAll("\\\\f[A-Z]|\\\\", "");
    String synopsis = manual.substring(manual.indexOf(".SH SYNOPSIS"), manual.indexOf(".SH DESCRIPTION"));
    for (Command command : new Commands(new Console(System.out, System.err)).all()) {
      String name = command.name().startsWith("help ") ? command.name().substring("help ".length()) : command.name();
      assertTrue(name.equals("version") || name.startsWith("eval ") || manual.contains(name), name);
      assertTrue(synopsis.contains(name.replaceFirst(".* ", "")) || name.equals("version")
          || command.name().startsWith("help "), name);
    }
  }
}
