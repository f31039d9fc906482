package portcullis.serve.provider;

import java.util.Optional;
import portcullis.lang.source.SourceFile;

/**
 * A change of one rule set.
 *
 * @param source the name of the rule set, as {@code file_system:/etc/rules/shop.yaml}
 * @param text empty if the rule set was removed
 */
public record Change(String source, Optional<SourceFile> text) {}
