package portcullis.http.server;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Bounds what a client makes the JDK compute that is of no use to it. The JDK collects a handshake from as many records
 * as it comes in, and copies what it has for each; and it reads on within one call where records have no data: empty
 * ones, alerts, and TLS 1.3's updates of keys, of which it takes 3,000 in a single record. For one thread at a time.
 *
 * <p>A client's side of a handshake is bounded in records and bytes; the JDK takes 32 KB for a message, as its
 * certificates are. Afterwards records without data are paid for, by their size, from what data has earned: one update
 * of keys, alone in its record as the standard demands, for seven records with data, and some dozen before. Clients do
 * it once in millions of records.
 */
final class RecordBudget {
  static final int HANDSHAKE_BYTES = 1 << 16;
  static final int HANDSHAKE_RECORDS = 128;
  static final int FIRST = 1024;
  /** As long as a record can be, as one with padding is. */
  static final int MOST = 5 + (1 << 14) + 256;
  static final int EARNED = 4;
  static final String LONG = "a TLS handshake of more than 128 records or 64 KB";
  static final String IDLE = "more TLS records without data than a connection may have";
  private static final int HEADER = 5;

  private boolean open;
  private boolean hasData;
  private int header;
  private int length;
  private int rest;
  private int bytes;
  private int records;
  private int left = FIRST;

  /** Records that the handshake is complete, with the record that was taken last. */
  void open() {
    open = true;
    length = 0;
  }

  /** Returns a stream of the data in the records, which notes the records that have some. */
  InputStream data(InputStream decrypted) {
    return new Data(decrypted);
  }

  /** Records that the record that was taken last had data. */
  void data() {
    hasData = true;
  }

  /** Takes what is read next, and returns why it was too much, if it was; nothing is to be read then. */
  Optional<String> take(byte[] from, int offset, int count) {
    Optional<String> excess = Optional.empty();
    int at = offset;
    int end = offset + count;
    while (at < end) {
      if (rest > 0) {
        int n = Math.min(rest, end - at);
        rest -= n;
        at += n;
      } else {
        if (header == 0 && excess.isEmpty()) {
          excess = next();
        }
        header(from[at] & 0xff);
        at++;
      }
    }
    return excess;
  }

  private void header(int octet) {
    length = header < HEADER - 2 ? 0 : length << 8 | octet;
    header++;
    if (header == HEADER) {
      header = 0;
      rest = length;
      length += HEADER;
      bytes = open ? bytes : bytes + length;
    }
  }

  /** Accounts for the record before the one that begins. */
  private Optional<String> next() {
    boolean excess;
    if (open) {
      left = hasData ? Math.min(left + EARNED, MOST) : left - length;
      excess = left < 0;
    } else {
      records++;
      excess = records > HANDSHAKE_RECORDS || bytes > HANDSHAKE_BYTES;
    }
    hasData = false;
    return excess ? Optional.of(open ? IDLE : LONG) : Optional.empty();
  }

  private final class Data extends FilterInputStream {
    Data(InputStream decrypted) {
      super(decrypted);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int n = super.read(into, offset, length);
      if (n > 0) {
        data();
      }
      return n;
    }
  }
}
