package portcullis.config;

import java.util.Optional;

/**
 * A key that a mapping may have.
 *
 * @param required whether a mapping without it is an error
 * @param defaultValue the value of a mapping without it; empty for required keys
 * @param restricts whether it restricts something, so that a null value is an error and not the same as no value
 * @param doc one sentence for the operator
 */
public record Key<T>(String name, Decoder<T> decoder, boolean required, Optional<T> defaultValue,
    boolean restricts, String doc) {
  public static <T> Key<T> required(String name, Decoder<T> decoder, String doc) {
    return new Key<>(name, decoder, true, Optional.empty(), false, doc);
  }

  /** Returns a key with a default. */
  public static <T> Key<T> withDefault(String name, Decoder<T> decoder, T value, String doc) {
    return new Key<>(name, decoder, false, Optional.of(value), false, doc);
  }

  /** Returns a key that may be left out and has no default. */
  public static <T> Key<Optional<T>> optional(String name, Decoder<T> decoder, String doc) {
    Decoder<Optional<T>> present = decoder.then((value, _, _) -> Optional.of(Optional.of(value)));
    return new Key<>(name, present, false, Optional.of(Optional.empty()), false, doc);
  }

  /** Returns this key as one that restricts something: leaving it out because a variable is unset would be unsafe. */
  public Key<T> restricting() {
    return new Key<>(name, decoder, required, defaultValue, true, doc);
  }

  /** Returns the default as it would be written; an empty string for a required key, and where it is too long. */
  public String defaultText() {
    return defaultValue.map(value -> DefaultText.text(value, decoder.shape())).orElse("");
  }
}
