package portcullis.config;

import java.util.Optional;

/**
 * A member that a mapping may have.
 *
 * @param required whether its absence is a problem
 * @param absent what counts where it is not written; empty for required ones
 * @param standard the same as it would be written; empty where it cannot be told in a few words
 * @param restricts whether it restricts something, so that a null value is a problem and not the same as none
 * @param doc one sentence for the operator
 */
public record Key<T>(String name, Decoder<T> decoder, boolean required, Optional<T> absent, String standard,
    boolean restricts, String doc) {
  public static <T> Key<T> required(String name, Decoder<T> decoder, String doc) {
    return new Key<>(name, decoder, true, Optional.empty(), "", false, doc);
  }

  /** One with a value of its own where none is written. */
  public static <T> Key<T> standard(String name, Decoder<T> decoder, T absent, String doc) {
    return new Key<>(name, decoder, false, Optional.of(absent), Standard.text(absent, decoder.shape()), false, doc);
  }

  /** One that may be left out. */
  public static <T> Key<Optional<T>> optional(String name, Decoder<T> decoder, String doc) {
    Decoder<Optional<T>> present = decoder.then((value, _, _) -> Optional.of(Optional.of(value)));
    return new Key<>(name, present, false, Optional.of(Optional.empty()), "", false, doc);
  }

  /** Returns this key as one that restricts something: leaving it out by an unset variable would be unsafe. */
  public Key<T> restricting() {
    return new Key<>(name, decoder, required, absent, standard, true, doc);
  }
}
