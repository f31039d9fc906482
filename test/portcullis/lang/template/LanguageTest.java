package portcullis.lang.template;

import org.junit.jupiter.api.Test;

/** Actions, pipelines, variables and scopes. */
final class LanguageTest {
  @Test
  void actionsChooseAndRepeat() {
    Rows.check("""
        plain } text }} { => plain } text }} {
        {{ if .yes }}a{{ else }}b{{ end }}{{ if .empty }}a{{ else if .n }}c{{ end }} => ac
        {{ with .map.a }}{{ .x }}{{ end }}{{ with .empty }}x{{ else with .s }}{{ . }}{{ end }} => ytext
        {{ range .list }}{{ . }};{{ end }}{{ range .none }}x{{ else }}none{{ end }} => a;b;c;none
        {{ range $i, $x := .list }}{{ $i }}{{ $x }}{{ end }}{{ range $k, $v := .map }}{{ $k }},{{ end }} => \
        0a1b2ca,b,k-k,
        {{ range 3 }}{{ . }}{{ end }}{{ range $i := 2 }}{{ $i }}{{ end }}{{ range 0 }}x{{ else }}-{{ end }} => 01201-
        {{ range .list }}{{ if eq . "b" }}{{ continue }}{{ end }}{{ . }}{{ end }} => ac
        {{ range .list }}{{ if eq . "b" }}{{ break }}{{ end }}{{ . }}{{ end }} => a
        {{ define "t" }}<{{ . }}>{{ end }}{{ template "t" .s }}{{ template "t" }} => <text><<no value>>
        {{ block "b" .map }}{{ .b }}{{ end }}{{ template "b" dict "b" 7 }} => 27
        a {{- 1 -}} b {{- /* gone */ -}} c => a1bc
        {{/* gone */}}x => x
        """);
  }

  @Test
  void scopesVariablesToTheirBlock() {
    Rows.check("""
        {{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ end }}{{ $x }} => 2
        {{ $x := 1 }}{{ if true }}{{ $x := 2 }}{{ end }}{{ $x }} => 1
        {{ $n := 0 }}{{ range .numbers }}{{ $n := add $n . }}{{ $n }},{{ end }} => 1,20,3,
        {{ with $x := .s }}{{ $x }}{{ end }}{{ with .map }}{{ $.s }}{{ end }} => texttext
        {{ $x := 1 }}{{ define "t" }}{{ $ }}{{ end }}{{ template "t" $x }} => 1
        {{ range $x := .list }}{{ end }}{{ $x := "out" }}{{ $x }} => out
        {{ $x := $x }} => FAILS 1:10: undefined variable `$x`
        {{ $x = 1 }} => FAILS 1:4: undeclared variable
        """);
  }

  @Test
  void membersOfMissingValuesAreMissing() {
    Rows.check("""
        {{ .no }}|{{ .no.x.y }}|{{ .map.no }}|{{ (index .map "no").x }} => <no value>|<no value>|<no value>|<no value>
        {{ .map.a.x }}{{ (.map).a.x }}{{ $m := .map }}{{ $m.a.x }} => yyy
        {{ index .map "k-k" }}{{ index .list 1 }}{{ index .map "a" "x" }}{{ index "ab" 1 }} => 1by98
        {{ .Subject.Attributes.none }} => <no value>
        {{ .Subject.Attributes.none.x }} => FAILS 1:4: nil has no `x`
        {{ .s.x }} => FAILS 1:4: string has no `x`
        {{ .Nobody }}{{ if .Nobody }}x{{ end }} => <nil>
        {{ .Nobody.ID }} => FAILS 1:4: nil has no `ID`
        {{ index .Values "no" }}|{{ .Values.no }}|{{ .Values.tenant }} => |<no value>|acme
        """);
  }

  @Test
  void parsesConstantsAsGo() {
    Rows.check("""
        {{ 0x1F }} {{ 017 }} {{ 0b11 }} {{ 1_000 }} {{ 'a' }} {{ '\\n' }} {{ 1e3 }} {{ .5 }} {{ 0x1p4 }} => 31 15 3 \
        1000 97 10 1000 0.5 16
        {{-3}} {{ +1 }} {{ 1+2i }} {{ 2i }} {{ true }} => -3 1 (1+2i) (0+2i) true
        {{ "\\x41\\u00e9\\101\\t." }}{{ `raw \\n` }} => AéA	.raw \\n
        {{ "\\xc3" }}{{ "\\xa9" }} {{ "\\xc3" }} => é \ufffd
        {{ 9223372036854775808 }} => FAILS 1:4: `9223372036854775808` is too large for an int
        {{ .é }}{{ $é := 1 }}{{ $é }} => <no value>1
        """);
  }

  @Test
  void pipesTheValueAsLastArgument() {
    Rows.check("""
        {{ .s | upper | printf "%s-%s" "x" }} => x-TEXT
        {{ 1 | add 2 | mul 3 }} {{ "x" | }} {{ (printf "%s" "a") | upper }} => 9 x A
        {{ .Subject.Greet "bob" }} {{ "bob" | .Subject.Greet | upper }} => hello bob HELLO BOB
        {{ and 1 "" (fail "never") }}|{{ or 0 "x" (fail "never") }}|{{ not nil }} => |x|true
        {{ upper .no }} => FAILS 1:10: expected string, found no value
        {{ "a" "b" }} => FAILS 1:4: `"a"` is not a function and takes no arguments
        {{ .s "b" }} => FAILS 1:4: `s` is not a function and takes no arguments
        {{ nil }} => FAILS 1:4: nil is not a command
        """);
  }
}
