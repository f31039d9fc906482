package portcullis.serve.feed;

import java.util.Locale;

/**
 * Which entries somebody wants to see; an empty string takes all. Immutable.
 *
 * @param subject the whole subject
 * @param path a part of method, host and path, as {@code GET shop.example/account}
 * @param rule the whole id of a rule, or the source of its rule set
 * @param request the whole id of a request or its trace
 */
public record FeedFilter(boolean denied, String subject, String path, String rule, String request) {
  public static final FeedFilter DENIED = new FeedFilter(true, "", "", "", "");

  public boolean takes(FeedEntry entry) {
    return !(denied && entry.allowed()) && (subject.isEmpty() || subject.equals(entry.subject()))
        && (rule.isEmpty() || rule.equals(entry.rule()) || rule.equals(entry.ruleSet()))
        && (request.isEmpty() || request.equals(entry.requestId()) || request.equals(entry.trace()))
        && (path.isEmpty() || place(entry).contains(path.toLowerCase(Locale.ROOT)));
  }

  private static String place(FeedEntry entry) {
    return (entry.method() + " " + entry.host() + entry.path()).toLowerCase(Locale.ROOT);
  }

  /** Returns whether it takes all refusals. */
  public boolean isEmpty() {
    return subject.isEmpty() && path.isEmpty() && rule.isEmpty() && request.isEmpty();
  }
}
