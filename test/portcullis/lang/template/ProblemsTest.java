package portcullis.lang.template;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/** Problems of a template have line, column and length. */
final class ProblemsTest {
  @Test
  void problemsHaveTheirPlace() {
    Rows.checkProblems("""
        {{ .x }}{{ if .y }}{{ end }} => none
        {{ uper "x" }} => 1:4:4 unknown function `uper`, did you mean `upper`?
        {{ .x | zzzzz }} => 1:9:5 unknown function `zzzzz`, known are those of Go templates and of Sprig
        a⏎b⏎  {{ nope }} => 3:6:4 unknown function `nope`, known are those of Go templates and of Sprig
        {{ env "HOME" }} => 1:4:3 function `env` is not supported: templates cannot read the environment
        {{ genCA "x" 1 }} => 1:4:5 function `genCA` is not supported: keys and certificates are not generated per \
        request
        {{ .Request.Header("X") }} => 1:19:1 unexpected `(` in operand, arguments follow a blank, as in \
        `.Request.Header "X"`
        {{ if .x }}a => 1:4:2 `if` has no `end`
        {{ define "x" }}a => 1:4:6 `define` has no `end`
        {{ end }} => 1:4:3 unexpected `end`
        {{ if 1 }}{{ else }}{{ else }}{{ end }} => 1:24:4 a second `else`, expected `end`
        {{ range .x }}{{ else if 1 }}{{ end }} => 1:23:2 unexpected `if` in `else` of `range`
        x {{ .y => 1:3:2 unclosed action, `}}` closes it
        {{ "abc }} => 1:4:7 unterminated quoted string, a quote ends it
        {{ `abc }} => 1:4:7 unterminated raw quoted string
        {{ 'abc }} => 1:4:7 unterminated character constant
        {{/* x }} => 1:1:9 unclosed comment, `*/` ends it
        {{/* x */ y }} => 1:1:9 a comment ends before its action does
        {{ "\\q" }} => 1:4:4 invalid constant: `"\\q"`
        {{ '' }} => 1:4:2 invalid constant: `''`
        {{ 1x }} => 1:4:2 bad number syntax: `1x`
        {{ 08 }} => 1:4:2 illegal number syntax: `08`
        {{ 99999999999999999999 }} => 1:4:20 number `99999999999999999999` is too large
        {{ .a-b }} => 1:6:1 bad character `-`
        {{ .x ; }} => 1:7:1 unexpected `;` in operand
        {{ é\u0001 }} => 1:5:1 bad character ` `
        {{ \u0001 }} => 1:4:1 unrecognised character in an action
        {{ ( .x }} => 1:9:1 unclosed left paren, `)` closes it
        {{ .x ) }} => 1:7:1 unexpected right paren
        {{ ( ) }} => 1:6:1 missing value for parenthesised pipeline
        {{ with }}x{{ end }} => 1:9:2 missing value for with
        {{ $x }} => 1:4:2 undefined variable `$x`
        {{ .x : 1 }} => 1:7:1 expected `:=`
        {{ range $i, $j, $k := .x }}{{ end }} => 1:10:7 too many variables in range
        {{ range $i, .x }}{{ end }} => 1:14:2 range can only set variables
        {{ 1 | 2 }} => 1:8:1 only a function or a member can follow `|`
        {{ true.x }} => 1:8:2 unexpected `.` after a value that has no members
        {{ break }} => 1:4:5 `break` outside of a range
        {{ .x`a⏎b` }} => 1:6:1 bad character ```
        {{ 1`a⏎b` }} => 1:5:5 unexpected ``a b`` in operand
        {{ template .x }} => 1:13:2 unexpected `.x` in template clause
        {{ define "a" }}x{{ end }}{{ define "a" }}y{{ end }} => 1:37:3 template `a` is defined twice
        """);
  }

  @Test
  void boundsNesting() {
    for (String[] nest : new String[][] {{"{{ if 1 }}", "{{ end }}"}, {"{{ if 1 }}{{ else if 1 }}", "{{ end }}"}}) {
      assertEquals(0, problems(nest[0].repeat(40) + nest[1].repeat(40)));
      assertEquals(1, problems(nest[0].repeat(5000) + nest[1].repeat(5000)));
    }
    assertEquals(0, problems("{{ " + "(".repeat(90) + "1" + ")".repeat(90) + " }}"));
    assertEquals(1, problems("{{ " + "(".repeat(50_000) + "1" + ")".repeat(50_000) + " }}"));
  }

  private static long problems(String template) {
    Problems problems = new Problems();
    Template.compile(LocatedText.of("t", template), problems);
    return problems.errors();
  }
}
