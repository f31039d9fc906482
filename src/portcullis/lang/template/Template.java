package portcullis.lang.template;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;

/** A compiled template; immutable, safe for any number of threads. */
public final class Template {
  private static final int EXPECTED_PER_ACTION = 32;
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_.-]+=");

  private final LocatedText source;
  private final Map<String, Definition> definitions;
  private final Analysis uses;
  private final Limits limits;
  private final int expectedLength;
  private final boolean literal;

  private Template(LocatedText source, Map<String, Definition> definitions, Limits limits) {
    this.source = source;
    this.definitions = definitions;
    this.uses = Analysis.of(definitions.values());
    this.limits = limits;
    this.literal = definitions.get(Parser.ROOT).isText();
    this.expectedLength = definitions.values().stream().mapToInt(d -> d.expectedLength(EXPECTED_PER_ACTION)).sum();
  }

  /** Compiles a template; returns an empty optional exactly if a problem was added. */
  public static Optional<Template> compile(LocatedText text, Problems problems) {
    return compile(text, problems, Limits.DEFAULT);
  }

  /**
   * Compiles a template for data of known objects.
   *
   * @param example of the data: reading a member that its objects do not have is an error
   */
  public static Optional<Template> compile(LocatedText text, Value.Dict example, Problems problems) {
    return compile(text, problems)
        .filter(t -> new MemberCheck(example, text, problems).check(t.definitions.get(Parser.ROOT)));
  }

  static Optional<Template> compile(LocatedText text, Problems problems, Limits limits) {
    try {
      return Optional.of(new Template(text, Parser.definitions(text.text()), limits));
    } catch (TemplateSyntaxException e) {
      problems.error(text.at(e.at().offset(), e.at().length()), text.path(), e.getMessage(), e.hint());
      return Optional.empty();
    }
  }

  /** Renders the template with the data; the result has at most 1 MiB. */
  public String render(Value.Dict root) throws RenderFailure {
    return rendered(root);
  }

  /**
   * Renders a template whose actions may not print line breaks: only the template's own text begins a new line.
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

  /**
   * Returns the values of clients that it writes into JSON, HTML or a form without quoting them; none for other text.
   *
   * @param values the templates that it reads as {@code Values.name}
   */
  public List<Insertion> unquoted(Map<String, Template> values) {
    return context().map(context -> unquoted(values, context)).orElse(List.of());
  }

  /**
   * Returns the values of clients that it writes as the value of a header field without encoding them, where it spells
   * out a separator of lists or parameters ({@code ,} or {@code ;}) itself.
   */
  public List<Insertion> unquotedInField() {
    String text = definitions.get(Parser.ROOT).text();
    return text.contains(",") || text.contains(";") ? unquoted(Map.of(), Insertion.Context.HEADER) : List.of();
  }

  private List<Insertion> unquoted(Map<String, Template> values, Insertion.Context written) {
    if (literal) {
      return List.of();
    }
    Optional<Insertion.Context> context = Optional.of(written);
    Map<ClientValue, Insertion> ofValues = new HashMap<>();
    List<Insertion> out = new ArrayList<>();
    Function<String, Set<ClientValue>> read = name -> values.containsKey(name)
        ? values.get(name).all(context, ofValues)
        : Set.of();
    for (ClientValues.Printed printed : ClientValues.printed(definitions, context, read)) {
      out.add(ofValues.containsKey(printed.value()) ? ofValues.get(printed.value())
          : insertion(printed, context.get()));
    }
    return out.stream().distinct().toList();
  }

  private Set<ClientValue> all(Optional<Insertion.Context> context, Map<ClientValue, Insertion> found) {
    Set<ClientValue> out = new LinkedHashSet<>();
    for (ClientValues.Printed printed : ClientValues.printed(definitions, context, _ -> Set.of())) {
      found.put(printed.value(), insertion(printed, context.orElseThrow()));
      out.add(printed.value());
    }
    return out;
  }

  private Insertion insertion(ClientValues.Printed printed, Insertion.Context context) {
    Span at = printed.at();
    String written = source.text().substring(at.offset(), at.offset() + at.length());
    return new Insertion(source.at(at.offset(), at.length()), written, printed.value(), context);
  }

  /** Returns what its literal text begins as. */
  private Optional<Insertion.Context> context() {
    String text = definitions.get(Parser.ROOT).text().strip();
    if (text.startsWith("{") || text.startsWith("[")) {
      return Optional.of(Insertion.Context.JSON);
    }
    if (text.startsWith("<")) {
      return Optional.of(Insertion.Context.HTML);
    }
    return FORM.matcher(text).lookingAt() ? Optional.of(Insertion.Context.FORM) : Optional.empty();
  }

  /** Returns whether it has no actions, and so the same result for all data. */
  public boolean isLiteral() {
    return literal;
  }

  /** Returns the result of a template without actions. */
  public Optional<String> literal() {
    return literal ? Optional.of(definitions.get(Parser.ROOT).text()) : Optional.empty();
  }
}
