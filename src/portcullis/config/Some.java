package portcullis.config;

import java.util.List;

/**
 * The items of a list that could be read; immutable.
 *
 * @param all whether these are all that it has
 */
public record Some<T>(List<T> items, boolean all) {
  public Some {
    items = List.copyOf(items);
  }

  /** What there is of a list that could not be read. */
  public static <T> Some<T> unread() {
    return new Some<>(List.of(), false);
  }

  public static <T> Some<T> none() {
    return new Some<>(List.of(), true);
  }
}
