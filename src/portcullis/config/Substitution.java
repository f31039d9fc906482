package portcullis.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

/**
 * Substitutes variables as heimdall does, which uses Go's drone/envsubst: {@code ${NAME}} with all of its forms becomes
 * a string, {@code $$} becomes {@code $}, and any other {@code $} stays. {@link Yaml} decides what an unset variable
 * means where its value is used.
 */
public final class Substitution {
  private final SubstitutedSource source;
  private final Map<String, String> environment;
  private final Problems problems;
  private final StringBuilder out = new StringBuilder();
  private final List<String> unset = new ArrayList<>();
  private int[] spans = new int[16];
  private int numbers;

  private Substitution(SubstitutedSource source, Map<String, String> environment, Problems problems) {
    this.source = source;
    this.environment = environment;
    this.problems = problems;
  }

  /** Returns the file's text with the variables of the environment; empty exactly if an error was added. */
  public static Optional<SubstitutedSource> apply(SourceFile file, Map<String, String> environment, Problems problems) {
    SubstitutedSource source = SubstitutedSource.unchanged(file);
    if (file.text().indexOf('$') < 0) {
      return Optional.of(source);
    }
    return new Substitution(source, environment, problems).run();
  }

  private Optional<SubstitutedSource> run() {
    String text = source.text();
    boolean good = true;
    int done = 0;
    for (int at = text.indexOf('$'); at >= 0; at = text.indexOf('$', Math.max(done, at + 1))) {
      char next = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
      if (next != '$' && next != '{') {
        continue;
      }
      out.append(text, done, at);
      int from = out.length();
      Expansion expansion = new Expansion(source, at, environment, problems);
      Optional<String> value = next == '$' ? Optional.of("$") : expansion.value();
      good &= value.isPresent();
      out.append(value.orElse(""));
      done = next == '$' ? at + 2 : expansion.end();
      span(from, out.length(), at, done);
      unset.add(next == '$' ? "" : expansion.unset());
    }
    out.append(text, done, text.length());
    return good ? Optional.of(new SubstitutedSource(source.file(), out.toString(), Arrays.copyOf(spans, numbers),
        unset.toArray(new String[0])))
        : Optional.empty();
  }

  private void span(int... four) {
    spans = numbers == spans.length ? Arrays.copyOf(spans, numbers * 2) : spans;
    System.arraycopy(four, 0, spans, numbers, four.length);
    numbers += four.length;
  }
}
