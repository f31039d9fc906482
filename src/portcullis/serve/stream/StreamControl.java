package portcullis.serve.stream;

/** Ends an exchange in progress; called by other threads than that of the exchange, which must not wait. */
public interface StreamControl {
  /** Starts to end it, in the way of its protocol. */
  void end(EndReason reason);

  /** Ends it at once, as it has not ended in time. */
  void kill();
}
