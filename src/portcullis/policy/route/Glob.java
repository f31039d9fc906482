package portcullis.policy.route;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/**
 * A glob over a whole text, as github.com/gobwas/glob documents it: {@code *} any characters but the separator,
 * {@code **} any characters, {@code ?} one but the separator, {@code [abc] [a-c] [!a]} one of a class, {@code {a,b}}
 * one of several, {@code \x} the character x.
 *
 * <p>Follows all its readings at once, in time linear in the text. Immutable.
 */
public final class Glob {
  private final String text;
  private final char separator;
  private final GlobStates states;
  private final BitSet start;

  private Glob(String text, List<GlobPart> parts, char separator) {
    this.text = text;
    this.separator = separator;
    this.states = new GlobStates(parts, separator);
    this.start = states.start();
  }

  /** Reads a glob; the separator is the character that {@code *} and {@code ?} do not take. */
  public static Optional<Glob> compile(LocatedText text, char separator, Problems problems) {
    return new GlobParser(text, problems).parse().map(parts -> new Glob(text.text(), parts, separator));
  }

  /** Returns the glob for strings in lower case; this one if that would reverse a range, as in {@code [Z-a]}. */
  Glob ignoringCase() {
    LocatedText folded = LocatedText.of("", CaseFolding.folded(text));
    return compile(folded, separator, new Problems()).orElse(this);
  }

  /** Returns some strings that it takes, of all its alternatives; empty if none was found. */
  List<String> samples() {
    return new GlobParser(LocatedText.of("", text), new Problems()).parse().stream()
        .flatMap(parts -> GlobSamples.of(parts).stream()).filter(this::matches).toList();
  }

  public boolean matches(String input) {
    BitSet now = (BitSet) start.clone();
    BitSet then = new BitSet();
    for (int i = 0; i < input.length() && !now.isEmpty();) {
      int c = input.codePointAt(i);
      states.step(now, c, then);
      BitSet spent = now;
      now = then;
      then = spent;
      then.clear();
      i += Character.charCount(c);
    }
    return now.get(GlobStates.END);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Glob glob && glob.text.equals(text) && glob.separator == separator;
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
