package portcullis.lang.template;

import java.time.Instant;
import java.util.Map;
import portcullis.lang.inputs.HiddenInputs;
import portcullis.lang.regex.Regex;
import portcullis.lang.source.LocatedText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** The state of one rendering; for one thread. */
final class Rendering {
  private static final int DEEPEST = 250;

  private final LocatedText source;
  private final Map<String, Definition> definitions;
  private final Analysis uses;
  private final ItemFactory items;
  private final Budget budget;
  private final Output output;
  private final Members members = new Members(this);
  private final Item root;
  private final boolean unbroken;
  private int depth;
  private int templates;

  /** @param unbroken whether the value of an action may have no line break */
  Rendering(LocatedText source, Map<String, Definition> definitions, Analysis uses, Value root, Limits limits,
      int expected,
      boolean unbroken) {
    this.source = source;
    this.definitions = definitions;
    this.uses = uses;
    this.unbroken = unbroken;
    this.items = new ItemFactory(uses.changesDicts());
    this.budget = new Budget(limits);
    this.output = new Output(budget, expected);
    this.root = root instanceof Value.Null ? Item.ABSENT : items.item(root);
  }

  String result() throws RenderFailure {
    invoke(Parser.ROOT, root, new Span(0, 1));
    return Bytes.clean(output.text());
  }

  /**
   * Checks what an action has printed.
   *
   * @param from where it begins in the output
   */
  void checkPrinted(Pipeline action, int from) throws RenderFailure {
    if (unbroken && output.hasLineBreak(from) && !action.isLiteral()) {
      throw failure(action.at(), "the value has a line break, which would begin another line");
    }
  }

  void invoke(String name, Item argument, Span at) throws RenderFailure {
    Definition definition = definitions.get(name);
    if (definition == null) {
      throw failure(at, "there is no template `" + name + "`");
    }
    if (++templates > Budget.DEEPEST) {
      throw failure(at, "templates call each other too deeply");
    }
    new Executor(this, definition, argument).run();
    templates--;
  }

  /** Enters a nested action; {@link #leave} ends it. */
  void enter(Span at) throws RenderFailure {
    if (++depth > DEEPEST) {
      throw failure(at, "actions are nested too deeply");
    }
  }

  void leave() {
    depth--;
  }

  void step(Span at) throws RenderFailure {
    try {
      budget.step();
    } catch (ValueException e) {
      throw failure(at, e.getMessage());
    }
  }

  RenderFailure failure(Span at, String message) {
    return new RenderFailure(source.at(at.offset(), at.length()), TemplateSyntaxException.shown(Bytes.clean(message)));
  }

  /** Returns a part of the source, for messages. */
  String written(Span at) {
    return source.text().substring(at.offset(), at.offset() + at.length());
  }

  /** Returns whether the dict is the root of the data. */
  boolean isRoot(Dict dict) {
    return dict.equals(root);
  }

  Members members() {
    return members;
  }

  ItemFactory items() {
    return items;
  }

  Budget budget() {
    return budget;
  }

  Output output() {
    return output;
  }

  Regex regex(String text) throws ValueException {
    budget.spend(1 + text.length() / 4);
    return uses.regex(text);
  }

  Instant now() {
    return HiddenInputs.now();
  }

  /** Returns the item as {@code fmt} prints it. */
  String printed(Item item) throws ValueException {
    if (item instanceof Item.Text(String text)) {
      return text;
    }
    Output out = new Output(budget);
    new Printer(out).print(item);
    return out.text();
  }
}
