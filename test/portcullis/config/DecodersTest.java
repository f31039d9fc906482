package portcullis.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

class DecodersTest {
  private static final Key<String> NAME = Key.required("name", Decoders.nonEmpty(), "a name");
  private static final Key<Integer> COUNT = Key.withDefault("count", Decoders.number(1, 9), 3, "how many");
  private static final Key<Optional<Duration>> TIME = Key.optional("time", Decoders.duration(), "how long");
  private static final Key<List<Boolean>> FLAGS = Key.withDefault("flags", Decoders.list(Decoders.flag(), 1), List.of(),
      "flags");
  private static final Decoder<String> THING = Decoders.object("a thing", List.of(NAME, COUNT, TIME, FLAGS),
      p -> p.get(NAME) + " " + p.get(COUNT) + " " + p.get(TIME) + " " + p.get(FLAGS));

  private final Problems problems = new Problems();

  private <T> Optional<T> decode(Decoder<T> decoder, String yaml) {
    return Yaml.read(SourceFile.argument("f", yaml.replace("\\n", "\n")), problems)
        .flatMap(n -> decoder.decode(n, problems));
  }

  private String reported() {
    return problems.sorted().stream().map(Problem::text).collect(Collectors.joining("; "));
  }

  @Test
  void fillsInWhatIsNotWritten() {
    assertEquals(Optional.of("x 3 Optional.empty []"), decode(THING, "name: x"));
    assertEquals(Optional.of("x 9 Optional[PT1.5S] [true]"), decode(THING, "{name: x, count: 9, time: 1.5s, flags: "
        + "[true]}"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "{}|f:1:1: `name` is missing, it is a string: a name",
    "name: ''|f:1:8: name: must not be empty",
    "name: 5|f:1:7: name: `5` is a number, a string is needed, put it in quotes",
    "name: [a]|f:1:7: name: this is a list, a string is needed",
    "name:|f:1:6: name: this is nothing, a string is needed",
    "{name: x, cuont: 2}|f:1:11: unknown key `cuont`, did you mean `count`?",
    "{nmae: x}|f:1:2: unknown key `nmae`, did you mean `name`?",
    "{name: x, zzz: 2}|f:1:11: unknown key `zzz`, known: count, flags, name, time",
    "{name: x, count: 10}|f:1:18: count: `10` is out of range, 1 to 9 is right",
    "{name: x, count: 1.5}|f:1:18: count: `1.5` is a number, a whole number is needed",
    "{name: x, count: '2'}|f:1:19: count: `2` is a string, a whole number is needed, without quotes",
    "{name: x, time: '5'}|f:1:18: time: `5` is not a duration, write it as `500ms`, `5s`, `1h30m`",
    "{name: x, time: -5}|f:1:17: time: `-5` is not a duration, write it as `500ms`, `5s`, `1h30m`",
    "{name: x, time: 5.5}|f:1:17: time: `5.5` is not a duration, write it as `500ms`, `5s`, `1h30m`",
    "{name: x, time: -5s}|f:1:17: time: `-5s` is not a duration, write it as `500ms`, `5s`, `1h30m`",
    "{name: x, flags: []}|f:1:18: flags: must contain at least 1 item, each true or false",
    "{name: x, flags: [yes]}|f:1:19: flags[0]: `yes` is a string, `true` or `false` is needed, write `true`",
    "{name: x, flags: true}|f:1:18: flags: `true` is a boolean, a list is needed, as `[true]`",
    "[a]|f:1:1: this is a list, a mapping is needed, a thing with: name, count, time, flags",
    "{count: 0, flags: [1]}|f:1:1: `name` is missing, it is a string: a name; f:1:9: count: `0` is out of range, 1 "
        + "to 9 is right; "
        + "f:1:20: flags[0]: `1` is a number, `true` or `false` is needed, write `true`",
  })
  void saysAllThatIsWrongAndWhatWouldBeRight(String yaml, String message) {
    assertEquals(Optional.empty(), decode(THING, yaml));
    assertEquals(message, reported());
  }

  @Test
  void aNumberWithoutUnitIsNanosecondsWithAWarning() {
    assertEquals(Optional.of(Duration.ofNanos(5)), decode(Decoders.duration(), "5"));
    assertEquals("f:1:1: warning: `5` has no unit and counts as nanoseconds, write it as `500ms`, `5s`, `1h30m`",
        reported());
  }

  @Test
  void aNumberWithoutUnitIsRefusedInDefinitions() {
    Key<Duration> time = Key.required("time", Decoders.duration(), "");
    Decoder<DecodedMembers> whole = Decoders.object("",
        List.of(Key.required("mechanisms", Decoders.object("", List.of(time), p -> p), "")), p -> p);
    assertTrue(decode(whole, "mechanisms: { time: 5s }").isPresent());
    assertEquals(Optional.empty(), decode(whole, "mechanisms: { time: 5 }"));
    assertEquals("f:1:21: mechanisms.time: `5` is not a duration, write it as `500ms`, `5s`, `1h30m`", reported());
  }

  @ParameterizedTest
  @CsvSource({"5s, PT5S", "1h30m, PT1H30M", "500ms, PT0.5S", "1.5s, PT1.5S", "0, PT0S", "0s, PT0S", "10us, PT0.00001S",
    "3ns, PT0.000000003S"})
  void readsDurationsAsGoWritesThem(String text, String duration) {
    assertEquals(Optional.of(Duration.parse(duration)), Durations.parse(text));
  }

  @ParameterizedTest
  @CsvSource({"5", "s", "''", "5 s", "5s5", "1d", "1e3s", ".s", "1..5s", "99999999999h"})
  void refusesOtherDurations(String text) {
    assertEquals(Optional.empty(), Durations.parse(text));
  }

  @ParameterizedTest
  @CsvSource({"4KB, 4096", "512B, 512", "128MB, 134217728", "1GB, 1073741824"})
  void readsSizes(String text, long bytes) {
    assertEquals(Optional.of(bytes), decode(Decoders.byteSize(), text));
  }

  @ParameterizedTest
  @CsvSource({"4", "KB", "4kb", "1.5MB", "4 KB", "99999999999KB"})
  void refusesOtherSizes(String text) {
    assertEquals(Optional.empty(), decode(Decoders.byteSize(), text));
  }

  @Test
  void choicesAreListedOrGuessed() {
    Decoder<String> choice = Decoders.oneOf("text", "gelf");
    decode(choice, "gefl");
    decode(choice, "json");
    assertEquals("f:1:1: `gefl` is not known here, did you mean `gelf`?; f:1:1: `json` is not known here, right is "
        + "one of: text, gelf",
        reported());
  }
}
