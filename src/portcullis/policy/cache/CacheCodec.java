package portcullis.policy.cache;

import java.util.Optional;

/** How answers of a kind are written as bytes. */
public interface CacheCodec<T> {
  /** Answers that are bytes. */
  CacheCodec<byte[]> BYTES = new CacheCodec<>() {
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
