package portcullis.policy.decision;

import java.util.Optional;
import java.util.Set;
import portcullis.http.message.Authority;
import portcullis.http.message.Reading;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.policy.route.Comparison;
import portcullis.policy.route.Lookup;
import portcullis.policy.route.Match;
import portcullis.policy.rule.Rule;

/**
 * The readings of one request besides the one that matched its rule. Upstreams apply several of them together, so all
 * combinations are checked; there are at most 256, and none for most requests.
 *
 * @param path as the upstream gets it
 * @param match of the rule; empty for the default rule
 */
record OtherReadings(Snapshot snapshot, Request request, RequestPath path, Rule rule, Optional<Match<Rule>> match) {
  /** Another rule that decides under another reading; {@code other} is empty if no rule does. */
  record Conflict(Set<Reading> readings, String path, Optional<Rule> other) {
    /** Returns the description for logs. */
    String text() {
      String owner = other
          .map(rule -> rule.isDefault() ? "the default rule" : "rule `" + rule.id() + "` of " + rule.source())
          .orElse("no rule");
      String how = readings.isEmpty() ? "" : " (" + Reading.text(readings) + ")";
      return "read as `" + path + "`" + how + " it belongs to " + owner;
    }
  }

  /** Returns the first reading that leads to another rule. */
  Optional<Conflict> conflict() {
    int applicable = applicable();
    boolean decoded = isDecoded();
    Optional<Conflict> found = decoded ? conflict(0) : Optional.empty();
    for (int bits = next(0, applicable); bits != 0 && found.isEmpty(); bits = next(bits, applicable)) {
      found = conflict(bits);
    }
    return found;
  }

  /** Returns the next larger number with these bits only, 0 after the largest. */
  private static int next(int bits, int of) {
    return bits - of & of;
  }

  /** Returns whether the upstream gets decoded slashes. */
  private boolean isDecoded() {
    return !path.equals(request.path());
  }

  private int applicable() {
    int guarded = rule.readings().guarded();
    int bits = guarded & path.otherReadings() & ~Reading.PORT.bit();
    if ((guarded & Reading.CASE.bit()) != 0 && snapshot.index().hasCapitals()) {
      bits |= Reading.CASE.bit();
    }
    boolean port = (guarded & Reading.PORT.bit()) != 0
        && snapshot.index().distinguishesPorts(request.url().scheme(), request.url().host().port());
    return port ? bits | Reading.PORT.bit() : bits;
  }

  private Optional<Conflict> conflict(int bits) {
    Set<Reading> readings = Reading.of(bits);
    String read = path.read(readings, spelledOut());
    Comparison how = new Comparison(readings.contains(Reading.CASE), readings.contains(Reading.PORT));
    Optional<Rule> other = found(read, how).map(Match::value).or(snapshot::defaultRule);
    boolean same = other.isPresent() && other.get().is(rule);
    return same || isRulesOwn(readings, other) ? Optional.empty() : Optional.of(new Conflict(readings, read, other));
  }

  /** Returns the length of the part of the path that the rule spells out itself, which is not read otherwise. */
  private int spelledOut() {
    int length = match.map(Match::spelledOut).orElse(0);
    return !isDecoded() || path.canonical().regionMatches(0, request.path().canonical(), 0, length) ? length : 0;
  }

  private Optional<Match<Rule>> found(String read, Comparison how) {
    Authority host = request.url().host();
    return snapshot.index().find(new Lookup(request.url().scheme(), request.method(), host.host(), host.port(), read),
        how);
  }

  /**
   * Returns whether the rule itself covers these readings. A rule that allows encoded slashes below segments that it
   * spells out covers everything below them, and a path with or without trailing slash, unless another rule names it; a
   * rule with a host that is at least as specific as the other covers its ports as well.
   */
  private boolean isRulesOwn(Set<Reading> readings, Optional<Rule> other) {
    boolean named = other.isPresent() && !other.get().isDefault();
    if (!named) {
      return allowsSlashes(readings) && spelledOut() > 0 || readings.contains(Reading.TRAILING_SLASH);
    }
    Authority host = request.url().host();
    int narrowness = readings.contains(Reading.PORT) ? rule.narrowness(host.host()) : 0;
    return narrowness > 0 && (host.port() == 0 || narrowness >= other.get().narrowness(host.host()));
  }

  private boolean allowsSlashes(Set<Reading> readings) {
    return isDecoded() || readings.contains(Reading.SLASHES);
  }
}
