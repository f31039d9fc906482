package portcullis.lang.template;

import java.util.List;
import portcullis.lang.value.ValueException;

/** Evaluates pipelines with the variables of one definition; for one thread. */
final class Evaluator {
  private final Rendering rendering;
  private final Members members;
  private final Item[] variables;

  /** @param variables by slot; null until they are set */
  Evaluator(Rendering rendering, Item[] variables) {
    this.rendering = rendering;
    this.members = rendering.members();
    this.variables = variables;
  }

  /** Returns the value of the last command, to which the variables of the pipeline are set. */
  Item value(Pipeline pipeline, Item dot) throws RenderFailure {
    List<Item> piped = List.of();
    Item value = Item.ABSENT;
    for (int i = 0; i < pipeline.commands().size(); i++) {
      Item made = value(pipeline.commands().get(i), dot, piped);
      value = made.equals(Item.NIL) ? Item.ABSENT : made;
      if (i < pipeline.commands().size() - 1) {
        piped = List.of(value);
      }
    }
    for (int i = 0; i < pipeline.slots().size(); i++) {
      set(pipeline, i, value);
    }
    return value;
  }

  /** Sets one of the variables that the pipeline declares or assigns. */
  void set(Pipeline pipeline, int index, Item value) throws RenderFailure {
    int slot = pipeline.slots().get(index);
    if (slot == Scope.NOWHERE || pipeline.assigns() && variables[slot] == null) {
      throw rendering.failure(pipeline.at(), "undeclared variable");
    }
    variables[slot] = value;
  }

  private Item value(Pipeline.Command command, Item dot, List<Item> piped) throws RenderFailure {
    rendering.step(command.at());
    Term first = command.terms().getFirst();
    return switch (first) {
      case Term.Field field -> members.chain(dot, field.names(), field.at(), arguments(command, dot, piped));
      case Term.Chain chain -> chain(chain, dot, arguments(command, dot, piped));
      case Term.Variable v -> variable(v, command, dot, piped);
      case Term.Name name -> call(name, command, dot, piped);
      case Term.Group group -> group(alone(group, command, piped), dot);
      case Term.Dot _ -> {
        alone(first, command, piped);
        yield dot;
      }
      case Term.Literal literal -> {
        alone(first, command, piped);
        yield literal.item();
      }
      case Term.Number number -> {
        alone(first, command, piped);
        yield number(number);
      }
      case Term.Nil nil -> throw rendering.failure(nil.at(), "nil is not a command");
    };
  }

  private <T extends Term> T alone(T first, Pipeline.Command command, List<Item> piped) throws RenderFailure {
    if (command.terms().size() > 1 || !piped.isEmpty()) {
      throw rendering.failure(command.at(), "`" + rendering.written(first.at()) + "` is not a function and takes no "
          + "arguments");
    }
    return first;
  }

  private Item number(Term.Number number) throws RenderFailure {
    try {
      return number.literal().item();
    } catch (ValueException e) {
      throw rendering.failure(number.at(), e.getMessage());
    }
  }

  private Item group(Term.Group group, Item dot) throws RenderFailure {
    rendering.enter(group.at());
    Item value = value(group.pipeline(), dot);
    rendering.leave();
    return value;
  }

  private Item chain(Term.Chain chain, Item dot, LazyArguments arguments) throws RenderFailure {
    Item receiver = switch (chain.of()) {
      case Term.Group group -> group(group, dot);
      case Term.Name name -> function(name, dot);
      case Term other -> argument(other, Param.VALUE, dot);
    };
    return members.chain(receiver, chain.names(), chain.at(), arguments);
  }

  private Item variable(Term.Variable v, Pipeline.Command command, Item dot, List<Item> piped) throws RenderFailure {
    Item value = variable(v);
    if (v.names().isEmpty()) {
      alone(v, command, piped);
      return value;
    }
    return members.chain(value, v.names(), v.at(), arguments(command, dot, piped));
  }

  private Item variable(Term.Variable v) throws RenderFailure {
    if (v.slot() == Scope.NOWHERE || variables[v.slot()] == null) {
      throw rendering.failure(v.at(), "undefined variable `" + v.name() + "`");
    }
    return variables[v.slot()];
  }

  private LazyArguments arguments(Pipeline.Command command, Item dot, List<Item> piped) {
    return command.terms().size() == 1 && piped.isEmpty() ? LazyArguments.NONE : new TermArguments(command, dot, piped);
  }

  /** The arguments after the first term, and the piped one last. */
  private final class TermArguments implements LazyArguments {
    private final Pipeline.Command command;
    private final Item dot;
    private final List<Item> piped;

    TermArguments(Pipeline.Command command, Item dot, List<Item> piped) {
      this.command = command;
      this.dot = dot;
      this.piped = piped;
    }

    @Override
    public int count() {
      return command.terms().size() - 1 + piped.size();
    }

    @Override
    public Item get(int index, Param parameter) throws RenderFailure {
      if (index < command.terms().size() - 1) {
        return argument(command.terms().get(index + 1), parameter, dot);
      }
      return taken(parameter, piped.getFirst(), command.at());
    }
  }

  private Item function(Term.Name name, Item dot) throws RenderFailure {
    return call(name, new Pipeline.Command(name.at(), List.of(name)), dot, List.of());
  }

  private Item call(Term.Name name, Pipeline.Command command, Item dot, List<Item> piped) throws RenderFailure {
    LazyArguments arguments = arguments(command, dot, piped);
    Function function = name.function();
    if (function.equals(Builtins.AND) || function.equals(Builtins.OR)) {
      return shortCircuit(function, arguments, command.at());
    }
    return new Call(rendering, function, command.at()).apply(arguments);
  }

  /** Evaluates {@code and} and {@code or} up to the operand that decides, and returns it. */
  private Item shortCircuit(Function function, LazyArguments arguments, Span at) throws RenderFailure {
    new Call(rendering, function, at).checkCount(arguments.count());
    boolean deciding = function.equals(Builtins.OR);
    Item value = Item.ABSENT;
    for (int i = 0; i < arguments.count(); i++) {
      value = arguments.get(i, Param.VALUE);
      if (Truth.of(value) == deciding) {
        return value;
      }
    }
    return value;
  }

  private Item argument(Term term, Param parameter, Item dot) throws RenderFailure {
    try {
      return switch (term) {
        case Term.Nil _ -> parameter.takeNil();
        case Term.Literal literal -> parameter.take(literal.item());
        case Term.Number number -> parameter.takeNumber(number.literal());
        case Term.Dot _ -> parameter.take(dot);
        case Term.Field field -> parameter.take(members.chain(dot, field.names(), field.at(), LazyArguments.NONE));
        case Term.Variable v -> parameter.take(v.names().isEmpty() ? variable(v)
            : members.chain(variable(v), v.names(), v.at(), LazyArguments.NONE));
        case Term.Group group -> parameter.take(group(group, dot));
        case Term.Name name -> parameter.take(function(name, dot));
        case Term.Chain chain -> parameter.take(chain(chain, dot, LazyArguments.NONE));
      };
    } catch (ValueException e) {
      throw rendering.failure(term.at(), e.getMessage());
    }
  }

  private Item taken(Param parameter, Item item, Span at) throws RenderFailure {
    try {
      return parameter.take(item);
    } catch (ValueException e) {
      throw rendering.failure(at, e.getMessage());
    }
  }
}
