package portcullis.policy.route;

import java.util.Optional;
import portcullis.lang.regex.Regex;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.ValueException;

/** A pattern of one text, as a captured part of the path or a host; immutable, linear in the length of the text. */
public sealed interface StringPattern {
  boolean matches(String text);

  /** Returns the pattern of strings in lower case that takes what this one takes in any. */
  StringPattern ignoringCase();

  /** Equal to the whole text, letter case included. */
  record Exact(String value) implements StringPattern {
    @Override
    public boolean matches(String text) {
      return value.equals(text);
    }

    @Override
    public StringPattern ignoringCase() {
      return new Exact(CaseFolding.folded(value));
    }
  }

  /** A glob over the whole text. */
  record Globbed(Glob glob) implements StringPattern {
    @Override
    public boolean matches(String text) {
      return glob.matches(text);
    }

    @Override
    public StringPattern ignoringCase() {
      return new Globbed(glob.ignoringCase());
    }
  }

  /** A regular expression that is found anywhere in the text. */
  record Found(Regex regex) implements StringPattern {
    /** Compiles an expression of a rule; empty exactly if a problem was added. */
    static Optional<StringPattern> compile(LocatedText text, Problems problems) {
      try {
        return Optional.of(new Found(Regex.unbounded(text.text())));
      } catch (ValueException e) {
        problems.error(Origins.of(text), text.path(), e.getMessage(), "write it in RE2 syntax");
        return Optional.empty();
      }
    }

    @Override
    public boolean matches(String text) {
      return regex.isFoundIn(text);
    }

    @Override
    public StringPattern ignoringCase() {
      return new Found(regex.ignoringCase());
    }
  }
}
