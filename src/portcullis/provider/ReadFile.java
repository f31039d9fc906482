package portcullis.provider;

import portcullis.source.SourceFile;

/** A file as it was read last; immutable. */
record ReadFile(FileStamp stamp, SourceFile text) {}
