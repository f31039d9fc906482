package portcullis.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;
import portcullis.lang.source.FileFailure;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;

/** Verifies files of an audit chain, in any order, and reports how they were changed. */
public final class AuditVerification {
  private AuditVerification() {}

  /** A file and its position in its chain. */
  private record Placed(AuditFile file, long number) {}

  /**
   * Verifies files.
   *
   * @param keys public keys; without any, signatures are not checked
   * @param anchor a file with checkpoints that were sent elsewhere
   * @return empty exactly if a problem was added
   */
  public static Optional<AuditReport> run(List<Path> files, List<PublicKey> keys, Optional<Path> anchor,
      Problems problems) {
    try {
      return report(files, new AuditKeys(keys), anchor, problems);
    } catch (IOException | UncheckedIOException e) {
      problems.error(Origin.BUILT_IN, "", "cannot read " + FileFailure.reason(e), "");
      return Optional.empty();
    }
  }

  private static Optional<AuditReport> report(List<Path> files, AuditKeys keys, Optional<Path> anchor,
      Problems problems) throws IOException {
    List<String> notes = new ArrayList<>();
    List<AuditFinding> findings = new ArrayList<>();
    SequencedMap<String, List<Placed>> chains = chains(files, findings, notes);
    if (chains.isEmpty()) {
      problems.error(Origin.BUILT_IN, "", "no line of an audit chain is in these files"
          + findings.stream().map(AuditFinding::at)
              .collect(Collectors.joining(", ", findings.isEmpty() ? "" : ": ", "")),
          "name files that `decision_log.file` with `decision_log.audit` has written");
      return Optional.empty();
    }
    if (!keys.areGiven()) {
      notes.add(AuditReport.UNCHECKED);
    }
    Optional<AuditAnchor> anchored = anchor.isEmpty() ? Optional.empty()
        : Optional.of(AuditAnchor.read(anchor.get(), keys));
    List<AuditReport.Chain> results = new ArrayList<>();
    for (Map.Entry<String, List<Placed>> chain : chains.entrySet()) {
      results.add(new AuditCheck(chain.getKey(),
          chain.getValue().stream().sorted(Comparator.comparing(Placed::number)).map(Placed::file).toList(), keys,
          anchored.map(one -> one.of(chain.getKey()))).result());
    }
    anchored.filter(one -> one.ignored() > 0).ifPresent(one -> notes.add(one.ignored()
        + " checkpoints of the anchor do not count: they are damaged, or signed by another key"));
    if (anchored.isPresent()) {
      missing(chains, anchored.get(), findings, notes);
    }
    return Optional.of(new AuditReport(results, findings, notes));
  }

  /** Sorts the files, each once, by their chains. */
  private static SequencedMap<String, List<Placed>> chains(List<Path> files, List<AuditFinding> findings,
      List<String> notes) throws IOException {
    SequencedMap<String, List<Placed>> out = new LinkedHashMap<>();
    Set<Path> known = new HashSet<>();
    boolean areAllOthers = files.stream().allMatch(path -> new AuditFile(path).otherKind().isPresent());
    for (Path path : files) {
      AuditFile file = new AuditFile(path);
      if (!areAllOthers && file.otherKind().isPresent()) {
        findings.add(new AuditFinding(AuditFinding.Kind.INSERTED, path.toString(), 0, 0,
            file.otherKind().get() + ", and no file of the log: another program has put it there"));
        continue;
      }
      Optional<AuditFile.Position> position = file.position();
      if (!known.add(path.toRealPath())) {
        notes.add(path + " is named twice, and counts once");
      } else if (position.isPresent()) {
        out.computeIfAbsent(position.get().chain(), _ -> new ArrayList<>())
            .add(new Placed(file, position.get().number()));
      } else if (file.hasWholeLine()) {
        findings.add(new AuditFinding(AuditFinding.Kind.INSERTED, path + ":1", 0, 0,
            "no line of this file is of an audit chain; do not name a file of before the chain"));
      } else {
        notes.add(path + " has no whole line");
      }
    }
    return out;
  }

  /**
   * Finds that a whole log was taken away: the newest checkpoint of the anchor is of a chain that is not there, or a
   * later chain began without a log of that one. What is missing besides may have been too old to be kept.
   */
  private static void missing(Map<String, List<Placed>> chains, AuditAnchor anchor, List<AuditFinding> findings,
      List<String> notes) throws IOException {
    List<String> known = anchor.chains();
    Optional<String> newest = anchor.newest().map(checkpoint -> checkpoint.line().chain());
    for (int i = 0; i < known.size(); i++) {
      if (chains.containsKey(known.get(i))) {
        continue;
      }
      String which = "chain " + known.get(i) + ", number " + anchor.of(known.get(i)).lastKey()
          + ", which is in none of the files";
      if (newest.equals(Optional.of(known.get(i)))) {
        findings.add(new AuditFinding(AuditFinding.Kind.TRUNCATED, "", 0, 0,
            "the newest checkpoint of the anchor is of " + which));
      } else if (hasBegunAnew(chains, known.subList(i + 1, known.size()))) {
        findings.add(new AuditFinding(AuditFinding.Kind.TRUNCATED, "", 0, 0, "the anchor has " + which
            + ", and a later one began without it: name its files, too, or it was taken away"));
      } else {
        notes.add("the anchor has " + which);
      }
    }
  }

  /** Returns whether the first line of one of these chains is there, and says that there was no chain before it. */
  private static boolean hasBegunAnew(Map<String, List<Placed>> chains, List<String> later) throws IOException {
    boolean[] found = {false};
    for (String chain : later) {
      for (Placed placed : chains.getOrDefault(chain, List.of())) {
        placed.file.read(line -> {
          found[0] |= line.place().filter(place -> place.chain().equals(chain) && place.number() == 1).isPresent()
              && line.before().filter(Set.of("nothing", "not_a_chain")::contains).isPresent();
          return false;
        });
      }
    }
    return found[0];
  }
}
