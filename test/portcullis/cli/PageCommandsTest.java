package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Commands and options that the pages name within sentences are those of the program. */
class PageCommandsTest {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```$");
  private static final Pattern INLINE = Pattern.compile("`portcullis ([a-z-][^`]*)`");
  /** The first line of what a checkpoint signs. */
  private static final String NO_COMMAND = "audit checkpoint v1";

  private final List<Command> commands = new Commands(new Console(System.out, System.err)).all();

  private Optional<Command> command(String words) {
    return commands.stream().filter(one -> (words + " ").startsWith(one.name() + " "))
        .max(Comparator.comparingInt(one -> one.name().length()));
  }

  /** Returns whether it is the beginning of some commands, as {@code key}, or help for one. */
  private boolean isGroup(String words) {
    return words.startsWith("help ") ? command(words.substring(5)).isPresent()
        : commands.stream().anyMatch(one -> one.name().startsWith(words + " "));
  }

  private String unknown(String words) {
    Optional<Command> named = command(words);
    if (named.isEmpty()) {
      return words.equals(NO_COMMAND) || isGroup(words) ? "" : words;
    }
    List<String> options = named.get().options().stream().flatMap(one -> Stream.of(one.name(), one.letter())).toList();
    return Stream.of(words.split(" ")).filter(word -> word.startsWith("-") && !options.contains(word.split("=")[0]))
        .findFirst().map(word -> named.get().name() + " " + word).orElse("");
  }

  @Test
  void existWithTheirOptions() throws IOException {
    List<String> unknown = new ArrayList<>();
    int count = 0;
    List<Path> pages = new ArrayList<>(List.of(Path.of("README.md"), Path.of("CONTRIBUTING.md")));
    try (Stream<Path> docs = Files.walk(Path.of("config/docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
    }
    for (Path page : pages) {
      String text = BLOCK.matcher(Files.readString(page)).replaceAll("");
      List<String> named = INLINE.matcher(text).results().map(found -> found.group(1).replaceAll("\\s+", " ")).toList();
      count += named.size();
      named.stream().map(this::unknown).filter(one -> !one.isEmpty()).forEach(one -> unknown.add(page + ": " + one));
    }
    assertEquals(List.of(), unknown);
    assertTrue(count > 60, "only " + count);
  }
}
