package portcullis.lang.value;

import java.util.Optional;

/** Counts what is parsed of one document against its budget and reserves memory for it in advance; for one thread. */
public final class ParseMeter {
  /** A string may take two bytes per character. */
  private static final int TEXT_FACTOR = 2;
  /** Memory is reserved for so many values at once. */
  private static final int STEP = 512;

  private final ParseBudget budget;
  private final Optional<ParseMemory.Lease> lease;
  private final int nodeBytes;
  private int nodes;
  private int reserved;
  private int depth;

  private ParseMeter(ParseBudget budget, Optional<ParseMemory.Lease> lease, int nodeBytes) {
    this.budget = budget;
    this.lease = lease;
    this.nodeBytes = nodeBytes;
  }

  /** Returns a meter for JSON or forms, where a value takes up to 128 bytes. */
  public static ParseMeter compact(ParseBudget budget, ParseMemory.Lease lease) {
    return new ParseMeter(budget, Optional.of(lease), 128);
  }

  /** Returns a meter for YAML, where values temporarily have positions too. */
  public static ParseMeter located(ParseBudget budget, ParseMemory.Lease lease) {
    return new ParseMeter(budget, Optional.of(lease), 512);
  }

  /** Returns a meter that reserves no memory, for small or trusted documents. */
  public static ParseMeter uncounted(ParseBudget budget) {
    return new ParseMeter(budget, Optional.empty(), 0);
  }

  /** Starts a document of so many bytes. */
  public void begin(long bytes) throws BudgetExceededException {
    if (bytes > budget.bytes()) {
      throw BudgetExceededException.tooLarge("it is larger than " + budget.bytes() + " bytes");
    }
    reserved = (int) Math.min(STEP, bytes);
    reserve(TEXT_FACTOR * bytes + (long) reserved * nodeBytes);
  }

  /** Counts a value. */
  public void node() throws BudgetExceededException {
    nodes(1);
  }

  /** Counts several values. */
  public void nodes(int more) throws BudgetExceededException {
    if (more > budget.nodes() - nodes) {
      throw BudgetExceededException.tooLarge("it has more than " + budget.nodes() + " values");
    }
    nodes += more;
    if (nodes > reserved) {
      int step = Math.max(STEP, nodes - reserved);
      reserve((long) step * nodeBytes);
      reserved += step;
    }
  }

  private void reserve(long bytes) throws BudgetExceededException {
    if (lease.isPresent()) {
      lease.get().reserve(bytes);
    }
  }

  /** Checks the number of names of an object or form. */
  public void names(int distinct) throws BudgetExceededException {
    if (distinct > budget.names()) {
      throw BudgetExceededException.tooLarge("it has more than " + budget.names() + " distinct names");
    }
  }

  /** Enters a list or an object. */
  public void enter() throws BudgetExceededException {
    if (++depth > budget.depth()) {
      throw BudgetExceededException.tooLarge("it is nested more than " + budget.depth() + " levels deep");
    }
  }

  /** Leaves the list or object that was entered last. */
  public void leave() {
    depth--;
  }
}
