package portcullis.endpoint;

/** A token and how it is presented, as {@code Bearer}. */
public record AccessToken(String type, String value) {}
