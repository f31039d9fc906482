package portcullis.http.client;

/** Lists of tokens in field values. */
final class TokenList {
  private TokenList() {}

  /** Returns whether the token is in the list {@code #token} (RFC 9110, 5.6.1), whatever its letter case. */
  static boolean has(String list, String word) {
    int from = 0;
    while (from <= list.length()) {
      int comma = list.indexOf(',', from);
      int to = comma < 0 ? list.length() : comma;
      if (to - from >= word.length() && list.substring(from, to).strip().equalsIgnoreCase(word)) {
        return true;
      }
      from = to + 1;
    }
    return false;
  }
}
