package portcullis.template;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import portcullis.value.ValueFault;

/**
 * What a template uses that a rendering prepares for.
 *
 * @param changesDicts whether it calls a function that changes a map
 * @param regexes the regular expressions that it has written out
 */
record Uses(boolean changesDicts, Map<String, Regex> regexes) {
  private static final class Finder {
    private final Map<String, Regex> regexes = new HashMap<>();
    private boolean changesDicts;

    void statements(List<Statement> statements) {
      statements.forEach(this::statement);
    }

    private void statement(Statement statement) {
      switch (statement) {
        case Statement.Text _, Statement.Break _, Statement.Continue _ -> { }
        case Statement.Action(Pipeline pipeline) -> pipeline(pipeline);
        case Statement.If(Pipeline pipeline, List<Statement> then, List<Statement> otherwise) ->
          within(pipeline, then, otherwise);
        case Statement.With(Pipeline pipeline, List<Statement> then, List<Statement> otherwise) ->
          within(pipeline, then, otherwise);
        case Statement.Range(Pipeline pipeline, List<Statement> each, List<Statement> otherwise) ->
          within(pipeline, each, otherwise);
        case Statement.Invoke invoke -> invoke.argument().forEach(this::pipeline);
      }
    }

    private void within(Pipeline pipeline, List<Statement> inner, List<Statement> otherwise) {
      pipeline(pipeline);
      statements(inner);
      statements(otherwise);
    }

    private void pipeline(Pipeline pipeline) {
      for (Pipeline.Command command : pipeline.commands()) {
        command.terms().forEach(this::term);
        regex(command.terms());
      }
    }

    private void term(Term term) {
      switch (term) {
        case Term.Name name -> changesDicts |= DictFunctions.CHANGING.contains(name.function().name());
        case Term.Group group -> pipeline(group.pipeline());
        case Term.Chain chain -> term(chain.of());
        case Term.Dot _, Term.Nil _, Term.Literal _, Term.Number _, Term.Field _, Term.Variable _ -> { }
      }
    }

    /** One that is wrong is left to the call: it may never come. */
    private void regex(List<Term> terms) {
      if (terms.size() < 2 || !(terms.getFirst() instanceof Term.Name name)
          || !RegexFunctions.ALL.containsKey(name.function().name())
          || !(terms.get(1) instanceof Term.Literal(_, Item.Text(String text)))) {
        return;
      }
      try {
        regexes.put(text, Regex.of(text));
      } catch (ValueFault _) {
        regexes.remove(text);
      }
    }
  }

  static Uses of(Collection<Definition> definitions) {
    Finder finder = new Finder();
    definitions.forEach(definition -> finder.statements(definition.statements()));
    return new Uses(finder.changesDicts, Map.copyOf(finder.regexes));
  }

  Regex regex(String text) throws ValueFault {
    Regex known = regexes.get(text);
    return known == null ? Regex.of(text) : known;
  }
}
