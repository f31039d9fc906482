package portcullis.serve.provider;

import portcullis.lang.source.SourceFile;

/** The content of a file when it was last read; immutable. */
record ReadFile(FileStamp stamp, SourceFile text) {}
