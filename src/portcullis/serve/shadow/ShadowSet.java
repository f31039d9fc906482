package portcullis.serve.shadow;

import java.time.Instant;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.replay.Redecision;
import portcullis.policy.replay.ReplayDecider;

/**
 * Shadow rules that are compared with certain live rules, and what came of it. A change of either makes another set.
 * Requests are decided by it on one thread; the counts are thread safe.
 */
public final class ShadowSet {
  private final Redecision redecision;
  private final ShadowTally tally;

  /** @param rules made by the mechanisms of the decider */
  public ShadowSet(ReplayDecider decider, Snapshot rules, Instant since) {
    this.redecision = new Redecision(decider, rules);
    this.tally = new ShadowTally(since);
  }

  Redecision redecision() {
    return redecision;
  }

  ShadowTally tally() {
    return tally;
  }

  /** Returns what came of it so far. */
  public ShadowReport report() {
    return tally.report();
  }
}
