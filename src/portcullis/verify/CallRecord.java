package portcullis.verify;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The calls that one case makes, and which stubs answered them. Thread safe. */
final class CallRecord {
  private final List<Stub> stubs;
  private final List<Call> calls = new ArrayList<>();
  private final List<Call> unanswered = new ArrayList<>();
  private final Set<Integer> used = new LinkedHashSet<>();
  private String step = "";

  /** @param stubs the first that fits answers */
  CallRecord(List<Stub> stubs) {
    this.stubs = stubs;
  }

  /** The step that runs makes the calls from now on; empty for none. */
  synchronized void step(String id) {
    step = id;
  }

  synchronized String step() {
    return step;
  }

  /** Records the call; empty where no stub fits. */
  synchronized Optional<Stub> answer(Call call) {
    calls.add(call);
    for (int i = 0; i < stubs.size(); i++) {
      if (stubs.get(i).fits(call)) {
        used.add(i);
        return Optional.of(stubs.get(i));
      }
    }
    unanswered.add(call);
    return Optional.empty();
  }

  synchronized List<Call> calls() {
    return List.copyOf(calls);
  }

  synchronized List<Call> unanswered() {
    return List.copyOf(unanswered);
  }

  /** By their places in the list of stubs. */
  synchronized Set<Integer> used() {
    return Set.copyOf(used);
  }
}
