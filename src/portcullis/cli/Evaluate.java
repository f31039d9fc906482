package portcullis.cli;

import java.util.List;
import java.util.Optional;
import portcullis.config.Node;
import portcullis.config.Yaml;
import portcullis.lang.expression.EvaluationFailure;
import portcullis.lang.expression.Expression;
import portcullis.lang.expression.Variables;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.template.RenderFailure;
import portcullis.lang.template.Template;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.policy.endpoint.TemplateVariables;

/** Tries a template or an expression out, for who writes rules. */
final class Evaluate {
  static final List<Arguments.Option> OPTIONS = List.of(new Arguments.Option("--context", "-x", "FILE",
      "YAML or JSON with Request, Subject, Values, Outputs, Payload, Error"));

  private final Console console;

  Evaluate(Console console) {
    this.console = console;
  }

  int template(Arguments arguments) throws Arguments.UsageException {
    LocatedText text = text("template", arguments);
    Problems problems = new Problems();
    Optional<Value.Dict> scope = scope(arguments, problems);
    Optional<Template> template = scope.flatMap(s -> TemplateVariables.compile(text, s, problems));
    if (template.isPresent()) {
      try {
        console.say(template.get().render(scope.get()));
      } catch (RenderFailure e) {
        problems.error(e.at(), "", bare(e), "");
      }
    }
    return report(problems);
  }

  /** Returns the message without the place, which is shown beside it. */
  private static String bare(RenderFailure failure) {
    String place = failure.at().text() + ": ";
    return failure.getMessage().startsWith(place) ? failure.getMessage().substring(place.length())
        : failure.getMessage();
  }

  int expression(Arguments arguments) throws Arguments.UsageException {
    LocatedText text = text("expression", arguments);
    Problems problems = new Problems();
    Optional<Value.Dict> scope = scope(arguments, problems);
    Optional<Expression> expression = Expression.checked(text, problems);
    if (scope.isPresent() && expression.isPresent()) {
      try {
        console.say(JsonText.plain(expression.get().evaluate(Variables.of(scope.get().members()))));
      } catch (EvaluationFailure e) {
        problems.error(text.at(0, text.text().length()), "", e.getMessage(), "");
      }
    }
    return report(problems);
  }

  private static LocatedText text(String name, Arguments arguments) throws Arguments.UsageException {
    if (arguments.rest().size() != 1) {
      throw new Arguments.UsageException("exactly one text is needed: quote the " + name + " for the shell");
    }
    return LocatedText.of(name, arguments.rest().getFirst());
  }

  /** Returns the variables in scope; empty exactly if an error was added. */
  private static Optional<Value.Dict> scope(Arguments arguments, Problems problems) {
    Optional<Node> root = arguments.value("--context").flatMap(name -> TextFile.read("context file", name, problems))
        .flatMap(file -> Yaml.read(file, problems));
    if (root.isEmpty() && !problems.hasErrors()) {
      root = Yaml.read(new SourceFile("context", "{}"), problems);
    }
    return root.flatMap(node -> EvaluationContext.decoder().decode(node, problems));
  }

  private int report(Problems problems) {
    console.show(problems);
    return problems.hasErrors() ? 1 : 0;
  }
}
