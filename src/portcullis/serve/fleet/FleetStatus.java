package portcullis.serve.fleet;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import portcullis.lang.value.Value;

/**
 * What this instance knows of its fleet; immutable.
 *
 * @param connected whether Redis can be used
 * @param pending the number of changes of locks that others do not know yet
 * @param rejected the number of entries that were ignored
 * @param others the other instances of the last heartbeat
 */
public record FleetStatus(boolean connected, Outage outage, int pending, long rejected, Member own,
    List<Member> others) {
  /** Returns how many other instances differ from this one. */
  public long drift() {
    return others.stream().filter(one -> !one.differences(own).isEmpty()).count();
  }

  /** Returns how many other instances differ from this one in that. */
  public long drift(Member.Difference difference) {
    return others.stream().filter(one -> one.differences(own).contains(difference)).count();
  }

  public Value.Dict document() {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("name", Value.of(own.name()));
    out.put("connected", Value.of(connected));
    out.put("on_outage", Value.of(outage.name().toLowerCase(Locale.ROOT)));
    out.put("pending", Value.of(pending));
    out.put("rejected", Value.of(rejected));
    out.put("drift", Value.of(drift()));
    out.put("instances", new Value.Array(Stream.concat(Stream.of(own),
        others.stream()).map(one -> (Value) document(one)).toList()));
    return new Value.Dict(out);
  }

  private Value.Dict document(Member member) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("name", Value.of(member.name()));
    out.put("version", Value.of(member.version()));
    out.put("since", Value.of(member.since().toString()));
    out.put("seen", Value.of(member.seen().toString()));
    out.put("rules_sha256", Value.of(member.digests().rules()));
    out.put("configuration_sha256", Value.of(member.digests().configuration()));
    Set<Member.Difference> differences = member.differences(own);
    out.put("differs", Value.Array.ofStrings(differences.stream().map(Member.Difference::text).toList()));
    return new Value.Dict(out);
  }
}
