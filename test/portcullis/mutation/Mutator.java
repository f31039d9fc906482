package portcullis.mutation;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.ThrowTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Finds what can be changed in a source file: operators, conditions, literals, results, statements, calls in a chain
 * and arguments. Types are not looked at, so some changes do not compile.
 *
 * <p>Left as they are, as a change of them is none of what the program does: annotations, imports, strings that are
 * sentences, {@code serialVersionUID}, the methods {@code toString} and {@code hashCode} (every number is a valid hash
 * of an object), and the capacity with which a collection or a buffer that grows begins.
 */
final class Mutator extends TreeScanner<Void, Void> {
  private static final JavaCompiler JAVAC = ToolProvider.getSystemJavaCompiler();
  private static final Map<Tree.Kind, List<String>> OPERATORS = Map.ofEntries(
      Map.entry(Tree.Kind.CONDITIONAL_AND, List.of("&&", "||")),
      Map.entry(Tree.Kind.CONDITIONAL_OR, List.of("||", "&&")),
      Map.entry(Tree.Kind.EQUAL_TO, List.of("==", "!=")), Map.entry(Tree.Kind.NOT_EQUAL_TO, List.of("!=", "==")),
      Map.entry(Tree.Kind.LESS_THAN, List.of("<", "<=", ">")),
      Map.entry(Tree.Kind.LESS_THAN_EQUAL, List.of("<=", "<", ">")),
      Map.entry(Tree.Kind.GREATER_THAN, List.of(">", ">=", "<")),
      Map.entry(Tree.Kind.GREATER_THAN_EQUAL, List.of(">=", ">", "<")),
      Map.entry(Tree.Kind.PLUS, List.of("+", "-")), Map.entry(Tree.Kind.MINUS, List.of("-", "+")),
      Map.entry(Tree.Kind.MULTIPLY, List.of("*", "/")), Map.entry(Tree.Kind.DIVIDE, List.of("/", "*")),
      Map.entry(Tree.Kind.AND, List.of("&", "|")), Map.entry(Tree.Kind.OR, List.of("|", "&")),
      Map.entry(Tree.Kind.LEFT_SHIFT, List.of("<<", ">>")), Map.entry(Tree.Kind.RIGHT_SHIFT, List.of(">>", "<<")));

  private static final Set<String> UNCHANGED = Set.of("toString", "hashCode");
  private static final Set<String> GROWING = Set.of("ArrayList", "ArrayDeque", "HashMap", "LinkedHashMap", "HashSet",
      "LinkedHashSet", "StringBuilder", "ByteArrayOutputStream");
  private static final Set<String> SIZES = Set.of("size", "length");

  private final Path file;
  private final String source;
  private final CompilationUnitTree unit;
  private final SourcePositions positions;
  private final List<Mutation> found = new ArrayList<>();

  private Mutator(Path file, String source, CompilationUnitTree unit, SourcePositions positions) {
    this.file = file;
    this.source = source;
    this.unit = unit;
    this.positions = positions;
  }

