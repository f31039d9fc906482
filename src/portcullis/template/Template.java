package portcullis.template;

import java.util.Optional;
import java.util.Set;
import portcullis.source.LocatedText;
import portcullis.source.Problems;
import portcullis.value.Value;

/** A compiled Go template; immutable, safe for any thread. */
public final class Template {
  private final String text;

  private Template(String text) {
    this.text = text;
  }

  /** Empty exactly if a problem was added; each is at its place in the file. */
  public static Optional<Template> compile(LocatedText text, Problems problems) {
    return Optional.of(new Template(text.text()));
  }

  /** The text that the template makes of the data. */
  public String render(Value.Dict root) throws RenderFailure {
    if (isLiteral()) {
      return text;
    }
    throw new RenderFailure("actions are not known yet");
  }

  /** Whether it is the same for all data. */
  public boolean isLiteral() {
    return !text.contains("{{");
  }

  /** The members of the root that it reads, as {@code Subject}; {@code *} stands for all of them. */
  public Set<String> reads() {
    return Set.of();
  }
}
