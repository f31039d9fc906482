package portcullis.serve.provider;

import java.util.Optional;
import portcullis.lang.source.SourceFile;

/**
 * What has become of one rule set.
 *
 * @param source by which it is known, as {@code file_system:/etc/rules/shop.yaml}
 * @param text empty where it is gone
 */
public record Change(String source, Optional<SourceFile> text) {}
