package portcullis.crypto.keys;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The files of one kind in use, each read once and again when it changes. Thread safe. */
public final class LiveFiles<T> {
  private final Map<Path, Live<T>> files = new ConcurrentHashMap<>();
  private final Reader<T> reader;

  /** Reads a file. */
  public interface Reader<T> {
    T read(Path file) throws KeyMaterialException;
  }

  /** The content of a file, now and after each reload. */
  private static final class Live<T> implements Supplier<T> {
    private volatile T content;

    Live(T content) {
      this.content = content;
    }

    @Override
    public T get() {
      return content;
    }
  }

  public LiveFiles(Reader<T> reader) {
    this.reader = reader;
  }

  /** Returns the content of this file, now and after each reload. @throws KeyMaterialException if it cannot be used */
  public Supplier<T> open(Path file) throws KeyMaterialException {
    Path place = file.toAbsolutePath().normalize();
    Live<T> known = files.get(place);
    if (known != null) {
      return known;
    }
    Live<T> live = new Live<>(reader.read(file));
    Live<T> earlier = files.putIfAbsent(place, live);
    return earlier == null ? live : earlier;
  }

  /** Returns the files in use. */
  public List<Path> files() {
    return files.keySet().stream().sorted().toList();
  }

  /**
   * Reads a file again and returns the action that puts its content into use.
   *
   * @throws KeyMaterialException if the file cannot be used
   */
  public Runnable prepared(Path file) throws KeyMaterialException {
    T next = reader.read(file);
    return () -> files.computeIfPresent(file, (_, live) -> {
      live.content = next;
      return live;
    });
  }
}
