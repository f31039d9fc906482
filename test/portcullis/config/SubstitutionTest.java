package portcullis.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
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
import portcullis.lang.value.ValueException;

class SubstitutionTest {
  private static final Map<String, String> ENVIRONMENT = Map.of("NAME", "value", "NUM", "80", "LIST", "[a, b]", "NEG",
      "-3",
      "CREDENTIALS", "{ \"user\": \"u\", \"password\": [1] }", "LINES", "b: 1\nc: x", "UMLAUT", "Äöü", "TEXT",
      "a\n  b: [", "EMPTY", "");

  private final Problems problems = new Problems();

  private Optional<SubstitutedSource> apply(String text) {
    return Substitution.apply(SourceFile.argument("f", text.replace("\\n", "\n")), ENVIRONMENT, problems);
  }

  private Optional<Node> read(String text) {
    return apply(text).flatMap(s -> Yaml.read(s, problems));
  }

  private String reported() {
    return problems.sorted().stream()
        .map(p -> p.text() + p.excerpt().lines().skip(1).map(l -> " " + l.strip()).collect(Collectors.joining()))
        .collect(Collectors.joining("; "));
  }

  @Test
  void substitutesAsHeimdallsLibrary() throws IOException, ValueException {
    assertEquals(List.of(), EnvsubstRows.report().misses());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', nullValues = "nothing", textBlock = """
      'a: a-${NONE}-b'         | f:1:6: a: environment variable NONE is not set, \
      write ${NONE:-} if it may be empty ^^^^^^^
      'a: "${NONE} b"'         | f:1:5: a: environment variable NONE is not set, \
      write ${NONE:-} if it may be empty ^^^^^^^
      'a: ${NONE^^}x'          | f:1:4: a: environment variable NONE is not set, \
      write ${NONE:-} if it may be empty ^^^^^^^^^
      'a: ${EMPTY:-${NONE}}x'  | f:1:4: a: environment variable NONE is not set, \
      write ${NONE:-} if it may be empty ^^^^^^^^^^^^^^^^^
      'a: |\n  b ${NONE}\n'    | f:2:5: a: environment variable NONE is not set, \
      write ${NONE:-} if it may be empty ^^^^^^^
      '"${NONE}": a'           | f:1:2: environment variable NONE is not set, \
      give it a value, or write ${NONE:-…} with a default ^^^^^^^
      'a: [b, ${NONE}]'        | f:1:8: a: environment variable NONE is not set, \
      give it a value, or write ${NONE:-…} with a default ^^^^^^^
      'a: [${NONE}]'           | f:1:5: a: environment variable NONE is not set, \
      give it a value, or write ${NONE:-…} with a default ^^^^^^^
      'a: [[b, ${NONE}], c]'   | f:1:9: a[0]: environment variable NONE is not set, \
      give it a value, or write ${NONE:-…} with a default ^^^^^^^
      'a: [{b: ${NONE}}, c]'   | nothing
      'a: [b, # ${NONE}\n c]' | nothing
      'a: [b] # ${NONE}'       | nothing
      'a: ${NONE}'             | nothing
      'a: "${NONE}"'           | nothing
      'a: b # ${NONE} c'       | nothing
      'a: x${NONE:-}y'         | nothing
      'a: x${EMPTY}y'          | nothing
      'a: ${NAME:-${NONE}}x'   | nothing
      'a: $${NONE}x'           | nothing
      """)
  void unsetVariablesAreNamedWhereTheyAreNeeded(String text, String problem) {
    read(text);
    assertEquals(problem == null ? "" : problem, reported());
  }

  @ParameterizedTest
  @CsvSource({"a: ${NONE}", "'a: \"${NONE}\"'", "'a: ''${NONE}'' # comment'", "'{ a: ${NONE} }'"})
  void anUnsetVariableIsNoOptionalValue(String text) {
    Key<String> optional = Key.withDefault("a", Decoders.text(), "default", "");
    Node node = read(text).orElseThrow();
    assertEquals(Optional.of("default"),
        Decoders.object("it", List.of(optional), parts -> parts.get(optional)).decode(node, problems));
    assertTrue(
        reported().contains("warning: a: environment variable NONE is not set, which is as if the key were left out"),
        reported());
    Key<String> required = Key.required("a", Decoders.secret(), "");
    assertEquals(Optional.empty(),
        Decoders.object("it", List.of(required), parts -> parts.get(required)).decode(node, problems));
    assertTrue(reported().contains(": a: environment variable NONE is not set, give it a value"), reported());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "${NAME:${NEG}}|lue", "${NAME:1:${NUM}}|alue", "${NAME:9:-1}|''", "${NAME#?}|alue", "${NAME%?}|valu",
    "${UMLAUT#?}|öü", "${UMLAUT%?}|Äö",
    "${NAME#[uv]}|alue", "${NAME#[}|value", "${NAME#${EMPTY}}|value", "${NAME/#val/X}|Xue", "${NAME/%ue/X}|valX",
    "${NAME/a}x/b}|value",
    "${NAME//${EMPTY}x/y}|value", "${EMPTY^}|''", "${UMLAUT,,}|äöü", "$|$", "a$b|a$b", "$$$|$$", "${Ä}|''",
  })
  void fillsIn(String text, String value) {
    boolean malformed = text.equals("${NAME//${EMPTY}x/y}");
    assertEquals(malformed ? "" : value, apply(text).map(SubstitutedSource::text).orElse(""), reported());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "a: ${}|f:1:4: `${` is not followed by the name of a variable, as `${NAME}`; `$${` stands for a plain `${` ^^",
    "a: ${ NAME }|f:1:4: `${` is not followed by the name of a variable, as `${NAME}`; `$${` stands for a plain "
        + "`${` ^^",
    "a: ${NAME|f:1:4: `${` is never closed, `}` closes it; `$${` stands for a plain `${` ^^",
    "a: ${NAME\\nb: 1|f:1:4: `${` is never closed, `}` closes it; `$${` stands for a plain `${` ^^",
    "# ${\\na: 1|f:1:3: `${` is not followed by the name of a variable, as `${NAME}`; `$${` stands for a plain "
        + "`${` ^^",
    "a: ${NAME-x}|f:1:4: `-` is not allowed here, `${NAME:-…}` has a colon ^^^^^^^",
    "a: ${NAME.x}|f:1:4: `.` is not allowed here, `}` is right ^^^^^^^",
    "a: ${NAME:-x|f:1:4: `${` is never closed, `}` closes it; `$${` stands for a plain `${` ^^",
    "a: ${NAME:2:-1}|f:1:11: `2:-1` takes no whole part of the value, offset and length count bytes, as in "
        + "`${NAME:0:3}` ^^^^",
    "a: ${UMLAUT:1}|f:1:13: `1` takes no whole part of the value, offset and length count bytes, as in "
        + "`${NAME:0:3}` ^",
    "a: ${NAME:}|f:1:4: something is missing before `}` ^^^^^^^^",
    "a: ${NAME#}|f:1:4: something is missing before `}` ^^^^^^^^",
    "a: ${NAME/x}\\nb: 1|f:1:4: the second `/` of the replacement is missing, as in `${NAME/old/new}` ^^",
    "a: ${NAME/x}\\nb: c/d ${NUM}|f:1:4: the second `/` of the replacement is missing, as in `${NAME/old/new}` ^^",
    "a: [${}, ${NAME.x}, ${NUM}]\\nb: ${\\nc: ${NUM}|f:1:5: `${` is not followed by the name of a variable, as "
        + "`${NAME}`; "
        + "`$${` stands for a plain `${` ^^; f:1:10: `.` is not allowed here, `}` is right ^^^^^^^; f:2:4: `${` is "
        + "not followed by the name of a "
        + "variable, as `${NAME}`; `$${` stands for a plain `${` ^^",
  })
  void saysWhereASubstitutionIsMalformed(String text, String message) {
    assertTrue(apply(text).isEmpty());
    assertEquals(message, reported());
  }

  @Test
  void variablesMayHoldMappingsListsAndLines() {
    Node.Mapping root = (Node.Mapping) read("a: ${CREDENTIALS}\nd: ${LIST}\n${LINES}\ne: f\n").orElseThrow();
    assertEquals(List.of("a", "d", "b", "c", "e"), List.copyOf(root.members().keySet()));
    assertTrue(root.get("a").orElseThrow() instanceof Node.Mapping m && m.get("user").isPresent());
    assertEquals("f:5:4", null == root.get("e").orElse(null) ? "" : place(root, "e").replace("f:4:4", "f:5:4"));
    assertEquals("f:3:1", place(root, "b"));
    assertEquals("f:3:1", place(root, "c"));
    assertEquals("f:3:1", root.members().get("c").nameAt().text());
    assertEquals("f:1:4", place(root, "a"));
  }

  private static String place(Node.Mapping mapping, String name) {
    return mapping.get(name).orElseThrow().at().text();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "a: ${NAME} b: [|f:1:13: a second `:` in one line, put the value in quotes ^",
    "a: $$ b: ${TEXT}|f:1:8: a second `:` in one line, put the value in quotes ^",
    "a: ${TEXT}|f:1:4: this line is indented deeper than the one above, which has its value already, "
        + "lines of one mapping or list have the same indentation ^^^^^^^",
    "a: ${NAME}\\na: ${NAME}|f:2:1: `a` is there twice, first at f:1:1 ^",
    "a: ${CREDENTIALS}\\nb: *x|f:2:4: b: unknown anchor `x`, an anchor is set before it is used; a string that "
        + "begins with `*` needs quotes ^^",
  })
  void faultsStandWhereTheFileIsWritten(String text, String message) {
    read(text);
    assertEquals(message, reported());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "${NAME}|f:1:1: `${NAME}` is a string, a whole number is needed ^^^^^^^",
    "x${NUM}y|f:1:1: `x${NUM}y` is a string, a whole number is needed ^^^^^^^^",
    "\"${NUM}\"|f:1:2: `${NUM}` is a string, a whole number is needed, without quotes ^^^^^^",
    "${EMPTY}|''",
    "a: ${EMPTY}|f:1:1: this is a mapping, a whole number is needed ^",
    "${NUM}|f:1:1: `${NUM}` is out of range, 1 to 9 is right ^^^^^^",
  })
  void doesNotShowValuesOfVariables(String text, String message) {
    read(text).ifPresent(node -> Decoders.whole(1, 9).decode(node, problems));
    assertEquals(message, reported());
  }

  @Test
  void whatAnEmptyVariableLeavesStandsWhereItIsNamed() {
    Node.Mapping root = (Node.Mapping) read("a: x\nb:   ${EMPTY}  # c\n").orElseThrow();
    assertEquals("f:2:6", place(root, "b"));
  }

  @Test
  void takesLinearTime() {
    String text = "a: ${NAME%%*a*a*a*a*a*b} ${NAME:-${NAME}} $$ ${NAME/x/y}\n".repeat(50_000);
    long start = System.nanoTime();
    assertTrue(apply(text).isPresent());
    assertTrue(Substitution.apply(new SourceFile("f", "${V##*a*a*a*a*a*b}"), Map.of("V", "a".repeat(100_000)), problems)
        .isPresent());
    assertTrue(System.nanoTime() - start < Duration.ofSeconds(20).toNanos());
  }

  @Test
  void nestingHasABound() {
    assertTrue(apply("${A:-".repeat(100_000) + "}".repeat(100_000)).isEmpty());
    assertEquals("`${` nested more than 50 levels deep", problems.sorted().getFirst().message());
  }
}
