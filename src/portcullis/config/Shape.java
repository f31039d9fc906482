package portcullis.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** What a decoder reads, for help and schemas. */
public sealed interface Shape {
  /**
   * A string: {@code format} describes it in words, {@code choices} lists all values if they are few.
   */
  record Text(String format, List<String> choices) implements Shape {}

  /**
   * A string of a certain form.
   *
   * @param what it is called, as {@code a duration}
   * @param example as {@code as `5s`}; may be empty
   * @param regex what is found in it, in what ECMA-262 and Java have in common
   */
  record Pattern(String what, String example, String regex) implements Shape {}

  /** Any single value. */
  record Single() implements Shape {}

  /** A whole number within bounds. */
  record Whole(long least, long most) implements Shape {}

  /** {@code true} or {@code false}. */
  record Flag() implements Shape {}

  /** A list with at least {@code least} items. */
  record Items(Shape item, int least) implements Shape {}

  /** A mapping of free names. */
  record Named(Shape value) implements Shape {}

  /** A mapping of known names. */
  record Members(String title, List<Key<?>> keys) implements Shape {}

  /** One of several shapes. */
  record Either(List<Shape> options) implements Shape {}

  /**
   * A mapping whose other members depend on one.
   *
   * @param key the name of that one
   * @param options the shape of the others by its value; in the order in which they are listed
   */
  record Choice(String key, SequencedMap<String, Shape> options) implements Shape {
    public Choice {
      options = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(options));
    }
  }

  /** Any value. */
  record Anything() implements Shape {}
}
