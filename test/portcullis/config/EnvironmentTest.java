package portcullis.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

class EnvironmentTest {
  private static final Shape ROOT = new Shape.Members("", List.of(
      Key.optional("serve", Decoders.node(), ""), Key.optional("default_rule", Decoders.node(), "")));

  private final Problems problems = new Problems();

  /** Variables as {@code A=1 B=2}. */
  private Optional<Node> overlay(String yaml, String variables, String... prefixes) {
    Map<String, String> environment = new LinkedHashMap<>();
    for (String variable : variables.split(" (?=[A-Za-z_0-9]+=)")) {
      environment.put(variable.substring(0, variable.indexOf('=')), variable.substring(variable.indexOf('=') + 1));
    }
    Optional<Node> file = yaml.isEmpty() ? Optional.empty()
        : Yaml.read(new SourceFile("f", yaml.replace("\\n", "\n")), problems);
    return Environment.overlay(file, environment, prefixes.length == 0 ? List.of("P_", "H_") : List.of(prefixes), ROOT,
        problems);
  }

  private String reported() {
    return problems.sorted().stream().map(Problem::text).collect(Collectors.joining("; "));
  }

  /** A tree in one line: what variables set is marked by a star. */
  private static String shown(Node node) {
    return switch (node) {
      case Node.Scalar s ->
        (s.meaning() == Node.Meaning.NULL ? "~" : s.meaning() == Node.Meaning.TEXT ? s.text() : "<" + s.text() + ">")
            + (s.located() instanceof EnvironmentText ? "*" : "");
      case Node.Sequence s ->
        s.items().stream().map(EnvironmentTest::shown).collect(Collectors.joining(", ", "[", "]"));
      case Node.Mapping m -> m.members().entrySet().stream().map(e -> e.getKey() + ": " + shown(e.getValue().value()))
          .collect(Collectors.joining(", ", "{", "}"));
    };
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "''|H_SERVE_PORT=80|{serve: {port: <80>*}}",
    "{serve: {port: 1, host: a}}|H_SERVE_PORT=80|{serve: {port: <80>*, host: a}}",
    "{serve: ~}|H_SERVE_PORT=80|{serve: {port: <80>*}}",
    "{serve: {port: 1}}|SERVE_PORT=80 HH_SERVE_PORT=81|{serve: {port: <1>}}",
    "{a: [x, y]}|H_A_1=z|{a: [x, z*]}",
    "{a: [x, y]}|H_A_2=z|{a: [x, y, z*]}",
    "{a: [x, y]}|H_A=[z]|{a: [z*, y]}",
    "{a: [x]}|H_A=[y, z]|{a: [y*, z*]}",
    "{a: [x, y]}|H_A=u,v,w|{a: [u*, v*, w*]}",
    "''|H_A_0=x H_A_1=y H_A_2=z|{a: [x*, y*, z*]}",
    "''|H_A_10=k H_A_9=j H_A_8=i H_A_7=h H_A_6=g H_A_5=f H_A_4=e H_A_3=d H_A_2=c H_A_1=b H_A_0=a"
        + "|{a: [a*, b*, c*, d*, e*, f*, g*, h*, i*, j*, k*]}",
    "''|H_L_0_ID=x H_L_0_CONFIG_A=1 H_L_1_ID=y H_L_0_CONFIG_B=2|{l: [{config: {a: <1>*, b: <2>*}, id: x*}, {id: "
        + "y*}]}",
    "{l: [{id: x, type: header, config: {a: 1}}]}|H_L=[{id: y, config: {b: 2}}]|{l: [{id: y*, type: header, "
        + "config: {a: <1>, b: <2>*}}]}",
    "''|H_L_0_ID=x H_L=[{id: y, type: t}]|{l: [{id: x*, type: t*}]}",
    "''|H_DEFAULT__RULE_EXECUTE_0_AUTHENTICATOR=a|{default_rule: {execute: [{authenticator: a*}]}}",
    "''|H_A___B=1|{a_: {b: <1>*}}",
    "''|H_serve_Port=1|{serve: {port: <1>*}}",
    "{headers: {X-User: a}}|H_HEADERS_X-USER=b|{headers: {X-User: b*}}",
    "{codes: {404: a}}|H_CODES_404=b|{codes: {404: b*}}",
    "''|H_A={{ .Subject.ID }}|{a: {{ .Subject.ID }}*}",
    "''|H_A=\"10\"|{a: 10*}",
    "''|H_A={b: 'c', d: [1, true]}|{a: {b: c*, d: [<1>*, <true>*]}}",
    "''|H_A=b: c # d|{a: b: c # d*}",
    "''|H_A=|{a: ~*}",
    "''|H_A=[x|{a: [x*}",
    "''|OTHER=1|''",
  })
  void layersVariablesOverTheFile(String yaml, String variables, String tree) {
    assertEquals(tree, overlay(yaml, variables).map(EnvironmentTest::shown).orElse(""));
    assertEquals("", reported());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "''|P_A=1 H_A=2|{a: <1>*}|environment H_A: warning: has no effect, `P_A` sets the same",
    "''|P_A={b: 1} H_A_B=2|{a: {b: <1>*}}|''",
    "''|H_A=1 H_a=2|{a: <1>*}|environment H_a: warning: has no effect, `H_A` sets the same",
    "{a: {b: 1}}|H_A=2|{a: {b: <1>}}|environment H_A: a: this is a number, but f:1:5 has a mapping, its members "
        + "are set by `_NAME`",
    "{a: [1]}|H_A={b: 1}|{a: [<1>]}|environment H_A: a: this is a mapping, but f:1:5 has a list, its items are "
        + "set by `_0`, `_1`",
    "{a: 1}|H_A_B=2|{a: <1>}|environment H_A_B: a: this is a mapping, but f:1:5 has a number",
    "{a: [1]}|H_A_B=2|{a: [<1>]}|environment H_A_B: a: this is a mapping, but f:1:5 has a list, its items are "
        + "set by `_0`, `_1`",
    "{a: 1}|H_A_0=2|{a: <1>}|environment H_A_0: a: this is a list, but f:1:5 has a number",
    "''|H_A=x H_A_B=2|{a: x*}|environment H_A_B: a: this is a mapping, but environment H_A has a string",
    "{a: [x]}|H_A_3=y|{a: [x, y*]}|environment H_A_3: a: item 1 of the list is not set, items count from 0",
    "''|H_A_99999=y|{a: []}|environment H_A_99999: a: a list has no item 99999, the first one is 0",
    "''|H_=y|''|environment H_: names no setting, as `H_SERVE_PORT`",
    "''|H_A_=y|''|environment H_A_: names no setting, as `H_SERVE_PORT`",
    "''|H_A={b: 1, b: 2}|{a: {b: <1>*}}|environment H_A: a: `b` is there twice",
    "[x]|H_A=1|[x]|''",
  })
  void saysWhatDoesNotFit(String yaml, String variables, String tree, String message) {
    assertEquals(tree, overlay(yaml, variables).map(EnvironmentTest::shown).orElse(""));
    assertEquals(message, reported());
  }

  @Test
  void withABlankPrefixOnlyWhatBeginsAtTheRootCounts() {
    assertEquals("{serve: {port: <1>*}}",
        overlay("", "SERVE_PORT=1 PATH=/bin HOME=x _=y", " ").map(EnvironmentTest::shown).orElse(""));
    assertEquals("", reported());
  }

  private static <T> String decoded(Optional<T> value) {
    return value.map(Object::toString).orElse("");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "flag|\"true\"|true", "flag|1|true", "flag|no|environment H_A: a: `no` is a string, `true` or `false` is needed, "
        + "write `false`",
    "whole|\"10\"|10", "whole|x|environment H_A: a: `x` is a string, a whole number is needed",
    "whole|99|environment H_A: a: `99` is out of range, 0 to 50 is right",
    "text|10|10", "text|true|true", "text|''|''", "text|null|environment H_A: a: `null` is nothing, a string is needed",
    "text|[x]|environment H_A: a: this is a list, a string is needed",
    "secret|[x]|environment H_A: a: this is a list, a string is needed", "secret|5|5",
    "texts|a, b,c|[a, b, c]", "texts|''|[]", "texts|10.0.0.1|[10.0.0.1]", "texts|[a, 'b']|[a, b]",
    "plain|1.5s|PT1.5S", "plain|1h30m|PT1H30M",
  })
  void takesVariablesForWhatIsNeeded(String decoder, String value, String result) {
    Map<String, Decoder<?>> decoders = Map.of("flag", Decoders.flag(), "whole", Decoders.whole(0, 50), "text",
        Decoders.text(),
        "texts", Decoders.list(Decoders.text()), "secret", Decoders.secret(), "plain", Decoders.plainDuration());
    Optional<Node> node = overlay("", "H_A=" + value).map(n -> ((Node.Mapping) n).get("a").orElseThrow());
    Optional<?> decoded = decoders.get(decoder).decode(node.orElseThrow(), problems);
    assertEquals(result, decoded.isPresent() ? decoded(decoded) : reported());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"'10'|true|`10` is a string, `true` or `false` is needed",
    "10|false|`10` is a number, a string is needed, put it in quotes"})
  void filesAreTakenAtTheirWord(String value, boolean flag, String message) {
    Node node = Yaml.read(SourceFile.argument("f", value.equals("10") && flag ? "'10'" : value), problems)
        .orElseThrow();
    (flag ? Decoders.flag() : Decoders.text()).decode(node, problems);
    assertEquals(message, problems.sorted().getFirst().text().replaceFirst("^f:1:\\d: ", ""));
    assertEquals(Optional.empty(),
        Decoders.plainDuration().decode(Yaml.read(new SourceFile("f", "1.5s"), problems).orElseThrow(), problems));
    assertEquals(Optional.of(Duration.ofSeconds(90)),
        Decoders.plainDuration().decode(Yaml.read(new SourceFile("f", "90s"), problems).orElseThrow(), problems));
  }

  @Test
  void unknownKeysOfVariablesAreFound() {
    Decoder<String> decoder = Decoders.object("", List.of(Key.optional("default_rule", Decoders.node(), ""),
        Key.optional("log", Decoders.node(), "")), _ -> "");
    overlay("", "H_DEFAULT_RULE_X=1 H_LGO=2").ifPresent(n -> decoder.decode(n, problems));
    assertEquals("environment H_DEFAULT_RULE_X: unknown key `default`, in variables `default_rule` has two "
        + "underscores for one; "
        + "environment H_LGO: unknown key `lgo`, did you mean `log`?", reported());
  }
}
