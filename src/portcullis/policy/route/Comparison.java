package portcullis.policy.route;

/**
 * How requests and routes are compared.
 *
 * @param anyCase whether letter case makes no difference in paths
 * @param anyPort whether ports make no difference in hosts
 */
public record Comparison(boolean anyCase, boolean anyPort) {
  public static final Comparison EXACT = new Comparison(false, false);

  /** Returns a number for each, from 0 on. */
  int number() {
    return (anyCase ? 1 : 0) + (anyPort ? 2 : 0);
  }
}
