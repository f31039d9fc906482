package portcullis.http.message;

/** Recognizes gRPC calls, in which both sides may pause for as long as a connection may be idle. */
public final class GrpcCall {
  private static final String TYPE = "application/grpc";

  private GrpcCall() {}

  /**
   * Returns whether a request is a gRPC call, by {@code Content-Type: application/grpc [("+proto" / "+json" / …)]};
   * gRPC-Web is plain HTTP.
   */
  public static boolean is(Fields fields) {
    return fields.first("content-type").filter(GrpcCall::isType).isPresent();
  }

  private static boolean isType(String type) {
    return type.startsWith(TYPE) && (type.length() == TYPE.length() || "+; ".indexOf(type.charAt(TYPE.length())) >= 0);
  }
}
