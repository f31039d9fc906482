package portcullis.reference;

import java.util.function.Supplier;

/**
 * A topic of {@code portcullis help}, which is also a reference page.
 *
 * @param doc what it is about, one sentence
 */
public record Topic(String name, String doc, Supplier<Page> page) {}
