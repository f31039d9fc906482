package portcullis.template;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Finds out which members of the root a template reads; rather too many than too few. */
final class Reads {
  /** Stands for all members: the root is handed on as a whole. */
  static final String ALL = "*";

  private final Set<String> found = new TreeSet<>();

  private Reads() {}

  static Set<String> of(Collection<Definition> definitions) {
    Reads reads = new Reads();
    definitions.forEach(definition -> reads.statements(definition.statements(), true));
    return Set.copyOf(reads.found);
  }

  /** @param rooted whether dot may be the root */
  private void statements(List<Statement> statements, boolean rooted) {
    statements.forEach(statement -> statement(statement, rooted));
  }

  private void statement(Statement statement, boolean rooted) {
    switch (statement) {
      case Statement.Text _, Statement.Break _, Statement.Continue _ -> { }
      case Statement.Action(Pipeline pipeline) -> pipeline(pipeline, rooted);
      case Statement.If(Pipeline pipeline, List<Statement> then, List<Statement> otherwise) -> {
        pipeline(pipeline, rooted);
        statements(then, rooted);
        statements(otherwise, rooted);
      }
      case Statement.With(Pipeline pipeline, List<Statement> then, List<Statement> otherwise) ->
        within(pipeline, then, otherwise, rooted);
      case Statement.Range(Pipeline pipeline, List<Statement> each, List<Statement> otherwise) ->
        within(pipeline, each, otherwise, rooted);
      case Statement.Invoke invoke -> invoke.argument().stream().filter(p -> !handsOnDot(p)).forEach(p -> pipeline(p, rooted));
    }
  }

  private void within(Pipeline pipeline, List<Statement> inner, List<Statement> otherwise, boolean rooted) {
    pipeline(pipeline, rooted);
    statements(inner, false);
    statements(otherwise, rooted);
  }

  /** The body of what is invoked is looked at as if its dot were the root. */
  private static boolean handsOnDot(Pipeline pipeline) {
    List<Term> terms = pipeline.commands().getFirst().terms();
    return pipeline.slots().isEmpty() && pipeline.commands().size() == 1 && terms.size() == 1
        && (terms.getFirst() instanceof Term.Dot || isRoot(terms.getFirst()));
  }

  private static boolean isRoot(Term term) {
    return term instanceof Term.Variable v && v.slot() == Scope.ROOT && v.names().isEmpty();
  }

  private void pipeline(Pipeline pipeline, boolean rooted) {
    pipeline.commands().forEach(command -> command.terms().forEach(term -> term(term, rooted)));
  }

  private void term(Term term, boolean rooted) {
    switch (term) {
      case Term.Nil _, Term.Literal _, Term.Number _, Term.Name _ -> { }
      case Term.Dot _ -> add(ALL, rooted);
      case Term.Field field -> add(field.names().getFirst(), rooted);
      case Term.Variable v -> add(v.names().isEmpty() ? ALL : v.names().getFirst(), v.slot() == Scope.ROOT);
      case Term.Chain chain -> term(chain.of(), rooted);
      case Term.Group group -> pipeline(group.pipeline(), rooted);
    }
  }

  private void add(String name, boolean rooted) {
    if (rooted) {
      found.add(name);
    }
  }
}
