package portcullis.mutation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tool that changes lines, on a class of its own. */
class MutationTest {
  private static final Path FILE = Path.of("portcullis/mutation/Gate.java");
  private static final List<String> TESTS = List.of(GateCheck.class.getName());

  @TempDir
  Path folder;
  private String source;

  @BeforeEach
  void read() throws IOException {
    source = Files.readString(Path.of("test").resolve(FILE));
  }

  private Mutation change(String what) throws IOException {
    List<Mutation> all = Mutator.of(FILE, source);
    return all.stream().filter(mutation -> mutation.what().equals(what)).findFirst()
        .orElseThrow(() -> new AssertionError(all.toString()));
  }

  @Test
  void changesAreFoundInTheirLine() throws IOException {
    Mutation greater = change("`>=` became `>`");
    assertEquals("return age >= 18;", greater.original(source));
    assertEquals(greater.line(), greater.lastLine(source));
    assertEquals(source.replace(">=", ">"), greater.applied(source));
    for (String what : List.of("`>=` became `<`", "`18` became `(18 + 1)`", "`age >= 18` became `true`",
        "`age >= 18` became `false`", "`7` became `(7 + 1)`")) {
      assertTrue(change(what).line() > 0);
    }
  }

  @Test
  void capacitiesAndHashesStayAsTheyAre() throws IOException {
    String other = """
        class A {
          private static final long serialVersionUID = 1;
          int size = new java.util.ArrayList<>(List.of(1)).size();
          StringBuilder text = new StringBuilder(16 + 1).append(new ArrayList<>(all.size()));
          public int hashCode() { return 31; }
          enum B { C, D() }
          public String toString() { return "a" + 2; }
          Map<String, String> map = LinkedHashMap.newLinkedHashMap(all.size() + 1), b = new LinkedHashMap<>(8, 1, true);
          A(String text) { super(text, null, false, false); }
        }
        """;
    assertEquals(List.of("3: `.of(1)` became ``", "3: `.size()` became ``", "3: `1` became `(1 + 1)`",
        "4: `.append(new ArrayList<>(all.size()))` became ``", "8: `1` became `(1 + 1)`", "8: `true` became `false`",
        "9: `super(text, null, false, false);` became `;`"),
        Mutator.of(FILE, other).stream().map(mutation -> mutation.line() + ": " + mutation.what()).sorted().toList());
  }

  private Optional<String> noticed(String what) throws IOException, InterruptedException {
    String jars = Arrays.stream(System.getProperty("java.class.path").split(":"))
        .filter(path -> path.endsWith(".jar")).collect(Collectors.joining(":"));
    Mutation mutation = change(what);
    try (Trial trial = new Trial(folder, jars)) {
      assertTrue(trial.compiles(mutation, source));
      return trial.notices(TESTS, _ -> 1000);
    }
  }

  @Test
  void changeThatATestSeesIsNoticed() throws Exception {
    assertEquals(Optional.of("portcullis.mutation.GateCheck#opensFromEighteenOn"), noticed("`>=` became `>`"));
  }

  @Test
  void changeThatNoTestSeesIsNotNoticed() throws Exception {
    assertEquals(Optional.empty(), noticed("`7` became `(7 + 1)`"));
  }

  @Test
  void changeThatDoesNotCompileIsNone() throws IOException {
    try (Trial trial = new Trial(folder, System.getProperty("java.class.path"))) {
      assertFalse(trial.compiles(change("`age >= 18` became `java.util.List.of()`"), source));
    }
  }

  @Test
  void whoHasCopiedAConstantIsCompiledWithIt() throws IOException {
    String constants = """
        class A {
          static final int SHARED = 1;
          private static final int OWN = 2;
        }
        """;
    Path file = Path.of("A.java");
    Files.writeString(folder.resolve(file), constants);
    Files.writeString(folder.resolve("B.java"), "class B { int b = A.SHARED; }");
    Files.writeString(folder.resolve("C.java"), "class C { int c = A.SHARED_TOO + AA.SHARED; }");
    List<Mutation> all = Mutator.of(file, constants);
    assertEquals(List.of(Path.of("B.java")), Program.readers(folder, all.getFirst(), constants));
    assertEquals(List.of(), Program.readers(folder, all.getLast(), constants));
  }

  @Test
  void reviewedChangesAreKnownByTheirLine() throws IOException {
    Reviewed reviewed = Reviewed.parse("""
        # a remark
        portcullis/mutation/Gate.java: `7` became `(7 + 1)`
        return 7;
        Nobody reads it.
        """);
    assertEquals(Optional.of("Nobody reads it."), reviewed.reason(change("`7` became `(7 + 1)`"), source));
    assertEquals(Optional.empty(), reviewed.reason(change("`>=` became `>`"), source));
    Reviewed lines = Reviewed.parse("portcullis/mutation/Gate.java: every change\nreturn 7;\nNobody reads it.\n");
    assertEquals(Optional.of("Nobody reads it."), lines.reason(change("`7` became `(7 + 1)`"), source));
    assertEquals(Optional.empty(), lines.reason(change("`>=` became `>`"), source));
  }

  @Test
  void reviewedChangesThatMatchNoLineAreRefused() throws IOException {
    String entry = "portcullis/mutation/Gate.java: `7` became `(7 + 1)`\nreturn 7;\nNobody reads it.\n";
    Reviewed.parse(entry).check(Path.of("test"));
    for (String other : List.of(entry.replace("Gate", "Gone"), entry.replace('7', '8'), entry.replace("`7`", "`8`"))) {
      String message = assertThrows(IllegalArgumentException.class,
          () -> Reviewed.parse(other).check(Path.of("test"))).getMessage();
      assertTrue(message.endsWith(other.lines().limit(2).collect(Collectors.joining("\n"))), message);
    }
  }
}
