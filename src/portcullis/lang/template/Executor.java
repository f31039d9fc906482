package portcullis.lang.template;

import java.util.List;
import portcullis.lang.value.ValueException;

/** Runs the statements of one definition; for one thread. */
final class Executor {
  /** The way in which a list of statements ended. */
  private enum Flow {
    ON, BREAK, CONTINUE
  }

  private final Rendering rendering;
  private final Definition definition;
  private final Item argument;
  private final Item[] variables;
  private final Evaluator evaluator;
  private final Printer printer;

  Executor(Rendering rendering, Definition definition, Item argument) {
    this.rendering = rendering;
    this.definition = definition;
    this.argument = argument;
    this.variables = new Item[definition.slots()];
    this.variables[Scope.ROOT] = argument;
    this.evaluator = new Evaluator(rendering, variables);
    this.printer = new Printer(rendering.output());
  }

  void run() throws RenderFailure {
    run(definition.statements(), argument);
  }

  private Flow run(List<Statement> statements, Item dot) throws RenderFailure {
    for (int i = 0; i < statements.size(); i++) {
      Flow flow = run(statements.get(i), dot);
      if (flow != Flow.ON) {
        return flow;
      }
    }
    return Flow.ON;
  }

  private Flow run(Statement statement, Item dot) throws RenderFailure {
    return switch (statement) {
      case Statement.Text(String text) -> write(text);
      case Statement.Action(Pipeline pipeline) -> action(pipeline, dot);
      case Statement.If choice -> inside(choice.pipeline(), Truth.of(evaluator.value(choice.pipeline(), dot))
          ? choice.then()
          : choice.otherwise(), dot);
      case Statement.With with -> with(with, dot);
      case Statement.Range range -> range(range, dot);
      case Statement.Invoke invoke -> invoke(invoke, dot);
      case Statement.Break _ -> Flow.BREAK;
      case Statement.Continue _ -> Flow.CONTINUE;
    };
  }

  private Flow inside(Pipeline pipeline, List<Statement> statements, Item dot) throws RenderFailure {
    rendering.enter(pipeline.at());
    Flow flow = run(statements, dot);
    rendering.leave();
    return flow;
  }

  private Flow write(String text) throws RenderFailure {
    try {
      rendering.output().add(text);
      return Flow.ON;
    } catch (ValueException e) {
      throw rendering.failure(new Span(0, 1), e.getMessage());
    }
  }

  private Flow action(Pipeline pipeline, Item dot) throws RenderFailure {
    Item value = evaluator.value(pipeline, dot);
    if (!pipeline.slots().isEmpty()) {
      return Flow.ON;
    }
    int from = rendering.output().length();
    try {
      if (value instanceof Item.Text(String text)) {
        rendering.output().add(text);
      } else {
        printer.printAction(value);
      }
    } catch (ValueException e) {
      throw rendering.failure(pipeline.at(), e.getMessage());
    }
    rendering.checkPrinted(pipeline, from);
    return Flow.ON;
  }

  private Flow with(Statement.With with, Item dot) throws RenderFailure {
    Item value = evaluator.value(with.pipeline(), dot);
    return Truth.of(value) ? inside(with.pipeline(), with.then(), value)
        : inside(with.pipeline(), with.otherwise(), dot);
  }

  private Flow invoke(Statement.Invoke invoke, Item dot) throws RenderFailure {
    Item given = invoke.argument().isEmpty() ? Item.ABSENT : evaluator.value(invoke.argument().getFirst(), dot);
    rendering.enter(invoke.at());
    rendering.invoke(invoke.name(), given, invoke.at());
    rendering.leave();
    return Flow.ON;
  }

  private Flow range(Statement.Range range, Item dot) throws RenderFailure {
    Item value = evaluator.value(range.pipeline(), dot);
    rendering.enter(range.pipeline().at());
    Flow flow = switch (value) {
      case Item.Sequence(_, List<Item> items, _) -> overList(range, items, dot);
      case Dict dict -> overDict(range, dict, dot);
      case Item.Host host when host.object().entries().isPresent() ->
        overDict(range, Dict.of(host.object().entries().get(), rendering.items()), dot);
      case Item.Whole whole -> overNumbers(range, whole, dot);
      case Item.Absent _, Item.Nil _ -> run(range.otherwise(), dot);
      default -> throw rendering.failure(range.pipeline().at(), "range cannot go over " + Types.name(value));
    };
    rendering.leave();
    return flow;
  }

  private Flow overList(Statement.Range range, List<Item> items, Item dot) throws RenderFailure {
    if (items.isEmpty()) {
      return run(range.otherwise(), dot);
    }
    for (int i = 0; i < items.size(); i++) {
      if (!goesOn(range, Item.ofInt(i), items.get(i))) {
        break;
      }
    }
    return Flow.ON;
  }

  private Flow overDict(Statement.Range range, Dict dict, Item dot) throws RenderFailure {
    if (dict.size() == 0) {
      return run(range.otherwise(), dot);
    }
    for (String key : dict.keys()) {
      if (!goesOn(range, Item.of(key), dict.get(key))) {
        break;
      }
    }
    return Flow.ON;
  }

  private Flow overNumbers(Statement.Range range, Item.Whole end, Item dot) throws RenderFailure {
    if (range.pipeline().slots().size() > 1) {
      throw rendering.failure(range.pipeline().at(), "range over a number sets one variable only");
    }
    if (end.value() <= 0) {
      return run(range.otherwise(), dot);
    }
    for (long i = 0; i < end.value(); i++) {
      if (!goesOn(range, Item.ABSENT, new Item.Whole(i, end.type()))) {
        break;
      }
    }
    return Flow.ON;
  }

  /** Runs one iteration; returns whether another may follow. */
  private boolean goesOn(Statement.Range range, Item index, Item element) throws RenderFailure {
    Pipeline pipeline = range.pipeline();
    rendering.step(pipeline.at());
    if (pipeline.slots().size() == 1) {
      evaluator.set(pipeline, 0, element);
    } else if (pipeline.slots().size() == 2) {
      evaluator.set(pipeline, 0, index);
      evaluator.set(pipeline, 1, element);
    }
    return run(range.each(), element) != Flow.BREAK;
  }
}
