package portcullis.config;

import java.util.List;

/**
 * The items of a list that could be decoded; immutable.
 *
 * @param all whether these are all items of the list
 */
public record PartialList<T>(List<T> items, boolean all) {
  public PartialList {
    items = List.copyOf(items);
  }

  /** Returns no items of a list that could not be decoded. */
  public static <T> PartialList<T> unread() {
    return new PartialList<>(List.of(), false);
  }

  public static <T> PartialList<T> none() {
    return new PartialList<>(List.of(), true);
  }
}
