package portcullis.serve.runtime;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.Log;

/** The key and trust stores that a program uses, which can be read again in two steps: prepared, then put into use. */
final class KeyFiles {
  private final List<Kind> kinds;
  private final Log log;

  KeyFiles(Program program, Log log) {
    this.log = log;
    this.kinds = List.of(
        new Kind("Signer key store", () -> program.context().keys().files(),
            file -> program.context().keys().prepared(file)),
        new Kind("TLS key store", () -> program.tls().files(), file -> program.tls().renewed(file)),
        new Kind("TLS trust store", () -> program.tls().trustFiles(), file -> program.tls().renewedTrust(file)),
        new Kind("Cache key store", () -> program.cacheKeyRings().files(),
            file -> program.cacheKeyRings().prepared(file)));
  }

  /** A use of files. */
  private record Kind(String name, Supplier<List<Path>> files, Reading reading) {}

  /** Reads a file and returns what puts it into use. */
  private interface Reading {
    Runnable of(Path file) throws KeyMaterialException;
  }

  /** The files in use, each once. */
  List<Path> all() {
    return kinds.stream().flatMap(kind -> kind.files.get().stream()).distinct().toList();
  }

  /**
   * Reads all files again, to be put into use with a configuration.
   *
   * @return what puts them into use; a problem is added for each file that cannot be used
   */
  Runnable prepared(Problems problems) {
    List<Runnable> out = new ArrayList<>();
    for (Kind kind : kinds) {
      for (Path file : kind.files.get()) {
        try {
          out.add(kind.reading.of(file));
          out.add(() -> log.info(kind.name + " reloaded", "_file", file));
        } catch (KeyMaterialException e) {
          problems.error(Origin.BUILT_IN, "", kind.name + " `" + file + "`: " + e.getMessage(), "");
        }
      }
    }
    return () -> out.forEach(Runnable::run);
  }

  /** Puts those of the files into use that can be read; the users of others keep what they have. */
  void renew(Collection<Path> files) {
    for (Path file : files) {
      for (Kind kind : kinds) {
        if (kind.files.get().contains(file)) {
          renew(kind, file);
        }
      }
    }
  }

  private void renew(Kind kind, Path file) {
    try {
      kind.reading.of(file).run();
      log.info(kind.name + " reloaded", "_file", file);
    } catch (KeyMaterialException e) {
      log.error(kind.name + " reload failed", "_file", file, "_error", e.getMessage());
    }
  }
}
