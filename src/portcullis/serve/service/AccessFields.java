package portcullis.serve.service;

import java.util.Optional;
import portcullis.http.grpc.Code;
import portcullis.http.message.ResponseWriter;
import portcullis.observe.telemetry.AccessEvent;

/** Adds the fields of one protocol to the access events of a request. */
interface AccessFields {
  /** Adds what is known when the request begins. */
  void begin(Transaction transaction, AccessEvent event);

  /** Adds how the request was answered. */
  void status(ResponseWriter reply, Optional<Code> code, AccessEvent event);
}
