package portcullis.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Needs;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

class JsonSchemaTest {
  private static final List<String> INSTANCES = List.of(
      "{\"name\": \"x\"}", "{}", "[]", "5", "{\"name\": 5}", "{\"name\": \"x\", \"nmae\": 1}",
      "{\"name\": \"x\", \"count\": 1}", "{\"name\": \"x\", \"count\": 0}", "{\"name\": \"x\", \"count\": 10}",
      "{\"name\": \"x\", \"count\": 1.5}",
      "{\"name\": \"x\", \"count\": \"1\"}", "{\"name\": \"x\", \"most\": 9000000000}", "{\"name\": \"x\", \"most\": "
          + "-1}",
      "{\"name\": \"x\", \"time\": \"1h30m\"}", "{\"name\": \"x\", \"time\": \"1.5s\"}", "{\"name\": \"x\", "
          + "\"time\": \"5\"}",
      "{\"name\": \"x\", \"time\": \"0\"}", "{\"name\": \"x\", \"time\": \"-5s\"}", "{\"name\": \"x\", \"time\": 5}",
      "{\"name\": \"x\", \"wait\": \"5s\"}", "{\"name\": \"x\", \"wait\": \"1.5s\"}", "{\"name\": \"x\", \"wait\": "
          + "\"1h30m\"}",
      "{\"name\": \"x\", \"wait\": \"10ms\"}", "{\"name\": \"x\", \"wait\": \"5\"}", "{\"name\": \"x\", \"wait\": "
          + "\"0\"}",
      "{\"name\": \"x\", \"on\": true}", "{\"name\": \"x\", \"on\": \"true\"}",
      "{\"name\": \"x\", \"color\": \"blue\"}", "{\"name\": \"x\", \"color\": \"Blue\"}", "{\"name\": \"x\", "
          + "\"color\": []}",
      "{\"name\": \"x\", \"tags\": []}", "{\"name\": \"x\", \"tags\": [\"a\", 5]}", "{\"name\": \"x\", \"tags\": "
          + "\"a\"}",
      "{\"name\": \"x\", \"inner\": {\"path\": \"a\"}}", "{\"name\": \"x\", \"inner\": {\"path\": \" \"}}",
      "{\"name\": \"x\", \"inner\": {}}",
      "{\"name\": \"x\", \"inner\": {\"path\": \"a\", \"size\": \"4KB\"}}", "{\"name\": \"x\", \"inner\": {\"path\": "
          + "\"a\", \"size\": \"4KiB\"}}",
      "{\"name\": \"x\", \"inners\": [{\"path\": \"a\"}]}", "{\"name\": \"x\", \"inners\": []}",
      "{\"name\": \"x\", \"inners\": [{}]}",
      "{\"name\": \"x\", \"names\": {\"a\": 1}}", "{\"name\": \"x\", \"names\": {\"a\": 6}}",
      "{\"name\": \"x\", \"names\": []}",
      "{\"name\": \"x\", \"either\": \"a\"}", "{\"name\": \"x\", \"either\": {\"path\": \"a\"}}",
      "{\"name\": \"x\", \"either\": {}}", "{\"name\": \"x\", \"either\": 5}",
      "{\"name\": \"x\", \"typed\": {\"type\": \"none\"}}", "{\"name\": \"x\", \"typed\": {\"type\": \"none\", "
          + "\"config\": {}}}",
      "{\"name\": \"x\", \"typed\": {\"type\": \"none\", \"config\": {\"src\": \"a\"}}}", "{\"name\": \"x\", "
          + "\"typed\": {\"type\": \"file\"}}",
      "{\"name\": \"x\", \"typed\": {\"type\": \"file\", \"config\": {\"src\": \"a\"}}}", "{\"name\": \"x\", "
          + "\"typed\": {\"type\": \"file\", \"config\": {}}}",
      "{\"name\": \"x\", \"typed\": {\"type\": \"other\"}}", "{\"name\": \"x\", \"typed\": {}}",
      "{\"name\": \"x\", \"typed\": {\"type\": \"none\", \"src\": 1}}",
      "{\"name\": \"x\", \"any\": [1, {\"a\": null}]}", "{\"name\": \"x\", \"version\": 1}");
  private static final String VALIDATOR = """
      import json, sys
      try:
          import jsonschema
      except ImportError:
          print('there is no jsonschema'); sys.exit()
      given = json.load(sys.stdin)
      jsonschema.Draft202012Validator.check_schema(given['schema'])
      validator = jsonschema.Draft202012Validator(given['schema'])
      for instance in given['instances']:
          print(str(validator.is_valid(instance)).lower())
      """;

