package portcullis.http.grpc;

/** The status of a call (gRPC, status codes), with its number on the wire. */
public enum Code {
  OK, CANCELLED, UNKNOWN, INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND, ALREADY_EXISTS, PERMISSION_DENIED,
  RESOURCE_EXHAUSTED, FAILED_PRECONDITION, ABORTED, OUT_OF_RANGE, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS,
  UNAUTHENTICATED;

  public int number() {
    return ordinal();
  }
}
