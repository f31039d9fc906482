package portcullis.http.message;

/** A rejected request, answered with this status and without a body; the reason is for the log. */
public record RejectedRequest(int status, String reason) implements IncomingRequest {}
