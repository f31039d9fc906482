package portcullis.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.BudgetExceededException;
import portcullis.lang.value.ParseMeter;

/**
 * Reads the first document of a YAML text, or all of them, into nodes. Anchors and merge keys work; aliases may
 * multiply to 100,000 nodes and nesting go 100 levels deep, so that no text is a bomb.
 */
public final class Yaml {
  private static final int MOST_FROM_ALIASES = 100_000;
  private static final int DEEPEST = 100;
  private static final int LONGEST_KEPT = 64;
  private static final int MOST_CHARACTERS = 256 << 20;

  private final SubstitutedSource source;
  private final Problems problems;
  private final Optional<ParseMeter> meter;
  private final long faultsBefore;
  private final ParserImpl events;
  private final int[] wide;
  private final String[] kept = new String[4096];
  private final Map<String, Node> anchors = new HashMap<>();
  private final Set<Origin> used = new HashSet<>();
  /** Where the brackets and braces are that are not closed yet, outermost first. */
  private final List<Integer> open = new ArrayList<>();
  private int fromAliases;
  private int depth;

  private Yaml(SubstitutedSource source, Optional<ParseMeter> meter, Problems problems) {
    this.meter = meter;
    this.faultsBefore = problems.errors();
    this.source = source;
    this.problems = problems;
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(MOST_CHARACTERS);
    options.setProcessComments(false);
    this.events = new ParserImpl(new YamlInput(source.text()), options);
    this.wide = wide(source.text());
  }

  /** Returns the document; empty where the text holds none (only comments), or where a problem was added. */
  public static Optional<Node> read(SourceFile file, Problems problems) {
    return read(SubstitutedSource.unchanged(file), problems);
  }

  /**
   * Reads the document of a string with variables substituted. Places are those of the file; the value of a variable
   * has the place of its name.
   */
  public static Optional<Node> read(SubstitutedSource source, Problems problems) {
    return documents(source, _ -> false, problems).stream().findFirst();
  }

  /**
   * Reads the documents of a string with variables substituted, except empty ones; returns none if a problem was added.
   *
   * @param followed whether those after a first document like that are read too; otherwise a warning names them
   */
  public static List<Node> documents(SubstitutedSource source, Predicate<Node> followed, Problems problems) {
    try {
      return new Yaml(source, Optional.empty(), problems).whole(followed);
    } catch (BudgetExceededException e) {
      throw new IllegalStateException(e); // there is no budget
    }
  }

  /**
   * The document of a string from outside. Of its errors the first is added.
   *
   * @param meter what has begun to count it
   */
  public static Optional<Node> read(SourceFile file, ParseMeter meter, Problems problems)
      throws BudgetExceededException {
    return read(SubstitutedSource.unchanged(file), meter, problems);
  }

  /** Reads the document of a string from outside after variables have been substituted. */
  public static Optional<Node> read(SubstitutedSource source, ParseMeter meter, Problems problems)
      throws BudgetExceededException {
    return documents(source, _ -> false, meter, problems).stream().findFirst();
  }

  /** Returns the documents of a string from outside; see {@link #documents(SubstitutedSource, Predicate, Problems)}. */
  public static List<Node> documents(SubstitutedSource source, Predicate<Node> followed, ParseMeter meter,
      Problems problems) throws BudgetExceededException {
    return new Yaml(source, Optional.of(meter), problems).whole(followed);
  }

  private List<Node> whole(Predicate<Node> followed) throws BudgetExceededException {
    try {
      List<Node> out = documents(followed);
      reportUnused();
      return out;
    } catch (DuplicateMember _) {
      return List.of();
    } catch (Unparsable e) {
      problems.error(e.at, e.path, e.getMessage(), e.hint);
    } catch (MarkedYAMLException e) {
      int at = offset(e.getProblemMark());
      int begun = e.getContextMark() == null ? at : offset(e.getContextMark());
      reportUnused();
      YamlError error = YamlError.of(source.text(), String.valueOf(e.getProblem()), at, begun, List.copyOf(open));
      problems.error(source.at(error.from(), error.to()), "", error.message(), error.hint());
    } catch (ReaderException e) {
      int at = offset(e.getPosition());
      problems.error(source.at(at, at + 1), "", "the character U+" + String.format("%04X", e.getCodePoint())
          + " is not allowed in YAML", "in a string in double quotes it is written as an escape");
    } catch (YAMLException e) {
      problems.error(source.at(0, 1), "", "invalid YAML: " + Decoders.shortened(String.valueOf(e.getMessage())), "");
    }
    return List.of();
  }

  private Origin place(Event event) {
    return source.at(offset(event.getStartMark()), offset(event.getEndMark()));
  }

  private Origin place(Mark mark) {
    int at = offset(mark);
    return source.at(at, at + 1);
  }

