package portcullis.expression;

import com.google.api.expr.v1alpha1.SourceInfo;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.projectnessie.cel.checker.Checker.CheckResult;
import org.projectnessie.cel.checker.CheckerEnv;
import org.projectnessie.cel.common.CELError;
import org.projectnessie.cel.common.Errors;
import org.projectnessie.cel.common.Source;
import org.projectnessie.cel.common.containers.Container;
import org.projectnessie.cel.parser.Parser;
import portcullis.source.LocatedText;
import portcullis.source.Problems;

/**
 * Finds the types of all parts before anything is evaluated. For any thread: expressions are checked one after the other,
 * because a function is declared to the library when an expression first calls it. That is cheap; all at once are not.
 */
final class Checker {
  private static final Source SOURCE = Source.newTextSource("");

  private final Declarations declarations;
  private final CheckerEnv environment = CheckerEnv.newCheckerEnv(Container.defaultContainer, new Structs());
  private final Set<String> declared = new HashSet<>();
  private final ReentrantLock lock = new ReentrantLock();

  /** @param variables their names and types, one a line */
  Checker(String variables) {
    declarations = new Declarations(variables);
    environment.add(declarations.names());
  }

  Declarations declarations() {
    return declarations;
  }

  /** Empty exactly if a problem was added. */
  Optional<Checked> check(LocatedText text, Parsed parsed, Problems problems) {
    Faults faults = new Faults(declarations, text, parsed, problems);
    // the library's checker fails with exceptions of its own where one of these is unknown
    if (!faults.unknownCalls().isEmpty()) {
      return Optional.empty();
    }
    ProtoTree tree = new ProtoTree(parsed.places().size());
    Parser.ParseResult input = new Parser.ParseResult(tree.of(parsed.root()), new Errors(SOURCE), numbers(tree));
    CheckResult result = check(input, tree.functions());
    Checked checked = new Checked(result.getCheckedExpr());
    if (!result.hasErrors()) {
      return Optional.of(checked);
    }
    List<CELError> errors = result.getErrors().getErrors();
    errors.forEach(error -> faults.add(error.getMessage(), error.getLocation().column(), checked, tree));
    return Optional.empty();
  }

  private CheckResult check(Parser.ParseResult input, Set<String> functions) {
    lock.lock();
    try {
      functions.stream().filter(f -> declarations.isFunction(f) && declared.add(f))
          .forEach(f -> environment.add(declarations.function(f)));
      return org.projectnessie.cel.checker.Checker.Check(input, SOURCE, environment);
    } finally {
      lock.unlock();
    }
  }

  /** Every part "stands" at its own number: so the checker's errors name the part. */
  private static SourceInfo numbers(ProtoTree tree) {
    Map<Long, Integer> positions = new HashMap<>();
    for (int id = 0; id < tree.numbers(); id++) {
      positions.put((long) id, id);
    }
    return SourceInfo.newBuilder().putAllPositions(positions).build();
  }
}
