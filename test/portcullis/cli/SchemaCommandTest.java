package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.SnakeYamlNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** A validator of other hands reads our schemas and the files that they are of. */
class SchemaCommandTest {
  private static final Validator CONFIG = validator("config");
  private static final Validator RULES = validator("rules");
  private static final Validator INTENTS = validator("intents");

  private static Validator validator(String of) {
    Validator validator = new ValidatorFactory().withJsonNodeFactory(new SnakeYamlNode.Factory()).createValidator();
    validator.registerSchema(URI.create("urn:schema"), SchemaCommand.text(of));
    return validator;
  }

  private static List<String> errors(Validator validator, String yaml) {
    return validator.validate(URI.create("urn:schema"), yaml).getErrors().stream()
        .map(e -> e.getInstanceLocation() + " " + e.getError()).toList();
  }

  /** The schemas beside the samples, which name them in their first line for editors. */
  @ParameterizedTest
  @ValueSource(strings = {"config/portcullis.yaml", "config/demo.yaml", "rules/shop.yaml", "rules/demo.yaml",
    "config/front/portcullis.yaml", "config/front/rules.yaml"})
  void samplesNameTheirSchema(String sample) throws IOException {
    String first = Files.readAllLines(Path.of(sample)).getFirst();
    assertTrue(first.startsWith("# yaml-language-server: $schema="), first);
    Path schema = Path.of(sample).resolveSibling(first.substring(first.indexOf('=') + 1)).normalize();
    boolean isRules = !errors(CONFIG, Files.readString(Path.of(sample))).isEmpty();
    assertEquals(SchemaCommand.text(isRules ? "rules" : "config"), Files.readString(schema), schema.toString());
  }

  @Test
  void schemasOfTheRepositoryAreThoseOfTheProgram() throws IOException {
    for (String of : SchemaCommand.OF) {
      assertEquals(SchemaCommand.text(of), Files.readString(ReferencePages.SCHEMAS.resolve(of + ".schema.json")), of);
    }
  }

  static Stream<Path> configurations() throws IOException {
    return Files.list(Path.of("config")).filter(Files::isRegularFile);
  }

  static Stream<Path> ruleSets() throws IOException {
    return Files.list(Path.of("rules")).filter(file -> !file.toString().endsWith("_test.yaml"));
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void ourConfigurationsFit(Path file) throws IOException {
    assertEquals(List.of(), errors(CONFIG, Files.readString(file)));
  }

  @Test
  void intentsFit() {
    assertEquals(List.of(), errors(INTENTS, """
        roles: { admin: { attributes: { groups: [ admin ] }, authenticators: admin_token } }
        intents:
          - { id: writes, never: { public: true, methods: [ POST ] } }
          - { id: admins, always: { role: admin, paths: /admin/** } }
        exceptions: [ { id: public/form/*, reason: for everybody } ]
        """));
    assertFalse(errors(INTENTS, "intents: [ { id: writes, never: { publik: true } } ]").isEmpty());
  }

  @ParameterizedTest
  @MethodSource("ruleSets")
  void ourRuleSetsFit(Path file) throws IOException {
    assertEquals(List.of(), errors(RULES, Files.readString(file)));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "{log: {level: loud}}",
    "{serve: {prot: 80}}",
    "{serve: {port: 99999999999}}",
    "{mechanisms: {authenticators: {id: a, type: anonymous}}}",
    "{mechanisms: {authenticators: [{id: a, type: anonymos}]}}",
    "{mechanisms: {authenticators: [{type: anonymous}]}}",
    "{mechanisms: {authenticators: [{id: a, type: anonymous, config: {subjct: x}}]}}",
    "{mechanisms: {authenticators: [{id: a, type: unauthorized, config: {subject: x}}]}}",
    "{mechanisms: {authenticators: [{id: a, type: jwt}]}}",
    "{mechanisms: {authorizers: [{id: a, type: jwt}]}}",
    "{mechanisms: {contextualizers: [{id: a, type: generic, config: {endpoint: {url: 'http://a', auth: {type: "
        + "basic_auth, config: {user: a}}}}}]}}",
    "{default_rule: {on_error: []}}",
    "{default_rule: {execute: [{authenticator: a, authorizer: b}]}}",
    "{default_rule: {execute: [{authenticatr: a}]}}",
    "{providers: {file_system: {watch: true}}}",
  })
  void aWrongConfigurationDoesNotFit(String yaml) {
    assertFalse(errors(CONFIG, yaml).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "{}",
    "{version: 1alpha4, rules: []}",
    "{version: 1alpha4, rules: [{id: a}]}",
    "{version: 1alpha4, rules: [{id: a, match: {routes: [{path: /}]}, execute: []}]}",
    "{version: 1alpha4, rules: [{id: a, match: {routes: [{pth: /}]}, execute: [{authenticator: a}]}]}",
    "{version: 1alpha4, rules: [{id: a, match: {routes: [{path: /}], scheme: ftp}, execute: [{authenticator: a}]}]}",
    "{version: 1alpha4, rules: [{id: a, match: {routes: [{path: /}]}, forward_to: {}, execute: [{authenticator: "
        + "a}]}]}",
    "{version: 1alpha4, rules: [{id: a, match: {routes: [{path: /}]}, execute: [{error_handler: a}]}]}",
  })
  void aWrongRuleSetDoesNotFit(String yaml) {
    assertFalse(errors(RULES, yaml).isEmpty());
  }

