package portcullis.floors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** jlink/DirectCalls.java changes how classes are linked, and nothing that they do. */
final class DirectCallsTest {
  private static final String SOURCE = """
      import java.util.ArrayList;
      import java.util.List;
      import java.util.function.Supplier;

      public final class Sample implements Supplier<List<String>> {
        sealed interface Shape permits Circle, Square, Many {
          default String name() {
            return switch (this) {
              case Circle _ -> "circle";
              case Square(int side) when side > 9 -> "large square";
              case Square _ -> "square";
              case Many(Circle _, Object second) -> "circle and " + second;
              case Many _ -> "many";
            };
          }
        }
        record Circle() implements Shape {}
        record Square(int side) implements Shape {}
        record Many(Object first, Object second) implements Shape {}
        record Kinds(boolean a, byte b, short c, char d, int e, long f, float g, double h, int[] i, List<String> j) {}

        record Pair<A extends Comparable<A>, B>(A first, B second) {
          int order(Object other) {
            java.util.function.ToIntFunction<Object> of = value -> switch (value) {
              case Pair<?, ?>(Integer one, var _) -> one;
              case Pair<?, ?> _ -> -1;
              default -> -2;
            };
            return of.applyAsInt(other);
          }
        }
        static final class Words {
          sealed interface Named permits Colour, Pair2 {}
          enum Colour implements Named { RED, BLUE }
          record Pair2() implements Named {}
          static String of(Named value) {
            return switch (value) {
              case Colour.RED -> "red";
              case Colour.BLUE -> "blue";
              case Pair2 _ -> "pair";
            };
          }
        }

        static String kind(Object value) {
          return switch (value) {
            case null -> "none";
            case Integer i when i > 5 -> "more than five";
            case Integer _ -> "integer";
            case CharSequence s when s.length() == 0 -> "empty";
            case String s -> "text " + s;
            case int[] ints -> "integers " + ints.length;
            case List<?> list -> "list " + list.size();
            default -> "other";
          };
        }

        static String word(CharSequence value) {
          return switch (value) {
            case String s when s.equals("a") -> "first";
            case StringBuilder _ -> "builder";
            default -> "last";
          };
        }

        @Override
        public List<String> get() {
          List<String> out = new ArrayList<>();
          for (Object value : new Object[] {null, 3, 7, "", "x", new StringBuilder(), new int[2], List.of(1), 1.5}) {
            out.add(kind(value));
          }
          for (CharSequence value : new CharSequence[] {"a", "b", new StringBuilder("a")}) {
            out.add(word(value));
          }
          for (Shape shape : new Shape[] {new Circle(), new Square(10), new Square(9), new Many(new Circle(), 1),
              new Many(1, null)}) {
            out.add(shape.name() + " " + shape + " " + shape.hashCode() + " " + shape.equals(new Square(9))
                + shape.equals(shape) + shape.equals(null));
          }
          int[] same = {1};
          Kinds one = new Kinds(true, (byte) -1, (short) 2, 'c', 4, 5L << 40, -0f, Double.NaN, same, List.of("x"));
          out.add(one.equals(new Kinds(true, (byte) -1, (short) 2, 'c', 4, 5L << 40, -0f, Double.NaN, same,
              List.of("x"))) + " the same");
          out.add(one.equals(new Kinds(true, (byte) -1, (short) 2, 'c', 4, 5L << 40, 0f, Double.NaN, same,
              List.of("x"))) + " minus zero");
          out.add(one.equals(new Kinds(true, (byte) -1, (short) 2, 'c', 4, 5L << 41, -0f, Double.NaN, same,
              List.of("x"))) + " another long");
          out.add(one.equals(new Kinds(true, (byte) -1, (short) 2, 'c', 4, 5L << 40, -0f, Double.NaN, new int[] {1},
              List.of("x"))) + " another array");
          out.add(one.equals(new Kinds(false, (byte) -1, (short) 2, 'c', 4, 5L << 40, -0f, Double.NaN, same, null))
              + " null");
          Pair<Integer, String> pair = new Pair<>(4, "b");
          out.add(pair.equals(new Pair<>(4, "b")) + " " + pair.equals(new Pair<>("4", "b")) + " " + pair.hashCode()
              + " " + pair.order(pair) + pair.order(new Pair<>("a", 1)) + pair.order(1));
          out.add(Words.of(Words.Colour.BLUE) + Words.of(Words.Colour.RED) + Words.of(new Words.Pair2()));
          out.add(new Kinds(true, (byte) -1, (short) 2, 'c', 4, 5L << 40, -0f, Double.NaN, null, null).hashCode()
              + " " + one.equals("x"));
          return out;
        }
      }
      """;

  @TempDir
  private Path folder;

  @Test
  void whatIsComputedStaysTheSame() throws Exception {
    Path source = Files.writeString(folder.resolve("Sample.java"), SOURCE);
    Path classes = Files.createDirectory(folder.resolve("classes"));
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    assertEquals(0, javac.run(null, null, null, "-d", classes.toString(), source.toString()));
    Object before = computed(classes);
    assertTrue(mentions(classes, "Sample", "SwitchBootstraps"));
    assertTrue(mentions(classes, "Sample$Shape", "SwitchBootstraps"));
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    Path tool = Path.of("jlink/DirectCalls.java");
    assertEquals(0, javac.run(null, said, said, "-d", folder.toString(), tool.toString()), said.toString());
    run(classes);
    for (String replaced : List.of("Sample$Shape", "Sample$Pair")) {
      assertFalse(mentions(classes, replaced, "SwitchBootstraps"), replaced);
    }
    for (String replaced : List.of("Sample", "Sample$Kinds", "Sample$Pair")) {
      assertTrue(mentions(classes, replaced, "direct$1"), replaced);
    }
    assertTrue(mentions(classes, "Sample$Words", "SwitchBootstraps"), "strings and constants stay as they are");
    assertEquals(before, computed(classes));
  }

  private void run(Path classes) throws Exception {
    Process tool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin/java").toString(), "-cp",
        folder.toString(), "DirectCalls", classes.toString(), folder.resolve("none").toString())
        .redirectErrorStream(true).start();
    String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, tool.waitFor(), said);
  }

  private static Object computed(Path classes) throws Exception {
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
      return ((Supplier<?>) loader.loadClass("Sample").getConstructor().newInstance()).get();
    }
  }

  private static boolean mentions(Path classes, String type, String name) throws IOException {
    return Files.readString(classes.resolve(type + ".class"), StandardCharsets.ISO_8859_1).contains(name);
  }
}
