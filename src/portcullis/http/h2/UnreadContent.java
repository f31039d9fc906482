package portcullis.http.h2;

import java.util.ArrayDeque;

/** Received content that has not been read, merged into few pieces. For one thread at a time. */
final class UnreadContent {
  private static final int LEAST_PIECE = 256;
  private static final int PIECE = 4096;

  private final ArrayDeque<byte[]> pieces = new ArrayDeque<>(1);
  private int offset;
  private int spare;
  private int size;

  /** Returns the number of bytes. */
  int size() {
    return size;
  }

  /** Adds content, whose array is no longer the caller's. */
  void add(byte[] content) {
    int copied = Math.min(spare, content.length);
    if (copied > 0) {
      byte[] last = pieces.getLast();
      System.arraycopy(content, 0, last, last.length - spare, copied);
      spare -= copied;
    }
    int rest = content.length - copied;
    if (rest > 0) {
      add(content, copied, rest);
    }
    size += content.length;
  }

  private void add(byte[] content, int from, int length) {
    if (from == 0 && (pieces.isEmpty() || length >= PIECE)) {
      pieces.add(content);
      return;
    }
    byte[] piece = new byte[Math.max(length, Math.clamp(size, LEAST_PIECE, PIECE))];
    System.arraycopy(content, from, piece, 0, length);
    spare = piece.length - length;
    pieces.add(piece);
  }

  /** Takes some of it, the oldest first; at least one byte where there is any. */
  int take(byte[] into, int from, int length) {
    byte[] first = pieces.getFirst();
    int end = pieces.size() == 1 ? first.length - spare : first.length;
    int n = Math.min(length, end - offset);
    System.arraycopy(first, offset, into, from, n);
    offset += n;
    size -= n;
    if (offset == end) {
      pieces.removeFirst();
      offset = 0;
      spare = pieces.isEmpty() ? 0 : spare;
    }
    return n;
  }

  /** Drops all of it, and returns how many bytes that was. */
  int clear() {
    int out = size;
    pieces.clear();
    offset = 0;
    spare = 0;
    size = 0;
    return out;
  }
}
