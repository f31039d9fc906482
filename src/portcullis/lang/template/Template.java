package portcullis.lang.template;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;

/** A compiled template; immutable, safe for any number of threads. */
public final class Template {
  private static final int EXPECTED_OF_AN_ACTION = 32;

  private final LocatedText source;
  private final Map<String, Definition> definitions;
  private final Uses uses;
  private final Set<String> reads;
  private final Limits limits;
  private final int expectedLength;
  private final boolean literal;

  private Template(LocatedText source, Map<String, Definition> definitions, Limits limits) {
    this.source = source;
    this.definitions = definitions;
    this.uses = Uses.of(definitions.values());
    this.reads = Reads.of(definitions.values());
    this.limits = limits;
    this.literal = definitions.get(Parser.ROOT).isText();
    this.expectedLength = definitions.values().stream().mapToInt(d -> d.expectedLength(EXPECTED_OF_AN_ACTION)).sum();
  }

  /** Empty exactly if a problem was added: of the syntax, or that a function is not known or left out. */
  public static Optional<Template> compile(LocatedText text, Problems problems) {
    return compile(text, problems, Limits.STANDARD);
  }

  static Optional<Template> compile(LocatedText text, Problems problems, Limits limits) {
    try {
      return Optional.of(new Template(text, Parser.definitions(text.text()), limits));
    } catch (SyntaxFault fault) {
      problems.error(text.at(fault.at().offset(), fault.at().length()), text.path(), fault.getMessage(), fault.hint());
      return Optional.empty();
    }
  }

  /** The text that the template makes of the data, at most 1 MiB of it. */
  public String render(Value.Dict root) throws RenderFailure {
    return rendered(root);
  }

  /**
   * The same where only the template's own text may begin a new line: a value of an action that has a line break fails.
   */
  public String renderUnbroken(Value.Dict root) throws RenderFailure {
    return rendered(root, true);
  }

  String rendered(Value root) throws RenderFailure {
    return rendered(root, false);
  }

  private String rendered(Value root, boolean unbroken) throws RenderFailure {
    return literal ? definitions.get(Parser.ROOT).text()
        : new Rendering(source, definitions, uses, root, limits, expectedLength, unbroken).result();
  }

  /** Whether it has no actions, and so is the same for all data. */
  public boolean isLiteral() {
    return literal;
  }

  /** What it is for all data, if it has no actions. */
  public Optional<String> literal() {
    return literal ? Optional.of(definitions.get(Parser.ROOT).text()) : Optional.empty();
  }

  /** The members of the root that it reads, as {@code Subject}; {@code *} where it hands on the root as a whole. */
  public Set<String> reads() {
    return reads;
  }
}
