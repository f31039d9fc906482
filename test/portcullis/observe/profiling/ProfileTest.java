package portcullis.observe.profiling;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.ProtoReader;
import portcullis.observe.profiling.Profile.Frame;
import portcullis.observe.profiling.Profile.Type;

class ProfileTest {
  private static final Frame INNER = new Frame("a.B.inner", "a/B.java", 7);
  private static final Frame OUTER = new Frame("a.B.outer", "a/B.java", 300);

  private static Profile profile(Symbols symbols) {
    Profile out = new Profile(List.of(new Type("samples", "count"), new Type("cpu", "nanoseconds")),
        new Type("cpu", "nanoseconds"), 10,
        Instant.ofEpochSecond(1, 5), Duration.ofSeconds(2), symbols);
    out.add(List.of(INNER, OUTER), Map.of("thread", "t"), 1, 10);
    out.add(List.of(INNER, OUTER), Map.of("thread", "t"), 1, 10);
    out.add(List.of(OUTER), Map.of(), 1, 1L << 40);
    return out;
  }

  @Test
  void equalStacksAreOneSampleAndAllIsInTheStringTable() throws IOException {
    Symbols symbols = new Symbols();
    byte[] packed = profile(symbols).proto("cpu");
    ProtoReader read = ProtoReader.read(new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes());
    List<String> strings = read.texts(6);
    assertEquals("", strings.getFirst());
    assertEquals(strings.size(), strings.stream().distinct().count());
    assertEquals(List.of("samples/count", "cpu/nanoseconds"), read.messages(1).stream()
        .map(type -> strings.get((int) type.number(1)) + "/" + strings.get((int) type.number(2))).toList());
    List<ProtoReader> samples = read.messages(2);
    assertEquals(List.of(List.of(2L, 20L), List.of(1L, 1L << 40)),
        samples.stream().map(sample -> sample.packed(2)).toList());
    assertEquals(List.of(List.of(1L, 2L), List.of(2L)), samples.stream().map(sample -> sample.packed(1)).toList());
    ProtoReader label = samples.getFirst().messages(3).getFirst();
    assertEquals("thread=t", strings.get((int) label.number(1)) + "=" + strings.get((int) label.number(2)));
    assertEquals(List.of("a.B.inner", "a.B.outer"),
        read.messages(5).stream().map(f -> strings.get((int) f.number(2))).toList());
    ProtoReader location = read.messages(4).getLast();
    assertEquals(300, location.messages(4).getFirst().number(2));
    assertEquals("a.B.outer", symbols.name(location.number(3)));
    assertEquals(1_000_000_005, read.number(9));
    assertEquals(2_000_000_000, read.number(10));
    assertEquals(10, read.number(12));
    assertEquals("cpu", strings.get((int) read.number(14)));
  }

  @Test
  void textShowsTotalsAndStacks() {
    assertEquals("""
        heap profile: total 3 samples/count 1099511627796 cpu/nanoseconds
        2 20 @ thread=t
        #\ta.B.inner\ta/B.java:7
        #\ta.B.outer\ta/B.java:300

        1 1099511627776 @
        #\ta.B.outer\ta/B.java:300

        """, profile(new Symbols()).text("heap"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "java.base/java.lang.Thread.run(Thread.java:1474)|java.lang.Thread.run Thread.java 1474",
    "java.base/java.lang.Object.wait0(Native Method)|java.lang.Object.wait0 Native Method 0",
    "a.B.c(B.java)|a.B.c B.java 0",
    "nonsense|nonsense  0",
    "a.B.c(B.java:12x)|a.B.c B.java:12x 0",
  })
  void linesOfDumpsAreFrames(String line, String frame) {
    Frame read = Stacks.of(line);
    assertEquals(frame, read.function() + " " + read.file() + " " + read.line());
  }

  @Test
  void aHistogramHasALineAClass() {
    assertEquals(List.of(new ClassHistogram.Line("[B", 12, 345), new ClassHistogram.Line("a.B", 1, 16)),
        ClassHistogram.lines("""
         num     #instances         #bytes  class name (module)
        -------------------------------------------------------
           1:            12            345  [B (java.base@25)
           2:             1             16  a.B
        Total            13            361
        """));
  }
}
