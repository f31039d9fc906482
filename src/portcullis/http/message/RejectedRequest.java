package portcullis.http.message;

/** A request that is answered with this status and nothing else; the reason is for the log. */
public record RejectedRequest(int status, String reason) implements IncomingRequest {}
