package portcullis.lang.template;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import portcullis.lang.regex.Regex;
import portcullis.lang.value.ValueException;

/**
 * Properties of a template that are known before it is rendered.
 *
 * @param changesDicts whether it calls a function that changes a map
 * @param regexes the compiled regular expressions among its literals
 */
record Analysis(boolean changesDicts, Map<String, Regex> regexes) {
  private static final class Finder implements Consumer<Pipeline.Command> {
    private final Map<String, Regex> regexes = new HashMap<>();
    private boolean changesDicts;

    @Override
    public void accept(Pipeline.Command command) {
      List<Term> terms = command.terms();
      for (Term term : terms) {
        changesDicts |= term instanceof Term.Name name && DictFunctions.CHANGING.contains(name.function().name());
      }
      if (terms.size() > 1 && terms.getFirst() instanceof Term.Name name
          && RegexFunctions.ALL.containsKey(name.function().name())
          && terms.get(1) instanceof Term.Literal(_, Item.Text(String text))) {
        regex(text);
      }
    }

    /** Leaves an invalid one to the call, which may never be reached. */
    private void regex(String text) {
      try {
        regexes.put(text, Regex.of(text));
      } catch (ValueException _) {
        regexes.remove(text);
      }
    }
  }

  static Analysis of(Collection<Definition> definitions) {
    Finder finder = new Finder();
    CommandWalker.visit(definitions, finder);
    return new Analysis(finder.changesDicts, Map.copyOf(finder.regexes));
  }

  Regex regex(String text) throws ValueException {
    Regex known = regexes.get(text);
    return known == null ? Regex.of(text) : known;
  }
}
