package portcullis.serve.shadow;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The result of a comparison; immutable. It holds nothing that clients have sent but ids of requests.
 *
 * @param since when it began
 * @param counts of requests by what changed
 * @param dropped requests for which there was no room
 * @param waiting requests that are still to be decided
 * @param groups the most frequent changes
 */
public record ShadowReport(Instant since, Map<Change, Long> counts, long dropped, long waiting,
    List<Group> groups) {
  /** What would change for a request. */
  public enum Change {
    NEWLY_ALLOWED("newly_allowed"), NEWLY_DENIED("newly_denied"), DENIED_OTHERWISE("denied_otherwise"),
    UNDECIDED("undecided"), UNCHANGED("unchanged");

    private final String key;

    Change(String key) {
      this.key = key;
    }

    /** Returns its name in reports. */
    public String key() {
      return key;
    }
  }

  /**
   * Requests for which the same changes.
   *
   * @param before how they were decided
   * @param now how the shadow rules decide them, or why that is not known
   * @param request id of one of them; empty if it had none
   */
  public record Group(Change change, long count, String before, String now, String request) {}

  public ShadowReport {
    counts = Map.copyOf(counts);
    groups = List.copyOf(groups);
  }

  public long count(Change change) {
    return counts.getOrDefault(change, 0L);
  }

  /** Returns how many requests were decided by the shadow rules. */
  public long decided() {
    return counts.values().stream().mapToLong(Long::longValue).sum() - count(Change.UNDECIDED);
  }
}
