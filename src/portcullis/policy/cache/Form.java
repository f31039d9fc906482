package portcullis.policy.cache;

import java.util.Optional;

/** How answers of a kind are written as bytes. */
public interface Form<T> {
  /** Answers that are bytes. */
  Form<byte[]> BYTES = new Form<>() {
    @Override
    public byte[] write(byte[] answer) {
      return answer;
    }

    @Override
    public Optional<byte[]> read(byte[] bytes) {
      return Optional.of(bytes);
    }
  };

  byte[] write(T answer);

  /** What {@link #write} wrote; empty for everything else. */
  Optional<T> read(byte[] bytes);
}
