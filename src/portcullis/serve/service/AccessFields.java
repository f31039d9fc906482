package portcullis.serve.service;

import portcullis.observe.telemetry.AccessEvent;

/** What the events of a request say of it. */
interface AccessFields {
  /** What is known when it begins. */
  void begin(Transaction transaction, AccessEvent event);

  /** How it was answered. */
  void status(Transaction transaction, AccessEvent event);
}
