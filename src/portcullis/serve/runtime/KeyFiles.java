package portcullis.serve.runtime;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;
import portcullis.observe.decisions.AuditEvent;
import portcullis.observe.decisions.AuditException;
import portcullis.observe.telemetry.Log;

/** The key and trust stores in use, which can be reloaded in two steps: prepared, then activated. */
final class KeyFiles {
  private final List<Kind> kinds;
  private final Log log;
  /** The keys of problems that were reported; some of them may have ended. */
  private final Set<String> failing = new HashSet<>();
  private final Map<Path, String> digests = new HashMap<>();
  /** Files whose change could not be recorded yet. */
  private final Set<Path> waiting = new LinkedHashSet<>();
  private final Program program;

  KeyFiles(Program program, Log log) {
    this.program = program;
    this.log = log;
    this.kinds = List.of(
        new Kind("Signer key store", false, () -> program.context().keys().files(),
            file -> program.context().keys().prepared(file), file -> program.context().keys().store(file)),
        new Kind("TLS key store", false, () -> program.tls().files(), file -> program.tls().renewed(file),
            file -> program.tls().store(file)),
        new Kind("TLS trust store", false, () -> program.tls().trustFiles(), file -> program.tls().renewedTrust(file)),
        new Kind("Cache key store", false, () -> program.cacheKeyRings().files(),
            file -> program.cacheKeyRings().prepared(file), file -> program.cacheKeyRings().store(file)),
        new Kind("API key file", true, () -> program.context().apiKeys().files(),
            file -> program.context().apiKeys().prepared(file)),
        new Kind("User file", true, () -> program.context().limits().users().files(),
            file -> program.context().limits().users().prepared(file)),
        new Kind("Client trust store", true, () -> program.context().trust().stores().files(),
            file -> program.context().trust().stores().prepared(file)),
        new Kind("Revocation list", true, () -> program.context().trust().revocations().files(),
            file -> program.context().trust().revocations().prepared(file)),
        new Kind("Session key file", true, () -> program.context().logins().keys().files(),
            file -> program.context().logins().keys().prepared(file)));
  }

  /**
   * A kind of file.
   *
   * @param isData whether its changes are applied even if those of key and trust stores are not
   * @param store returns the first file of the store that a file is of: problems are those of the store, as what one
   *     file lacks another may bring
   */
  private record Kind(String name, boolean isData, Supplier<List<Path>> files, Reading reading,
      UnaryOperator<Path> store) {
    Kind(String name, boolean isData, Supplier<List<Path>> files, Reading reading) {
      this(name, isData, files, reading, file -> file);
    }

    String problem(Path file) {
      return name + " " + store.apply(file);
    }
  }

  /** Reads a file and returns the action that activates it. */
  private interface Reading {
    Runnable of(Path file) throws KeyMaterialException;
  }

  /** Returns the files in use, each once. */
  List<Path> all() {
    return kinds.stream().flatMap(kind -> kind.files.get().stream()).distinct().toList();
  }

  /**
   * Reads all files again, to be activated together with a configuration.
   *
   * @return the action that activates them; a problem is added for each file that cannot be used
   */
  Runnable prepared(Problems problems) {
    List<Runnable> out = new ArrayList<>();
    for (Kind kind : kinds) {
      for (Path file : kind.files.get()) {
        try {
          out.add(kind.reading.of(file));
          out.add(() -> {
            String digest = ChangeEvents.digest(file);
            if (!digest.equals(digests.getOrDefault(file, ""))) {
              program.audit().note(event("reload", kind, file, digest));
            }
            reloaded(kind, file);
          });
        } catch (KeyMaterialException e) {
          problems.error(Origin.BUILT_IN, "", kind.name + " `" + file + "`: " + e.getMessage(), "");
        }
      }
    }
    return () -> out.forEach(Runnable::run);
  }

  /** Remembers the digests of all files, for events. */
  void know() {
    all().forEach(file -> digests.put(file, ChangeEvents.digest(file)));
  }

  /** Returns the digests of all files as {@link #know} has found them, by which a change while it is down is seen. */
  Value known() {
    List<Value> out = new ArrayList<>();
    for (Kind kind : kinds) {
      kind.files.get().stream().sorted().forEach(file -> {
        Map<String, Value> one = new LinkedHashMap<>();
        one.put("kind", Value.of(kind.name));
        one.put("file", Value.of(file.toString()));
        one.put("sha256", Value.of(digests.getOrDefault(file, "")));
        out.add(new Value.Dict(one));
      });
    }
    return new Value.Array(out);
  }

  private AuditEvent event(String by, Kind kind, Path file, String digest) {
    return ChangeEvents.key(by, kind.name, file, digests.getOrDefault(file, ""), digest);
  }

  /** Ends the problems of files that are not in use any more. */
  private void forgetUnused() {
    List<String> used = kinds.stream().flatMap(kind -> kind.files.get().stream().map(kind::problem)).toList();
    for (String key : List.copyOf(failing)) {
      if (!used.contains(key)) {
        failing.remove(key);
        log.ongoing().end(key);
      }
    }
  }

  /**
   * Reloads these files; the current keys stay in use where a file cannot be read.
   *
   * @param stores whether key and trust stores are reloaded too
   */
  void renew(Collection<Path> files, boolean stores) {
    if (!failing.isEmpty()) {
      forgetUnused();
    }
    Set<Path> due = new LinkedHashSet<>(waiting);
    waiting.clear();
    due.addAll(files);
    for (Path file : due) {
      for (Kind kind : kinds) {
        if ((stores || kind.isData) && kind.files.get().contains(file)) {
          renew(kind, file);
        }
      }
    }
  }

  private void renew(Kind kind, Path file) {
    try {
      Runnable activation = kind.reading.of(file);
      String digest = ChangeEvents.digest(file);
      program.audit().record(event("watch", kind, file, digest));
      activation.run();
      digests.put(file, digest);
      reloaded(kind, file);
    } catch (AuditException e) {
      waiting.add(file);
      failing.add(kind.problem(file));
      log.problem(kind.problem(file), kind.name + " reload failed", "_file", file, "_error", e.getMessage());
    } catch (KeyMaterialException e) {
      failing.add(kind.problem(file));
      log.problem(kind.problem(file), kind.name + " reload failed", "_file", file, "_error", e.getMessage());
    }
  }

  private void reloaded(Kind kind, Path file) {
    if (!log.resolved(kind.problem(file), kind.name + " reloaded", "_file", file)) {
      log.info(kind.name + " reloaded", "_file", file);
    }
  }
}
