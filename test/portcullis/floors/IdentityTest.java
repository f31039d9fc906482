package portcullis.floors;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two values of a type that defines equals are never compared by {@code ==}: equal ones would be taken for different.
 */
final class IdentityTest {
  @Test
  void nothingIsComparedByIdentityThatHasEquals() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (var files = Files.walk(Path.of("src"));
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
      assertEquals("", String.join("\n", found(manager.getJavaFileObjectsFromPaths(sources))));
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      String a, String b                                        | a == b         | 1
      String a, Object b                                        | a != b         | 1
      java.util.Optional<String> a, java.util.Optional<String> b | a == b        | 1
      R a, R b                                                  | a == b         | 1
      S a, S b                                                  | a == b         | 1
      Integer a, Integer b                                      | a == b         | 1
      Integer a, int b                                          | a == b         | 0
      String a, String b                                        | a == null      | 0
      Thread a, Thread b                                        | a == b         | 0
      E a, E b                                                  | a == b         | 0
      Class<?> a, Class<?> b                                    | a == b         | 0
      int[] a, int[] b                                          | a == b         | 0
      String a, String b                                        | a.equals(b)    | 0
      """)
  void findsComparisonsByIdentity(String parameters, String condition, int count) throws IOException {
    String text = "class A { record R(int x) {} sealed interface S permits T {} record T() implements S {} enum E { "
        + "X }\n"
        + "boolean f(" + parameters + ") { return " + condition + "; } }";
    assertEquals(count, found(List.of(new SimpleJavaFileObject(Path.of("A.java").toUri(), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreErrors) {
        return text;
      }
    })).size());
  }

  private static List<String> found(Iterable<? extends JavaFileObject> sources) throws IOException {
    JavacTask task = (JavacTask) ToolProvider.getSystemJavaCompiler().getTask(null, null, null,
        List.of("--release", "25", "-proc:none", "-cp", System.getProperty("java.class.path")), null, sources);
    Trees trees = Trees.instance(task);
    List<CompilationUnitTree> units = new ArrayList<>();
    task.parse().forEach(units::add);
    task.analyze();
    List<String> out = new ArrayList<>();
    units.forEach(unit -> new Comparisons(trees, unit, out).scan(unit, null));
    return out;
  }

  /** Collects the comparisons of one file. */
  private static final class Comparisons extends TreePathScanner<Void, Void> {
    private final Trees trees;
    private final CompilationUnitTree unit;
    private final List<String> out;

    Comparisons(Trees trees, CompilationUnitTree unit, List<String> out) {
      this.trees = trees;
      this.unit = unit;
      this.out = out;
    }

    @Override
    public Void visitBinary(BinaryTree node, Void nothing) {
      boolean compares = node.getKind() == Tree.Kind.EQUAL_TO || node.getKind() == Tree.Kind.NOT_EQUAL_TO;
      if (compares && isReference(node.getLeftOperand()) && isReference(node.getRightOperand())
          && (hasEquals(type(node.getLeftOperand())) || hasEquals(type(node.getRightOperand())))) {
        long line = unit.getLineMap().getLineNumber(trees.getSourcePositions().getStartPosition(unit, node));
        out.add(unit.getSourceFile().getName() + ":" + line + ": " + node);
      }
      return super.visitBinary(node, nothing);
    }

    private TypeMirror type(ExpressionTree operand) {
      return trees.getTypeMirror(new TreePath(getCurrentPath(), operand));
    }

    private boolean isReference(ExpressionTree operand) {
      return type(operand).getKind() == TypeKind.DECLARED;
    }

    private static boolean hasEquals(TypeMirror type) {
      return type instanceof DeclaredType declared && hasEquals((TypeElement) declared.asElement());
    }

    private static boolean hasEquals(TypeElement type) {
      return switch (type.getKind()) {
        case RECORD -> true;
        case ENUM -> false;
        case INTERFACE -> type.getPermittedSubclasses().stream().anyMatch(Comparisons::hasEquals);
        default -> !type.getQualifiedName().contentEquals("java.lang.Object")
            && (definesEquals(type) || hasEquals(type.getSuperclass()));
      };
    }

    private static boolean definesEquals(TypeElement type) {
      return ElementFilter.methodsIn(type.getEnclosedElements()).stream().anyMatch(Comparisons::isEquals);
    }

    private static boolean isEquals(Element method) {
      return method.getKind() == ElementKind.METHOD && method.getSimpleName().contentEquals("equals")
          && ((ExecutableElement) method).getParameters().size() == 1;
    }
  }
}
