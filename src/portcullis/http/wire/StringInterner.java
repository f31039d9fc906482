package portcullis.http.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Keeps the methods and field names of nearly every message, so that they are not allocated each time. */
public final class StringInterner {
  private static final String[] WORDS = {
    "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "Host", "Accept", "Accept-Encoding", "Accept-Language",
    "Authorization", "Cache-Control", "Connection", "Content-Encoding", "Content-Length", "Content-Type", "Cookie",
    "Date", "ETag", "Expect", "Expires", "Forwarded", "If-Modified-Since", "If-None-Match", "Keep-Alive",
    "Last-Modified", "Location", "Origin", "Pragma", "Priority", "Referer", "Sec-Fetch-Dest", "Sec-Fetch-Mode",
    "Sec-Fetch-Site", "Server", "Set-Cookie", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
    "Upgrade-Insecure-Requests", "User-Agent", "Vary", "Via", "WWW-Authenticate", "X-Forwarded-For",
    "X-Forwarded-Host", "X-Forwarded-Method", "X-Forwarded-Proto", "X-Forwarded-Uri", "X-Real-IP", "X-Request-ID",
    "traceparent", "tracestate"
  };
  private static final int SLOTS = 1024;
  private static final String[] TABLE = table();

  private static final Map<String, String> LOWER_CASE = Arrays.stream(WORDS)
      .collect(Collectors.toUnmodifiableMap(w -> w, w -> w.toLowerCase(Locale.ROOT)));

  private StringInterner() {}

  private static String[] table() {
    String[] out = new String[SLOTS];
    for (String word : WORDS) {
      put(out, word);
      put(out, word.toLowerCase(Locale.ROOT));
    }
    return out;
  }

  // If two words share a slot the first is kept, and the other is allocated each time.
  private static void put(String[] table, String word) {
    int slot = slot(word.charAt(0), word.charAt(word.length() / 2), word.charAt(word.length() - 1), word.length());
    if (table[slot] == null) {
      table[slot] = word;
    }
  }

  private static int slot(int first, int middle, int last, int length) {
    return (first * 31 + middle * 7 + last * 131 + length * 61) & SLOTS - 1;
  }

  public static String lowerCase(String word) {
    String known = LOWER_CASE.get(word);
    return known != null ? known : word.toLowerCase(Locale.ROOT);
  }

  /** Returns the string of these bytes, at least one, each a character. */
  public static String text(byte[] bytes, int from, int to) {
    int length = to - from;
    String known = TABLE[slot(bytes[from] & 0xff, bytes[from + length / 2] & 0xff, bytes[to - 1] & 0xff, length)];
    return known != null && isText(known, bytes, from, length) ? known : new String(bytes, from, length, ISO_8859_1);
  }

  private static boolean isText(String word, byte[] bytes, int from, int length) {
    if (word.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (word.charAt(i) != (bytes[from + i] & 0xff)) {
        return false;
      }
    }
    return true;
  }
}
