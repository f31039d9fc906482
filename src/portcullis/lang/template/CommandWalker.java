package portcullis.lang.template;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** Visits all commands of a template, including those in parentheses. */
final class CommandWalker {
  private final Consumer<Pipeline.Command> visitor;

  private CommandWalker(Consumer<Pipeline.Command> visitor) {
    this.visitor = visitor;
  }

  static void visit(Collection<Definition> definitions, Consumer<Pipeline.Command> visitor) {
    CommandWalker walk = new CommandWalker(visitor);
    definitions.forEach(definition -> walk.statements(definition.statements()));
  }

  private void statements(List<Statement> statements) {
    statements.forEach(this::statement);
  }

  private void statement(Statement statement) {
    switch (statement) {
      case Statement.Text _, Statement.Break _, Statement.Continue _ -> {
      }
      case Statement.Action(Pipeline pipeline) -> pipeline(pipeline);
      case Statement.If choice -> branches(choice.pipeline(), choice.then(), choice.otherwise());
      case Statement.With with -> branches(with.pipeline(), with.then(), with.otherwise());
      case Statement.Range range -> branches(range.pipeline(), range.each(), range.otherwise());
      case Statement.Invoke invoke -> invoke.argument().forEach(this::pipeline);
    }
  }

  private void branches(Pipeline pipeline, List<Statement> inner, List<Statement> otherwise) {
    pipeline(pipeline);
    statements(inner);
    statements(otherwise);
  }

  private void pipeline(Pipeline pipeline) {
    for (Pipeline.Command command : pipeline.commands()) {
      visitor.accept(command);
      command.terms().forEach(this::group);
    }
  }

  private void group(Term term) {
    switch (term) {
      case Term.Group group -> pipeline(group.pipeline());
      case Term.Chain chain -> group(chain.of());
      case Term.Dot _, Term.Nil _, Term.Literal _, Term.Number _, Term.Field _, Term.Variable _, Term.Name _ -> {
      }
    }
  }
}
