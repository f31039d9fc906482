package portcullis.config;

import java.util.List;

/** What a decoder reads, for help texts and schemas. */
public sealed interface Shape {
  /** A text; {@code format} says in words what it must be like, {@code choices} lists all that it may be, if only few. */
  record Text(String format, List<String> choices) implements Shape {}

  /** A whole number within bounds. */
  record Whole(long least, long most) implements Shape {}

  /** {@code true} or {@code false}. */
  record Flag() implements Shape {}

  /** A list of at least so many. */
  record Items(Shape item, int least) implements Shape {}

  /** A mapping of free names. */
  record Named(Shape value) implements Shape {}

  /** A mapping of known names. */
  record Members(String title, List<Key<?>> keys) implements Shape {}

  /** One of several shapes. */
  record Either(List<Shape> options) implements Shape {}

  /** Whatever is written. */
  record Anything() implements Shape {}
}
