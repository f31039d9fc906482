package portcullis.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

class YamlInputTest {
  private static final List<String> PIECES = List.of("a", "key", ": ", "- ", "\n", "\n  ", "\r\n", "\r", "\"", "'", "{",
      "}", "[", "]", ", ", "# x", "|\n", ">-\n", "&a ", "*a", "!!str ", "\\u00e9", "\u00e9", "\ud83d\ude00", "\u2028",
      "\ufeff", "\u0085", "\u0001", "---\n", "...\n", "? ", "%YAML 1.2\n", "\t", "x".repeat(1500));

  /** What the parser makes of it: events with their places, and how it fails. */
  private static String parsed(StreamReader reader) {
    StringBuilder out = new StringBuilder();
    try {
      ParserImpl parser = new ParserImpl(reader, new LoaderOptions());
      for (boolean ends = false; !ends;) {
        Event event = parser.getEvent();
        ends = event.is(Event.ID.StreamEnd);
        out.append(event).append(place(event.getStartMark())).append(place(event.getEndMark())).append('\n');
      }
    } catch (YAMLException e) {
      out.append(e.getClass()).append(String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
    return out.toString();
  }

  private static String place(Mark mark) {
    return " " + mark.getIndex() + ":" + mark.getLine() + ":" + mark.getColumn();
  }

  @Test
  void readsAsTheReaderOfTheParser() {
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(12); n >= 0; n--) {
        int piece = random.nextInt(PIECES.size() + 8);
        text.append(piece < PIECES.size() ? PIECES.get(piece) : PIECES.get(piece % 6));
      }
      String yaml = text.toString();
      String expected = parsed(new StreamReader(yaml)).replace("'reader'", "text");
      assertEquals(expected.replace("'string'", "text"), parsed(new YamlInput(yaml)).replace("'string'", "text"),
          () -> "of " + yaml);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a: \"%s\"", "a: '%s'", "a: %s", "# %s", "a: |\n  %s"})
  void longValuesTakeMemoryByTheirLength(String form) {
    int length = 2_000_000;
    String text = form.formatted("x".repeat(length));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    Problems problems = new Problems();
    Yaml.read(new SourceFile("long", text), problems);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue(problems.isEmpty());
    assertTrue(allocated < 50L * length, allocated + " bytes for " + length);
  }
}
