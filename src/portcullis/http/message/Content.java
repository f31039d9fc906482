package portcullis.http.message;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** The bytes of a message's body, to be read once. */
public interface Content {
  /** Returns the body's bytes; reading fails if they were not sent as framing requires. */
  InputStream stream();

  /** Returns the number of bytes; empty if it is not known before the end. */
  OptionalLong length();

  /** No bytes. */
  Content NONE = of(new byte[0]);

  /** Returns the content of bytes at hand. */
  static Content of(byte[] bytes) {
    return of(() -> new ByteArrayInputStream(bytes), OptionalLong.of(bytes.length));
  }

  static Content of(Supplier<InputStream> stream, OptionalLong length) {
    return new Content() {
      @Override
      public InputStream stream() {
        return stream.get();
      }

      @Override
      public OptionalLong length() {
        return length;
      }
    };
  }
}
