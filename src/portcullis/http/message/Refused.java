package portcullis.http.message;

/** A request that is answered with this status and nothing else; the reason is for the log. */
public record Refused(int status, String reason) implements Arrival {}
