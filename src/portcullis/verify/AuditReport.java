package portcullis.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import portcullis.lang.source.TerminalText;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/**
 * The result of verifying files of an audit chain; immutable.
 *
 * @param findings of no chain in particular
 * @param notes what does not prove anything wrong
 */
public record AuditReport(List<Chain> chains, List<AuditFinding> findings, List<String> notes) {
  /**
   * A chain.
   *
   * @param first and last the numbers of the lines that are right
   * @param confirmed the number of the last checkpoint; 0 if there is none
   * @param key of it; empty if there is none
   * @param closed whether the log ends as it does when the service stops
   * @param torn where its last line is incomplete
   * @param finding the first line that is not right
   * @param recorded what the chain itself says of other programs and its files
   */
  public record Chain(String id, long first, long last, long confirmed, String key, boolean closed,
      Optional<String> torn, Optional<AuditFinding> finding, List<String> recorded) {
    public Chain {
      recorded = List.copyOf(recorded);
    }

    /** Returns what does not prove anything wrong; nothing where something is. */
    List<String> notes() {
      List<String> out = new ArrayList<>();
      out.addAll(recorded);
      torn.ifPresent(at -> out.add(at + " is incomplete: the process was killed while it wrote, or the file was cut"));
      if (first > 1) {
        out.add("older lines, numbers 1 to " + (first - 1) + ", are not in these files");
      }
      if (last > confirmed) {
        out.add("the newest lines, from number " + (confirmed + 1) + " on, are not confirmed yet");
      }
      if (!closed) {
        out.add("the service was not stopped after the newest line: it runs, or it was killed, or lines are missing");
      }
      return finding.isPresent() ? List.of() : out;
    }
  }

  static final String UNCHECKED = "signatures were not checked, so whoever can write the files may have changed "
      + "anything: name the public key by `--key`";

  public AuditReport {
    chains = List.copyOf(chains);
    findings = List.copyOf(findings);
    notes = List.copyOf(notes);
  }

  /** Returns everything that is wrong, one for each chain at most. */
  public List<AuditFinding> all() {
    return Stream.concat(chains.stream().flatMap(chain -> chain.finding.stream()), findings.stream()).toList();
  }

  public String text() {
    List<String> out = new ArrayList<>();
    for (Chain chain : chains) {
      chain.finding.ifPresentOrElse(finding -> out.add(line(finding)),
          () -> out.addAll(right(chain, notes.contains(UNCHECKED))));
    }
    findings.forEach(finding -> out.add(line(finding)));
    notes.forEach(note -> out.add("note: " + note));
    return out.stream().map(TerminalText::of).collect(Collectors.joining("\n"));
  }

  private static List<String> right(Chain chain, boolean unchecked) {
    List<String> out = new ArrayList<>();
    out.add("unchanged: chain " + chain.id + ", numbers " + chain.first + " to " + chain.last + ", confirmed up to "
        + chain.confirmed
        + (chain.key.isEmpty() ? "" : " by key " + chain.key + (unchecked ? " as the file says" : "")));
    chain.notes().forEach(note -> out.add("note: " + note));
    return out;
  }

  private static String line(AuditFinding finding) {
    return finding.kind().text() + ": " + (finding.at().isEmpty() ? "" : finding.at() + ": ") + finding.text()
        + (finding.last() > finding.first() ? " (numbers " + finding.first() + " to " + finding.last() + ")"
            : finding.first() > 0 ? " (number " + finding.first() + ")" : "");
  }

  public String json() {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("unchanged", Value.of(all().isEmpty()));
    out.put("chains", new Value.Array(chains.stream().map(AuditReport::json).toList()));
    out.put("findings", new Value.Array(all().stream().map(AuditReport::json).toList()));
    out.put("notes", Value.Array.ofStrings(notes));
    return TerminalText.escaped(JsonText.plain(new Value.Dict(out)), "");
  }

  private static Value json(Chain chain) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("chain", Value.of(chain.id));
    out.put("first", Value.of(chain.first));
    out.put("last", Value.of(chain.last));
    out.put("confirmed", Value.of(chain.confirmed));
    out.put("key", Value.of(chain.key));
    out.put("closed", Value.of(chain.closed));
    chain.torn.ifPresent(at -> out.put("torn", Value.of(at)));
    chain.finding.ifPresent(finding -> out.put("finding", json(finding)));
    out.put("notes", Value.Array.ofStrings(chain.notes()));
    return new Value.Dict(out);
  }

  private static Value json(AuditFinding finding) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("kind", Value.of(finding.kind().text()));
    out.put("at", Value.of(finding.at()));
    out.put("first", Value.of(finding.first()));
    out.put("last", Value.of(finding.last()));
    out.put("text", Value.of(finding.text()));
    return new Value.Dict(out);
  }
}