  @Test
  void aRightOneDoes() {
    assertEquals(List.of(), errors(CONFIG, "{mechanisms: {authenticators: [{id: a, type: unauthorized}, {id: b, "
        + "type: '${T}'}]}}"));
    assertEquals(List.of(), errors(RULES, "{version: 1alpha4, rules: [{id: a, match: {routes: [{path: /}]}, execute: "
        + "[{authenticator: a, if: 'true'}]}]}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"config", "rules", "intents"})
  void repeatedPartsAreWrittenOnce(String of) {
    String schema = SchemaCommand.text(of);
    assertTrue(schema.contains("\"$defs\": {"), of);
    assertTrue(schema.length() < 160_000, of + " has " + schema.length() + " characters");
  }

  @Test
  void defaultsAreThoseOfTheirSections() throws Exception {
    Value schema = Json.read(SchemaCommand.text("config"));
    List<String> got = Stream.of("log.level", "log.format", "serve.port", "management.port", "profiling.port",
        "profiling.enabled", "metrics.enabled", "serve.request_id_enabled", "serve.timeout.idle").map(key -> {
          Value at = schema;
          for (String name : key.split("\\.")) {
            at = resolved(schema, member(member(at, "properties"), name));
          }
          return key + " " + JsonText.plain(member(at, "default"));
        }).toList();
    assertEquals(List.of("log.level \"error\"", "log.format \"text\"", "serve.port 4456", "management.port 4457",
        "profiling.port 10251", "profiling.enabled false", "metrics.enabled true", "serve.request_id_enabled false",
        "serve.timeout.idle \"2m\""), got);
  }

  private static Value member(Value of, String name) {
    return of instanceof Value.Dict dict ? dict.get(name).orElse(Value.NULL) : Value.NULL;
  }

  /** Returns the definition that a schema refers to, with its own members, or the schema itself. */
  private static Value resolved(Value root, Value schema) {
    return member(schema, "$ref") instanceof Value.Str(String path)
        ? member(member(root, "$defs"), path.substring(path.lastIndexOf('/') + 1))
        : schema;
  }

  @Test
  void everyTypeOfMechanismIsInTheSchema() {
    String schema = SchemaCommand.text("config");
    Stream
        .of("basic_auth", "oauth2_introspection", "remote", "www_authenticate", "oauth2_client_credentials",
            "http_message_signatures")
        .forEach(type -> assertTrue(schema.contains("\"const\": \"" + type + "\""), type));
  }
}
