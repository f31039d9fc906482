package portcullis.policy.route;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import portcullis.lang.source.LocatedText;

/** The route that was found for a request; immutable. */
public final class Match<V> {
  private final V value;
  private final LocatedText path;
  private final List<Capture> wildcards;
  private final SplitPath segments;
  private final EncodedSlashes slashes;
  private final int literals;

  /** @param literals how many segments come before the first wildcard */
  Match(V value, LocatedText path, List<Capture> wildcards, SplitPath segments, EncodedSlashes slashes, int literals) {
    this.value = value;
    this.path = path;
    this.wildcards = wildcards;
    this.segments = segments;
    this.slashes = slashes;
    this.literals = literals;
  }

  public V value() {
    return value;
  }

  /** Returns the pattern that fits, as written. */
  public LocatedText path() {
    return path;
  }

  /**
   * How much of the path the pattern spells out before its first wildcard, in characters; 0 where it begins with one.
   */
  public int spelledOut() {
    if (literals == 0) {
      return 0;
    }
    return literals < segments.size() ? segments.start(literals) : segments.length();
  }

  /**
   * Returns what its wildcards took, by name, in the order of the path, percent-decoded as far as the rule's slashes
   * say.
   */
  public SequencedMap<String, String> captures() {
    SequencedMap<String, String> out = LinkedHashMap.newLinkedHashMap(wildcards.size());
    wildcards.forEach(wildcard -> out.put(wildcard.name(), slashes.decoded(wildcard.captured(segments))));
    return out;
  }

  /** Returns whether the conditions on captures hold. */
  boolean fits(List<PathParameter> parameters) {
    return parameters.isEmpty() || slashes.allows(segments.toString())
        && parameters.stream().allMatch(p -> p.pattern().matches(slashes.compared(captured(p.name()))));
  }

  private String captured(String name) {
    return wildcards.stream().filter(wildcard -> wildcard.name().equals(name)).findFirst()
        .map(wildcard -> wildcard.captured(segments)).orElse("");
  }
}
