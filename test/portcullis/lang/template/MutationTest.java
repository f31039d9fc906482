package portcullis.lang.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;

/**
 * Templates changed at random: each is refused, fails or has a result; nothing else is thrown, and nothing takes long.
 */
@Timeout(600) // a busy machine takes long for so much
final class MutationTest {
  private static final int COUNT = Integer.getInteger("mutations", 20_000);
  private static final List<String> PIECES = List.of("{{", "}}", "{{end}}", "{{else}}", "{{range .Values}}", "{{if ",
      "{{define \"x\"}}",
      "{{template \"x\" .}}", "{{template \"Heimdall\" .}}", "(", ")", "|", ".", "$", "$x", ":=", "\"", "`", "'", "-",
      "{{- ", " -}}", "/*",
      "*/", "\\", "\n", " ", "0", "-1", "9223372036854775807", "1e308", "0x", "nil", "true", "\u00e9", "\ud83d\ude00",
      "\udc80", "\0",
      "%", "[", "]", "{1000}", "repeat 1000000 ", "until 1000000 ", "printf \"%1000000d\" ", "indent 100000 ",
      ".Subject.Attributes",
      ".Request.URL", "list ", "dict ", "toJson ", "set ", "merge ", "len ", "index ", "regexFindAll ", "date ",
      "duration ");

  private final Random random = new Random(Long.getLong("portcullis.fuzz.seed", 20260));

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void mutatedTemplatesNeverCrash() throws InterruptedException {
    List<String> seeds = seeds();
    List<String> errors = new ArrayList<>();
    Value.Dict data = data();
    Thread thread = Thread.startVirtualThread(() -> {
      for (int i = 0; i < COUNT && errors.isEmpty(); i++) {
        run(mutated(seeds), data, errors);
      }
    });
    thread.join();
    assertEquals(List.of(), errors);
  }

  private static void run(String template, Value.Dict data, List<String> errors) {
    long start = System.nanoTime();
    try {
      Problems problems = new Problems();
      var compiled = Template.compile(LocatedText.of("row", template), problems);
      assertEquals(compiled.isEmpty(), problems.hasErrors());
      if (compiled.isPresent()) {
        compiled.get().render(data);
      }
    } catch (RenderFailure e) {
      assertTrue(e.getMessage().startsWith("row:"), e.getMessage());
    } catch (Throwable e) {
      errors.add("`" + template + "`: " + e + " at " + List.of(e.getStackTrace()).stream().limit(6).toList());
    }
    long seconds = (System.nanoTime() - start) / 1_000_000_000;
    if (seconds > 5) {
      errors.add("`" + template + "` takes " + seconds + " s");
    }
  }

  private static List<String> seeds() {
    List<String> own = List.of("{{ range $i, $x := list 1 2 3 }}{{ if eq $x 2 }}{{ break }}{{ end }}{{ $i }}{{ end }}",
        "{{ define \"x\" }}{{ . | toJson }}{{ end }}{{ template \"x\" dict \"a\" (list 1.5 nil) }}",
        "{{ with $m := dict \"a\" 1 }}{{ set $m \"b\" $m | len }}{{ end }}", "{{ regexReplaceAll \"(a+)b\" \"aab\" "
            + "\"$1\" }}",
        "{{ printf \"%5.2f|%-5s|%x\" 1.5 \"a\" \"b\" }}{{ date \"2006-01-02\" 0 }}{{ semverCompare \"^1.2\" "
            + "\"1.3.0\" }}");
    return Stream.concat(own.stream(), Stream.of(TemplateFile.values()).filter(TemplateFile::exists)
        .flatMap(file -> file.rows().stream().map(TemplateRow::template))).toList();
  }

  private static Value.Dict data() {
    return (Value.Dict) TemplateFile.TEMPLATES.rows().stream().filter(row -> row.name().equals("fields-01")).findFirst()
        .map(TemplateRow::data).orElse(Value.Dict.EMPTY);
  }

  private String mutated(List<String> seeds) {
    StringBuilder text = new StringBuilder(any(seeds));
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      int at = random.nextInt(text.length() + 1);
      int end = Math.min(text.length(), at + random.nextInt(8));
      switch (random.nextInt(6)) {
        case 0 -> text.delete(at, end);
        case 1 -> text.insert(at, any(PIECES));
        case 2 -> text.replace(at, end, any(PIECES));
        case 3 -> text.insert(at, text.substring(at, end).repeat(1 + random.nextInt(40)));
        case 4 -> splice(text, at, any(seeds));
        default -> text.insert(at, (char) random.nextInt(256));
      }
    }
    return text.toString();
  }

  private void splice(StringBuilder text, int at, String other) {
    int from = random.nextInt(other.length() + 1);
    text.insert(at, other, from, Math.min(other.length(), from + random.nextInt(40)));
  }

  private String any(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }
}
