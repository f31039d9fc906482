package portcullis.config;

import java.util.Optional;

/**
 * A member that a mapping may have.
 *
 * @param required whether its absence is a problem
 * @param absent what counts where it is not written; empty for required ones
 * @param standard the same as it would be written; empty where it cannot be told in a few words
 * @param doc one sentence for the operator
 */
public record Key<T>(String name, Decoder<T> decoder, boolean required, Optional<T> absent, String standard, String doc) {
  public static <T> Key<T> required(String name, Decoder<T> decoder, String doc) {
    return new Key<>(name, decoder, true, Optional.empty(), "", doc);
  }

  /** One with a value of its own where none is written. */
  public static <T> Key<T> standard(String name, Decoder<T> decoder, T absent, String doc) {
    return new Key<>(name, decoder, false, Optional.of(absent), Standard.text(absent, decoder.shape()), doc);
  }

  /** One that may be left out. */
  public static <T> Key<Optional<T>> optional(String name, Decoder<T> decoder, String doc) {
    Decoder<Optional<T>> present = decoder.then((value, _, _) -> Optional.of(Optional.of(value)));
    return new Key<>(name, present, false, Optional.of(Optional.empty()), "", doc);
  }
}
