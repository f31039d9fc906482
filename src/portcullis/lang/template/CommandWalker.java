package portcullis.lang.template;

import java.util.Collection;
import java.util.List;

/** Visits all commands of a template, including those in parentheses. */
final class CommandWalker {
  /** Visits commands. */
  interface Visitor {
    /** @param rooted whether dot may be the root there */
    void command(Pipeline.Command command, boolean rooted);

    /** Returns whether the commands of an argument of {@code template} are visited. */
    default boolean enters(Pipeline argument) {
      return true;
    }
  }

  private final Visitor visitor;

  private CommandWalker(Visitor visitor) {
    this.visitor = visitor;
  }

  static void through(Collection<Definition> definitions, Visitor visitor) {
    CommandWalker walk = new CommandWalker(visitor);
    definitions.forEach(definition -> walk.statements(definition.statements(), true));
  }

  private void statements(List<Statement> statements, boolean rooted) {
    statements.forEach(statement -> statement(statement, rooted));
  }

  private void statement(Statement statement, boolean rooted) {
    switch (statement) {
      case Statement.Text _, Statement.Break _, Statement.Continue _ -> {
      }
      case Statement.Action(Pipeline pipeline) -> pipeline(pipeline, rooted);
      case Statement.If choice -> branches(choice.pipeline(), choice.then(), rooted, choice.otherwise(), rooted);
      case Statement.With with -> branches(with.pipeline(), with.then(), false, with.otherwise(), rooted);
      case Statement.Range range -> branches(range.pipeline(), range.each(), false, range.otherwise(), rooted);
      case Statement.Invoke invoke ->
        invoke.argument().stream().filter(visitor::enters).forEach(p -> pipeline(p, rooted));
    }
  }

  private void branches(Pipeline pipeline, List<Statement> inner, boolean innerRooted, List<Statement> otherwise,
      boolean rooted) {
    pipeline(pipeline, rooted);
    statements(inner, innerRooted);
    statements(otherwise, rooted);
  }

  private void pipeline(Pipeline pipeline, boolean rooted) {
    for (Pipeline.Command command : pipeline.commands()) {
      visitor.command(command, rooted);
      command.terms().forEach(term -> group(term, rooted));
    }
  }

  private void group(Term term, boolean rooted) {
    switch (term) {
      case Term.Group group -> pipeline(group.pipeline(), rooted);
      case Term.Chain chain -> group(chain.of(), rooted);
      case Term.Dot _, Term.Nil _, Term.Literal _, Term.Number _, Term.Field _, Term.Variable _, Term.Name _ -> {
      }
    }
  }
}
