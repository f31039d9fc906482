package portcullis.lang.template;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/** Every rendering ends soon with a bounded result, or fails. */
final class LimitsTest {
  private static final String BYTES = "a string of more than 5000 bytes";
  private static final String STEPS = "the template takes too many steps";
  private static final String DEPTH = "a value is nested too deeply";

  private static String outcome(String template) {
    return Template.compile(LocatedText.of("t", template), new Problems(), new Limits(5000, 10_000)).map(compiled -> {
      try {
        return "" + compiled.render(Rows.data()).length();
      } catch (RenderFailure e) {
        return e.getMessage().replaceFirst("^t:[0-9:]+ (`[A-Za-z]+`: )?", "");
      }
    }).orElse("refused");
  }

  private static void check(String outcome, String... templates) {
    List<String> expected = Arrays.stream(templates).map(t -> t + " => " + outcome).toList();
    assertEquals(String.join("\n", expected),
        Arrays.stream(templates).map(t -> t + " => " + outcome(t)).collect(Collectors.joining("\n")));
  }

  @Test
  void boundsStrings() {
    check("5000", "{{ repeat 5000 `x` }}", "{{ printf `%5000d` 1 }}");
    check(BYTES, "{{ repeat 5001 `x` }}", "{{ repeat 9223372036854775807 `x` }}", "{{ range until 1001 }}xxxxx{{ end "
        + "}}",
        "{{ printf `%5001d` 1 }}", "{{ printf `%999999f` 1.0 }}", "{{ indent 5001 `x` }}", "{{ randAlphaNum 5001 }}",
        "{{ $s := `ab` }}{{ range until 60 }}{{ $s = print $s $s }}{{ end }}", "{{ replace `` `x` (repeat 4999 `y`) }}",
        "{{ $d := dict }}{{ range until 90 }}{{ $d = dict `a` $d `b` $d }}{{ end }}{{ toJson $d }}",
        "{{ regexReplaceAll `x` (repeat 100 `x`) (repeat 51 `y`) }}", "{{ wrapWith 1 (repeat 51 `-`) (repeat 100 "
            + "`x`) }}");
  }

  @Test
  void boundsSteps() {
    check("0", "{{ range 3000 }}{{ $x := . }}{{ end }}", "{{ $x := until 9000 }}");
    check(STEPS, "{{ range 11000 }}{{ end }}", "{{ range 1000000000000 }}{{ end }}", "{{ until 1000000000 }}",
        "{{ untilStep 0 9223372036854775807 4611686018427387904 }}", "{{ seq 1 1000000000 }}",
        "{{ $l := list 1 2 }}{{ range until 60 }}{{ $l = concat $l $l }}{{ end }}", "{{ until 200 | uniq }}",
        "{{ $d := dict }}{{ range until 90 }}{{ $d = dict `a` $d `b` $d }}{{ end }}{{ $_ := deepCopy $d }}",
        "{{ range 9000 }}{{ $x := regexFind `x*y` (repeat 900 `x`) }}{{ end }}");
  }

  @Test
  void boundsRecursion() {
    check("templates call each other too deeply", "{{ template `Heimdall` . }}",
        "{{ define `t` }}{{ template `t` . }}{{ end }}{{ template `t` }}");
    check("99", "{{ define `t` }}x{{ if gt . 1 }}{{ template `t` (sub . 1 | int) }}{{ end }}{{ end }}{{ template `t` "
        + "99 }}");
    String cycle = "{{ $d := dict }}{{ $_ := set $d `a` (list $d) }}";
    check(DEPTH, cycle + "{{ toJson $d }}", cycle + "{{ $d }}", cycle + "{{ printf `%d` $d }}",
        cycle + "{{ deepCopy $d }}",
        cycle + "{{ deepEqual $d (dict `a` (list $d)) }}", cycle + "{{ .Subject.Greet $d }}");
  }
}