  /** A source file in memory, for the compiler. */
  static JavaFileObject inMemory(Path file, String source) {
    return new SimpleJavaFileObject(URI.create("string:///" + file), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean lenient) {
        return source;
      }
    };
  }

  static List<Mutation> of(Path file, String source) throws IOException {
    JavacTask task = (JavacTask) JAVAC.getTask(null, null, null, List.of("-proc:none"), null,
        List.of(inMemory(file, source)));
    CompilationUnitTree unit = task.parse().iterator().next();
    Mutator mutator = new Mutator(file, source, unit, Trees.instance(task).getSourcePositions());
    mutator.scan(unit, null);
    return mutator.found;
  }

  private int start(Tree tree) {
    return (int) positions.getStartPosition(unit, tree);
  }

  private int end(Tree tree) {
    return (int) positions.getEndPosition(unit, tree);
  }

  private void change(int start, int end, String replacement) {
    String before = source.substring(start, end);
    if (!before.equals(replacement) && !before.equals(replacement.replace("java.util.", ""))) {
      int line = (int) unit.getLineMap().getLineNumber(start);
      found.add(new Mutation(file, line, start, end, replacement,
          "`" + before.replaceAll("\\s+", " ") + "` became `" + replacement + "`"));
    }
  }

  private void change(Tree tree, String replacement) {
    change(start(tree), end(tree), replacement);
  }

  private String text(Tree tree) {
    return source.substring(start(tree), end(tree));
  }

  @Override
  public Void visitAnnotation(AnnotationTree tree, Void unused) {
    return null;
  }

  @Override
  public Void visitImport(ImportTree tree, Void unused) {
    return null;
  }

  @Override
  public Void visitPackage(PackageTree tree, Void unused) {
    return null;
  }

  @Override
  public Void visitMethod(MethodTree tree, Void unused) {
    return tree.getParameters().isEmpty() && UNCHANGED.contains(tree.getName().toString()) ? null
        : super.visitMethod(tree, unused);
  }

  @Override
  public Void visitVariable(VariableTree tree, Void unused) {
    return tree.getName().contentEquals("serialVersionUID") ? null : super.visitVariable(tree, unused);
  }

  @Override
  public Void visitNewClass(NewClassTree tree, Void unused) {
    String name = tree.getIdentifier().toString().replaceFirst("<.*", ""); // that of an enum constant has no place
    List<? extends ExpressionTree> arguments = tree.getArguments();
    if (GROWING.contains(name) && !arguments.isEmpty() && isNumber(arguments.getFirst())) {
      scan(arguments.subList(1, arguments.size()), unused);
      return scan(tree.getClassBody(), unused);
    }
    return super.visitNewClass(tree, unused);
  }

  /** Whether an expression is a number by its form: a literal, a sum, a length or a size. */
  private static boolean isNumber(ExpressionTree tree) {
    return switch (tree) {
      case LiteralTree literal -> literal.getValue() instanceof Integer;
      case BinaryTree _ -> !isText(tree);
      case MemberSelectTree select -> select.getIdentifier().contentEquals("length");
      case MethodInvocationTree call -> call.getMethodSelect() instanceof MemberSelectTree select
          && SIZES.contains(select.getIdentifier().toString());
      default -> false;
    };
  }

  @Override
  public Void visitBinary(BinaryTree tree, Void unused) {
    List<String> operators = OPERATORS.getOrDefault(tree.getKind(), List.of());
    int after = end(tree.getLeftOperand());
    int before = start(tree.getRightOperand());
    if (!operators.isEmpty() && !isText(tree)) {
      int at = source.substring(after, before).indexOf(operators.getFirst());
      for (String other : operators.subList(1, operators.size())) {
        change(after + at, after + at + operators.getFirst().length(), other);
      }
    }
    if (tree.getKind() == Tree.Kind.CONDITIONAL_AND || tree.getKind() == Tree.Kind.CONDITIONAL_OR) {
      change(start(tree), before, "");
      change(after, end(tree), "");
    }
    return super.visitBinary(tree, unused);
  }

  private static boolean isText(Tree tree) {
    return tree instanceof LiteralTree literal && literal.getValue() instanceof String
        || tree instanceof BinaryTree sum && (isText(sum.getLeftOperand()) || isText(sum.getRightOperand()));
  }

  @Override
  public Void visitUnary(UnaryTree tree, Void unused) {
    switch (tree.getKind()) {
      case LOGICAL_COMPLEMENT -> change(tree, text(tree.getExpression()));
      case POSTFIX_INCREMENT -> change(tree, text(tree.getExpression()) + "--");
      case POSTFIX_DECREMENT -> change(tree, text(tree.getExpression()) + "++");
      default -> {
      }
    }
    return super.visitUnary(tree, unused);
  }

  private void decided(ExpressionTree condition) {
    ExpressionTree inner = condition instanceof ParenthesizedTree parens ? parens.getExpression() : condition;
    change(inner, "true");
    change(inner, "false");
    if (!(inner instanceof BinaryTree) && !(inner instanceof UnaryTree)) {
      change(inner, "!(" + text(inner) + ")");
    }
  }

  @Override
  public Void visitIf(IfTree tree, Void unused) {
    decided(tree.getCondition());
    return super.visitIf(tree, unused);
  }

  @Override
  public Void visitWhileLoop(WhileLoopTree tree, Void unused) {
    decided(tree.getCondition());
    return super.visitWhileLoop(tree, unused);
  }

  @Override
  public Void visitConditionalExpression(ConditionalExpressionTree tree, Void unused) {
    decided(tree.getCondition());
    return super.visitConditionalExpression(tree, unused);
  }

  @Override
  public Void visitLambdaExpression(LambdaExpressionTree tree, Void unused) {
    if (tree.getBodyKind() == LambdaExpressionTree.BodyKind.EXPRESSION) {
      change(tree.getBody(), "true");
      change(tree.getBody(), "false");
    }
    return super.visitLambdaExpression(tree, unused);
  }

  @Override
  public Void visitLiteral(LiteralTree tree, Void unused) {
    switch (tree.getValue()) {
      case Integer _, Long _ -> change(tree, "(" + text(tree) + " + 1)");
      case Boolean value -> change(tree, value ? "false" : "true");
      case Character _ -> change(tree, "'\\u0001'");
      case String value when !value.contains(" ") && !value.isEmpty() -> change(tree, "\"mutated\"");
      case null, default -> {
      }
    }
    return null;
  }

  @Override
  public Void visitReturn(ReturnTree tree, Void unused) {
    if (tree.getExpression() != null && !(tree.getExpression() instanceof LiteralTree)) {
      for (String result : List.of("true", "false", "java.util.Optional.empty()", "java.util.List.of()", "\"\"", "0")) {
        change(tree.getExpression(), result);
      }
    }
    return super.visitReturn(tree, unused);
  }

  @Override
  public Void visitThrow(ThrowTree tree, Void unused) {
    change(tree, ";");
    return null;
  }

  @Override
  public Void visitExpressionStatement(ExpressionStatementTree tree, Void unused) {
    change(tree, ";");
    return super.visitExpressionStatement(tree, unused);
  }

  @Override
  public Void visitMethodInvocation(MethodInvocationTree tree, Void unused) {
    if (hasCapacity(tree) || isWithoutStackTrace(tree)) {
      return null;
    }
    if (tree.getMethodSelect() instanceof MemberSelectTree select) {
      int dot = source.indexOf('.', end(select.getExpression()));
      change(dot, end(tree), "");
    }
    List<? extends ExpressionTree> arguments = tree.getArguments();
    for (int i = 0; i < arguments.size() && arguments.size() > 1; i++) {
      int from = i == 0 ? start(arguments.getFirst()) : end(arguments.get(i - 1));
      int to = i == 0 ? start(arguments.get(1)) : end(arguments.get(i));
      change(from, to, "");
    }
    return super.visitMethodInvocation(tree, unused);
  }

  /** Whether a call makes a collection of a capacity: {@code HashMap.newHashMap(7)}. */
  private static boolean hasCapacity(MethodInvocationTree tree) {
    return tree.getMethodSelect() instanceof MemberSelectTree select && tree.getArguments().size() == 1
        && GROWING.stream().anyMatch(name -> select.getIdentifier().contentEquals("new" + name));
  }

  /** Whether a call makes an exception without stack trace: {@code super(message, cause, false, false)}. */
  private boolean isWithoutStackTrace(MethodInvocationTree tree) {
    List<String> arguments = tree.getArguments().stream().map(this::text).toList();
    return tree.getMethodSelect().toString().equals("super") && arguments.size() == 4
        && arguments.subList(2, 4).equals(List.of("false", "false"));
  }

  @Override
  public Void visitClass(ClassTree tree, Void unused) {
    scan(tree.getMembers(), unused);
    return null;
  }
}