  private static List<String> validated(String schema, List<String> instances)
      throws IOException, InterruptedException {
    Process python;
    try {
      python = new ProcessBuilder("python3", "-W", "ignore", "-c", VALIDATOR).redirectErrorStream(true).start();
    } catch (IOException _) {
      Needs.installed(false, "python3");
      return List.of();
    }
    try (var in = python.getOutputStream()) {
      in.write(("{\"schema\": " + schema + ", \"instances\": [" + String.join(", ", instances) + "]}")
          .getBytes(StandardCharsets.UTF_8));
    }
    List<String> lines = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    assertTrue(python.waitFor(60, TimeUnit.SECONDS));
    Needs.installed(!lines.equals(List.of("there is no jsonschema")), "jsonschema, a package of Python");
    return lines;
  }

  /** Whether it is read without a warning. */
  private static boolean decodes(String instance) {
    Problems problems = new Problems();
    return Yaml.read(new SourceFile("f", instance), problems).flatMap(n -> Samples.thing().decode(n, problems))
        .isPresent() && problems.isEmpty();
  }

  @Test
  void aValidatorAgreesWithTheDecoder() throws IOException, InterruptedException {
    List<String> valid = validated(JsonSchema.of("thing", Samples.thing().shape()), INSTANCES);
    List<String> wanted = new ArrayList<>();
    INSTANCES.forEach(i -> wanted.add(i + " " + decodes(i)));
    List<String> got = new ArrayList<>();
    for (int i = 0; i < INSTANCES.size(); i++) {
      got.add(INSTANCES.get(i) + " " + (i < valid.size() ? valid.get(i) : valid));
    }
    assertEquals(String.join("\n", wanted), String.join("\n", got));
  }

  @Test
  void variablesStandForSingleValues() throws IOException, InterruptedException {
    assertEquals(List.of("true", "false"), validated(JsonSchema.of("thing", Samples.thing().shape()), List.of(
        "{\"name\": \"${A}\", \"count\": \"${B:=5}\", \"time\": \"${C}\", \"on\": \"${D}\", \"color\": \"${E}\", "
            + "\"inner\": {\"path\": \"a\", \"size\": \"${S}KB\"}}",
        "{\"name\": \"x\", \"count\": \"$B\"}")));
  }

  @Test
  void namesWhatIsWrittenAboutMembers() throws ValueException {
    String schema = JsonSchema.of("thing", Samples.thing().shape());
    Value.Dict properties = dict(dict(Json.read(schema.getBytes(StandardCharsets.UTF_8))).members().get("properties"));
    assertEquals("1h30m 0s true red [a, b] 3", List.of("time", "wait", "on", "color", "tags", "count").stream()
        .map(name -> shown(dict(properties.members().get(name)).members().get("default")))
        .collect(Collectors.joining(" ")));
    assertTrue(schema.contains("\n    \"name\": {\n      \"description\": \"the name\",\n      \"type\": "
        + "\"string\"\n    },"), schema);
  }

  private static Value.Dict dict(Value value) {
    return (Value.Dict) value;
  }

  private static String shown(Value value) {
    return switch (value) {
      case Value.Str t -> t.value();
      case Value.Bool b -> "" + b.value();
      case Value.Int i -> "" + i.value();
      case Value.Array a -> a.items().stream().map(JsonSchemaTest::shown).toList().toString();
      default -> "?";
    };
  }
}
