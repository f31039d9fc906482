package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.ChangedProgram;

/** A new key of {@code serve} is two edits, its declaration and its use: here one is added to the program. */
final class AddedKeyTest {
  private static final String NEXT = "  public static final Key<Boolean> STRIP_METHOD_OVERRIDES";
  private static final String DECLARATION = "  public static final Key<Integer> FLOOR = main(Key.withDefault("
      + "\"floor\", Decoders.number(0, 9), 4, \"where the server stands\"));\n";
  private static final String PLACE = ""
      + "    Catalogue catalogue = Catalogue.read(settings.mechanisms(), context, problems);\n";
  private static final String USE = "    problems.warning(portcullis.lang.source.Origin.BUILT_IN, \"\", \"floor \" + "
      + "settings.main().get(portcullis.serve.service.ListenerSettings.FLOOR), \"\");\n";

  @TempDir
  private Path folder;

  @Test
  void aKeyIsItsDeclarationAndItsUse() throws Exception {
    ChangedProgram program = new ChangedProgram(folder).edit("serve/service/ListenerSettings.java", NEXT,
        DECLARATION + NEXT).edit("serve/runtime/ConfigurationPlan.java", PLACE, PLACE + USE).compile();
    assertTrue(validated(program, "serve: {floor: 7}", 0).contains("floor 7"));
    assertTrue(validated(program, "serve: {port: 4000}", 0).contains("floor 4"));
    assertTrue(validated(program, "log: {level: info}", 0).contains("floor 4"));
    assertTrue(validated(program, "serve: {floor: 10}", 1).contains("serve.floor: "));
    assertTrue(validated(program, "management: {floor: 7}", 1).contains("floor"));
    assertTrue(program.run("schema", "config").output().contains("where the server stands"));
  }

  private String validated(ChangedProgram program, String yaml, int status) throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("config.yaml"), yaml);
    ChangedProgram.Run run = program.run("validate", "config", "--insecure", "-c", file.toString());
    assertEquals(status, run.status(), run.output());
    return run.output();
  }
}
