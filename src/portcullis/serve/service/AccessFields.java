package portcullis.serve.service;

import portcullis.observe.telemetry.AccessEvent;

/** Adds the fields of one protocol to the access events of a request. */
interface AccessFields {
  /** Adds what is known when the request begins. */
  void begin(Transaction transaction, AccessEvent event);

  /** Adds how the request was answered. */
  void status(Transaction transaction, AccessEvent event);
}
