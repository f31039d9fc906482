package portcullis.route;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import portcullis.source.LocatedText;

/**
 * What was found for a request; immutable. Callers that hand in maps do not change them afterwards.
 *
 * @param path the pattern that fits, as written
 * @param captures by name, in the order of the path, percent-decoded as far as {@code slashes} says
 * @param escapedCaptures the same as they stand in the path
 */
public record Match<V>(V value, LocatedText path, SequencedMap<String, String> captures,
    SequencedMap<String, String> escapedCaptures, EncodedSlashes slashes) {
  public Match {
    captures = Collections.unmodifiableSequencedMap(captures);
    escapedCaptures = Collections.unmodifiableSequencedMap(escapedCaptures);
  }

  static <V> Match<V> of(V value, LocatedText path, SequencedMap<String, String> escaped, EncodedSlashes slashes) {
    SequencedMap<String, String> decoded = LinkedHashMap.newLinkedHashMap(escaped.size());
    escaped.forEach((name, text) -> decoded.put(name, slashes.decoded(text)));
    return new Match<>(value, path, decoded, escaped, slashes);
  }
}
