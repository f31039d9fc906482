package portcullis.serve.provider;

import portcullis.lang.source.SourceFile;

/** A file as it was read last; immutable. */
record ReadFile(FileStamp stamp, SourceFile text) {}
