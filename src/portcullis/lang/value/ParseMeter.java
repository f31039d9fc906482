package portcullis.lang.value;

import java.util.Optional;

/** Counts what is parsed of one document against its budget, and reserves memory for it ahead; for one thread. */
public final class ParseMeter {
  /** What a text takes beside its bytes: it may need two for each character. */
  private static final int TEXT_FACTOR = 2;
  /** Values are paid for so many at once. */
  private static final int STEP = 512;

  private final ParseBudget budget;
  private final Optional<ParseMemory.Lease> lease;
  private final int nodeBytes;
  private int nodes;
  private int paid;
  private int depth;

  private ParseMeter(ParseBudget budget, Optional<ParseMemory.Lease> lease, int nodeBytes) {
    this.budget = budget;
    this.lease = lease;
    this.nodeBytes = nodeBytes;
  }

  /** Of JSON or a form, where a value takes up to 128 bytes. */
  public static ParseMeter compact(ParseBudget budget, ParseMemory.Lease lease) {
    return new ParseMeter(budget, Optional.of(lease), 128);
  }

  /** Of YAML, where a value also has its place in the document for a while. */
  public static ParseMeter located(ParseBudget budget, ParseMemory.Lease lease) {
    return new ParseMeter(budget, Optional.of(lease), 512);
  }

  /** Of what takes too little memory to count, or is nobody's to bound. */
  public static ParseMeter uncounted(ParseBudget budget) {
    return new ParseMeter(budget, Optional.empty(), 0);
  }

  /** Begins a document of so many bytes. */
  public void begin(long bytes) throws OverBudget {
    if (bytes > budget.bytes()) {
      throw OverBudget.tooLarge("it is larger than " + budget.bytes() + " bytes");
    }
    paid = (int) Math.min(STEP, bytes);
    reserve(TEXT_FACTOR * bytes + (long) paid * nodeBytes);
  }

  /** Counts a value. */
  public void node() throws OverBudget {
    nodes(1);
  }

  /** Counts so many values. */
  public void nodes(int more) throws OverBudget {
    if (more > budget.nodes() - nodes) {
      throw OverBudget.tooLarge("it has more than " + budget.nodes() + " values");
    }
    nodes += more;
    if (nodes > paid) {
      int step = Math.max(STEP, nodes - paid);
      reserve((long) step * nodeBytes);
      paid += step;
    }
  }

  private void reserve(long bytes) throws OverBudget {
    if (lease.isPresent()) {
      lease.get().reserve(bytes);
    }
  }

  /** Checks how many names an object or a form has by now. */
  public void names(int distinct) throws OverBudget {
    if (distinct > budget.names()) {
      throw OverBudget.tooLarge("it has more than " + budget.names() + " distinct names");
    }
  }

  /** Begins a list or an object. */
  public void enter() throws OverBudget {
    if (++depth > budget.depth()) {
      throw OverBudget.tooLarge("it is nested more than " + budget.depth() + " levels deep");
    }
  }

  /** Ends it. */
  public void leave() {
    depth--;
  }
}
