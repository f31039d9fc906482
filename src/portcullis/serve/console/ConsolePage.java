package portcullis.serve.console;

/**
 * A page of the console. Its address is {@code /console/NAME}, and it gets all requests below that; a new page is one
 * class and one line in {@code serve/runtime/ConsolePages}. Thread safe.
 */
public interface ConsolePage {
  /** Returns its part of the address. */
  String name();

  /** Returns its title, also in the navigation. */
  String title();

  /** Returns whether it takes forms, which are sent by POST; their origin has been checked. */
  default boolean takesForms() {
    return false;
  }

  /** Returns what a request gets: GET, or POST if it takes forms. It contains no secrets. */
  ConsoleContent render(ConsoleVisit visit);
}
