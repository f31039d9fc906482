package portcullis.serve.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DecisionFeedTest {
  private static final FeedFilter ALL = new FeedFilter(false, "", "", "", "");

  private final DecisionFeed feed = new DecisionFeed();

  static FeedEntry entry(boolean allowed, String path, String subject, String rule) {
    return new FeedEntry(0, Instant.EPOCH, allowed, allowed ? "200" : "403", "GET", "shop.example", path, "192.0.2.1",
        subject, rule, "file_system:rules", "rules.yaml:3", "admins", "authorization_error", "only root", "id-" + path,
        "", 1000, List.of());
  }

  @Test
  void lastRefusalsAreKept() {
    for (int i = 1; i <= 250; i++) {
      feed.add(entry(false, "/" + i, "", ""));
    }
    List<FeedEntry> kept = feed.refusals(FeedFilter.DENIED);
    assertEquals(DecisionFeed.KEPT, kept.size());
    assertEquals("/250", kept.getFirst().path());
    assertEquals("/51", kept.getLast().path());
    assertEquals(250, feed.count());
    assertEquals(Optional.of("/51"), feed.find(51).map(FeedEntry::path));
    assertEquals(Optional.empty(), feed.find(50));
    assertEquals(Optional.empty(), feed.find(251));
    assertEquals(Optional.empty(), feed.find(0));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
      alice | -                     | -                 | -      | /a
      ali   | -                     | -                 | -      | -
      -     | /A                    | -                 | -      | /a
      -     | GET shop.example/b    | -                 | -      | /b
      -     | -                     | r2                | -      | /b
      -     | -                     | file_system:rules | -      | /b /a
      -     | -                     | -                 | id-/b  | /b
      alice | /b                    | -                 | -      | -
      """)
  void refusalsAreFoundBySubjectPathRuleAndId(String subject, String path, String rule, String request, String found) {
    feed.add(entry(false, "/a", "alice", "r1"));
    feed.add(entry(false, "/b", "bob", "r2"));
    FeedFilter filter = new FeedFilter(true, text(subject), text(path), text(rule), text(request));
    assertEquals(text(found), String.join(" ", feed.refusals(filter).stream().map(FeedEntry::path).toList()));
  }

  private static String text(String value) {
    return value == null ? "" : value;
  }

  @Test
  void whatIsAllowedIsTakenForFollowersOnly() throws InterruptedException {
    assertTrue(feed.takes(false));
    assertFalse(feed.takes(true));
    try (FeedFollower refusals = feed.follow(FeedFilter.DENIED)) {
      assertFalse(feed.takes(true));
      try (FeedFollower all = feed.follow(ALL)) {
        assertTrue(feed.takes(true));
        feed.add(entry(true, "/a", "", ""));
        assertEquals(Optional.of("/a"), all.next(Duration.ZERO).map(FeedEntry::path));
        assertEquals(Optional.empty(), refusals.next(Duration.ZERO));
      }
      assertFalse(feed.takes(true));
    }
    assertEquals(List.of(), feed.refusals(FeedFilter.DENIED));
  }

  @Test
  void slowFollowersMissEntriesAndLearnIt() throws InterruptedException {
    try (FeedFollower follower = feed.follow(ALL)) {
      for (int i = 0; i < 300; i++) {
        feed.add(entry(false, "/" + i, "", ""));
      }
      assertEquals(Optional.of("/0"), follower.next(Duration.ZERO).map(FeedEntry::path));
      assertEquals(44, follower.missed());
      assertEquals(0, follower.missed());
    }
  }

  @Test
  void whatClientsChooseIsBounded() {
    String huge = "x".repeat(100_000);
    FeedEntry entry = new FeedEntry(0, Instant.EPOCH, false, "403", huge, huge, huge, "::1", huge, "r", "s", "", "",
        "", huge, huge, "", 1, List.of(new DecidedStep("a", "authorizer", "cel", "failed", 1, "", huge)));
    int size = entry.method().length() + entry.host().length() + entry.path().length() + entry.subject().length()
        + entry.reason().length() + entry.requestId().length() + entry.steps().getFirst().reason().length();
    assertTrue(size < 4_000, () -> "" + size);
  }
}
