package portcullis.policy.replay;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The calls that one request makes, and which answers were given to them. Thread safe. */
public final class CallRecord {
  private final List<? extends CannedAnswer> answers;
  private final List<Call> calls = new ArrayList<>();
  private final List<Call> unanswered = new ArrayList<>();
  private final Set<Integer> used = new LinkedHashSet<>();
  private String step = "";

  /** @param answers the first that fits answers */
  public CallRecord(List<? extends CannedAnswer> answers) {
    this.answers = answers;
  }

  /** The step that runs makes the calls from now on; empty for none. */
  public synchronized void step(String id) {
    step = id;
  }

  public synchronized String step() {
    return step;
  }

  /** Records the call; empty where none fits. */
  synchronized Optional<CannedAnswer> answer(Call call) {
    calls.add(call);
    for (int i = 0; i < answers.size(); i++) {
      if (answers.get(i).fits(call)) {
        used.add(i);
        return Optional.of(answers.get(i));
      }
    }
    unanswered.add(call);
    return Optional.empty();
  }

  public synchronized List<Call> calls() {
    return List.copyOf(calls);
  }

  public synchronized List<Call> unanswered() {
    return List.copyOf(unanswered);
  }

  /** By their places in the list of answers. */
  public synchronized Set<Integer> used() {
    return Set.copyOf(used);
  }
}
