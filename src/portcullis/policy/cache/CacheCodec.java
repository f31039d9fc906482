package portcullis.policy.cache;

import java.util.Optional;

/** Converts responses of one kind to bytes and back. */
public interface CacheCodec<T> {
  /** For responses that are bytes. */
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

  /** Reads what {@link #write} wrote; empty for anything else. */
  Optional<T> read(byte[] bytes);
}