  /** Returns which of the text's code points are two characters: the parser counts the former, places the latter. */
  private static int[] wide(String text) {
    int points = text.codePointCount(0, text.length());
    int[] out = new int[text.length() - points];
    for (int point = 0, at = 0, found = 0; found < out.length; point++, at++) {
      if (Character.isHighSurrogate(text.charAt(at)) && Character.isSupplementaryCodePoint(text.codePointAt(at))) {
        out[found++] = point;
        at++;
      }
    }
    return out;
  }

  private int offset(Mark mark) {
    return offset(mark.getIndex());
  }

  private int offset(int point) {
    int found = wide.length == 0 ? 0 : Arrays.binarySearch(wide, point);
    return Math.min(point + (found < 0 ? -found - 1 : found), source.text().length());
  }

  private List<Node> documents(Predicate<Node> followed) throws BudgetExceededException {
    List<Node> out = new ArrayList<>();
    events.getEvent();
    while (!events.checkEvent(Event.ID.StreamEnd)) {
      events.getEvent();
      Node root = node(Path.ROOT);
      events.getEvent();
      anchors.clear();
      boolean blank = root instanceof Node.Scalar s && s.meaning() == Node.Meaning.NULL && s.text().isEmpty();
      if (!blank) {
        out.add(root);
      }
      if (!events.checkEvent(Event.ID.StreamEnd) && (out.isEmpty() || !followed.test(out.getFirst()))) {
        problems.warning(place(events.peekEvent().getStartMark()), "", "only the first document of a file is read",
            "put each into a file of its own");
        break;
      }
    }
    return out;
  }

  private Node node(Path path) throws BudgetExceededException {
    Event event = events.getEvent();
    if (event instanceof AliasEvent alias) {
      return aliased(alias, path);
    }
    count(1);
    if (++depth > DEEPEST) {
      if (meter.isPresent()) {
        throw BudgetExceededException.tooLarge("it is nested more than " + DEEPEST + " levels deep");
      }
      throw new Unparsable(place(event), Path.ROOT, "nested more than " + DEEPEST + " levels deep", "");
    }
    boolean bracket = event instanceof CollectionStartEvent start && start.isFlow()
        && open.add(offset(event.getStartMark()));
    Node node = switch (event) {
      case ScalarEvent scalar -> scalar(scalar, path);
      case SequenceStartEvent start -> sequence(start, path);
      case MappingStartEvent start -> mapping(start, path);
      default -> throw new Unparsable(place(event), path, "invalid YAML: a value is missing", "");
    };
    depth--;
    if (bracket) {
      open.removeLast();
    }
    String anchor = ((NodeEvent) event).getAnchor();
    if (anchor != null) {
      anchors.put(anchor, node);
    }
    return node;
  }

  private void count(int nodes) throws BudgetExceededException {
    if (meter.isPresent()) {
      meter.get().nodes(nodes);
    }
  }

  private Node aliased(AliasEvent alias, Path path) throws BudgetExceededException {
    Node meant = anchors.get(alias.getAnchor());
    if (meant == null) {
      throw new Unparsable(place(alias), path, "unknown anchor `" + alias.getAnchor() + "`",
          "an anchor is set before it is used; a string that begins with `*` needs quotes");
    }
    int size = size(meant);
    count(size);
    fromAliases += size;
    if (fromAliases > MOST_FROM_ALIASES) {
      throw new Unparsable(place(alias), path, "aliases multiply to more than " + MOST_FROM_ALIASES
          + " values", "write it without so many aliases");
    }
    return meant.under(path);
  }

  private static int size(Node node) {
    return switch (node) {
      case Node.Scalar _ -> 1;
      case Node.Sequence s -> 1 + s.items().stream().mapToInt(Yaml::size).sum();
      case Node.Mapping m -> 1 + m.members().values().stream().mapToInt(v -> size(v.value())).sum();
    };
  }

  private Node scalar(ScalarEvent event, Path path) {
    char style = event.getScalarStyle() == ScalarStyle.PLAIN ? ' ' : event.getScalarStyle().getChar();
    ScalarText text = new ScalarText(source, offset(event.getStartMark()), offset(event.getEndMark()), style,
        kept(event.getValue()));
    boolean plain = style == ' ' && event.getTag() == null;
    Node.Meaning meaning = isUnset(text, path) ? Node.Meaning.NULL
        : plain ? Scalars.meaning(event.getValue()) : Node.Meaning.TEXT;
    if (event.getTag() != null && !event.getTag().equals("tag:yaml.org,2002:str") && !event.getTag().equals("!")) {
      throw new Unparsable(place(event), path, "unknown tag `" + event.getTag() + "`",
          "write the value without a tag");
    }
    return new Node.Scalar(text, path, meaning);
  }

