package portcullis.config;

import java.util.Optional;
import java.util.function.BiFunction;
import portcullis.lang.source.Problems;

/** Makes a value of a node; thread safe. */
public interface Decoder<T> {
  /** Decodes a node; returns an empty optional exactly if a problem was added. */
  Optional<T> decode(Node node, Problems problems);

  Shape shape();

  /** Returns a decoder that goes on with what this one made; the step adds a problem exactly if it gives nothing. */
  default <U> Decoder<U> then(Step<T, U> step) {
    return of(shape(), (node, problems) -> decode(node, problems).flatMap(value -> step.take(value, node, problems)));
  }

  /** Returns this decoder with another shape, for help and schema: where later steps accept less than it reads. */
  default Decoder<T> described(Shape shape) {
    return of(shape, this::decode);
  }

  static <T> Decoder<T> of(Shape shape, BiFunction<Node, Problems, Optional<T>> decode) {
    return new Decoder<>() {
      @Override
      public Optional<T> decode(Node node, Problems problems) {
        return decode.apply(node, problems);
      }

      @Override
      public Shape shape() {
        return shape;
      }
    };
  }

  /** Continues with a decoded value; returns an empty optional exactly if it added a problem. */
  interface Step<T, U> {
    Optional<U> take(T value, Node node, Problems problems);
  }
}
