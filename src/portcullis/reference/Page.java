package portcullis.reference;

/**
 * A reference page in Markdown.
 *
 * @param file its path below {@code config/docs/reference}
 */
public record Page(String file, String title, String text) {}