  /**
   * Returns whether the whole value is a variable that is not set, which counts as no value; adds a problem for each
   * such variable within a longer value.
   */
  private boolean isUnset(ScalarText text, Path path) {
    List<SubstitutedSource.Unset> places = source.unset(text.start(), text.end());
    places.forEach(place -> used.add(place.at()));
    if (places.isEmpty() || text.unset().isPresent()) {
      return !places.isEmpty();
    }
    for (SubstitutedSource.Unset place : places) {
      String at = path.toString();
      problems.onlyError(place.at(), at, UnsetVariable.message(place), UnsetVariable.hint(place, at));
    }
    return false;
  }

  /** Reports variables that leave an item of a list away: {@code [a, ${X}]} would be {@code [a]}. */
  private void requireItems(int from, int to, Path path) {
    for (SubstitutedSource.Unset place : source.unset(from, to)) {
      boolean isWithin = place.from() > from && place.from() < to && !source.isComment(place.from());
      if (isWithin && used.add(place.at())) {
        problems.onlyError(place.at(), path.toString(), UnsetVariable.message(place), UnsetVariable.needed(place));
      }
    }
  }

  /** Reports variables that neither a value nor a comment needs. */
  private void reportUnused() {
    source.unset().stream().filter(place -> !used.contains(place.at())).forEach(
        place -> problems.warning(place.at(), "", UnsetVariable.message(place), UnsetVariable.hint(place)));
  }

  /** Returns an equal string that was read before, if there is one: names and many values are repeated in a file. */
  private String kept(String text) {
    if (text.length() > LONGEST_KEPT) {
      return text;
    }
    int slot = (text.hashCode() ^ text.hashCode() >>> 16) & kept.length - 1;
    if (!text.equals(kept[slot])) {
      kept[slot] = text;
    }
    return kept[slot];
  }

  private Node sequence(SequenceStartEvent start, Path path) throws BudgetExceededException {
    List<Node> items = new ArrayList<>();
    while (!events.checkEvent(Event.ID.SequenceEnd)) {
      items.add(node(path.item(items.size())));
    }
    Event end = events.getEvent();
    if (start.isFlow()) {
      requireItems(offset(start.getStartMark()), offset(end.getEndMark()), path);
    }
    return new Node.Sequence(place(start.getStartMark()), path, List.copyOf(items));
  }

  private Node mapping(MappingStartEvent start, Path path) throws BudgetExceededException {
    MappingDraft draft = new MappingDraft(source, path, problems);
    while (!events.checkEvent(Event.ID.MappingEnd)) {
      Event key = events.peekEvent();
      if (!(node(path) instanceof Node.Scalar name)) {
        throw unnamed(key, path);
      }
      UnsetVariable.of(name).ifPresent(place -> {
        throw new Unparsable(place.at(), path, UnsetVariable.message(place), UnsetVariable.needed(place));
      });
      Node value = node(path.member(name.text()));
      boolean plain = key instanceof ScalarEvent s && s.getScalarStyle() == ScalarStyle.PLAIN;
      if (plain && name.text().equals("<<")) {
        draft.merge(mappings(value, path));
      } else {
        draft.add(name.text(), offset(key.getStartMark()), offset(key.getEndMark()), value);
        if (meter.isPresent()) {
          meter.get().names(draft.size());
          requireNoError();
        }
      }
    }
    events.getEvent();
    return new Node.Mapping(place(start.getStartMark()), path, draft.members());
  }

  /** Stops at the first error of a document from outside: a duplicate name may occur thousands of times. */
  private void requireNoError() {
    if (problems.errors() > faultsBefore) {
      throw new DuplicateMember();
    }
  }

  private Unparsable unnamed(Event key, Path path) {
    int at = offset(key.getStartMark());
    boolean template = at > 0 && source.text().startsWith("{{", at - 1);
    return template
        ? new Unparsable(source.at(at - 1, at + 1), path, "a template that begins with `{{` needs quotes",
            "as `'{{ … }}'`")
        : new Unparsable(source.at(at, at + 1), path, "a name is needed here", "names are plain strings");
  }

  /** Returns what is merged: a mapping or a list of some. */
  private static List<Node.Mapping> mappings(Node source, Path path) {
    return switch (source) {
      case Node.Mapping m -> List.of(m);
      case Node.Sequence s -> s.items().stream().flatMap(item -> mappings(item, path).stream()).toList();
      case Node.Scalar s -> throw new Unparsable(s.at(), path, "`<<` merges mappings, this is " + s.kind(), "");
    };
  }

  /** Ends the reading of a string from outside that names a member twice; the problem has been added. */
  private static final class DuplicateMember extends RuntimeException {
    private static final long serialVersionUID = 1;

    DuplicateMember() {
      super(null, null, false, false);
    }
  }

  /** A string that cannot be read any further. */
  private static final class Unparsable extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Origin at;
    private final String path;
    private final String hint;

    Unparsable(Origin at, Path path, String message, String hint) {
      super(message, null, false, false);
      this.at = at;
      this.path = path.toString();
      this.hint = hint;
    }
  }
}
