package portcullis.http.client;

/** What takes one of the connections that a route may have. */
interface Occupant {
  Route route();

  /** Ends it at once. */
  void abort();
}
