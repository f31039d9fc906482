package portcullis.migration;

import portcullis.lang.source.Origin;

/**
 * A place that a documented difference touches.
 *
 * @param what the value that is concerned, as it was written or named; may be empty
 */
public record MigrationFinding(Difference difference, Origin at, String path, String what) {}
