package portcullis.serve.runtime;

import java.util.List;
import portcullis.policy.rule.RuleOrigin;
import portcullis.serve.fleet.Member;

/** The digests of what this program decides by, computed once for each version of the rules. Thread safe. */
final class OwnDigests {
  private final Program program;
  private volatile Known known = new Known(-1, "");

  private record Known(long version, String rules) {}

  OwnDigests(Program program) {
    this.program = program;
  }

  Member.Digests now() {
    long version = program.reloader().snapshot().version();
    Known last = known;
    if (last.version != version) {
      List<String> all = program.reloader().applied().values().stream().map(file -> RuleOrigin.digest(file.text()))
          .sorted().toList();
      last = new Known(version, RuleOrigin.digest(String.join("\n", all)));
      known = last;
    }
    return new Member.Digests(last.rules, program.latest().digest());
  }
}
