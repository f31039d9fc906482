package portcullis.serve.console;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import portcullis.lang.markup.Html;
import portcullis.lang.value.Digits;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.serve.feed.DecisionFeed;
import portcullis.serve.feed.FeedEntry;
import portcullis.serve.feed.FeedFilter;
import portcullis.serve.feed.FeedFollower;

/** The page of recent refusals, with one for each of them that shows why; and decisions as events. Thread safe. */
public final class RefusalsPage implements ConsolePage {
  private static final int LONGEST_NUMBER = 18;

  private final DecisionFeed feed;

  public RefusalsPage(DecisionFeed feed) {
    this.feed = feed;
  }

  @Override
  public String name() {
    return "refusals";
  }

  @Override
  public String title() {
    return "Refusals";
  }

  @Override
  public ConsoleContent render(ConsoleVisit visit) {
    return switch (visit.rest()) {
      case "" -> list(visit);
      case "events" -> new ConsoleContent.Events(() -> reader(visit));
      default -> detail(visit.rest());
    };
  }

  private static FeedFilter filter(ConsoleVisit visit) {
    boolean all = visit.parameter("decision").filter("all"::equals).isPresent();
    return new FeedFilter(!all, visit.parameter("subject").orElse(""), visit.parameter("path").orElse(""),
        visit.parameter("rule").orElse(""), visit.parameter("request").orElse(""));
  }

  private ConsoleContent list(ConsoleVisit visit) {
    FeedFilter filter = filter(visit);
    List<FeedEntry> entries = feed.refusals(filter);
    return ConsoleContent.page(title(), RefusalViews.list(filter, entries, feed.count()));
  }

  private ConsoleContent detail(String number) {
    Optional<FeedEntry> entry = Digits.are(number, LONGEST_NUMBER)
        ? feed.find(Long.parseLong(number))
        : Optional.empty();
    return entry.isEmpty()
        ? ConsoleContent.missing("This refusal is not kept any more: only the last " + DecisionFeed.KEPT + " are.")
        : ConsoleContent.page("Refusal " + entry.get().number(), RefusalViews.detail(entry.get()));
  }

  /**
   * Returns a reader of decisions from now on, after refusals that are kept: as many as the parameter {@code recent}
   * says, or all after the one whose number is the parameter {@code after}.
   */
  private EventSource reader(ConsoleVisit visit) {
    FeedFollower follower = feed.follow(filter(visit)); // first, so that none is lost in between
    long recent = number(visit, "recent").orElse(visit.parameter("after").isPresent() ? DecisionFeed.KEPT : 0L);
    long after = number(visit, "after").orElse(0L);
    List<FeedEntry> kept = feed.refusals(filter(visit)).stream().filter(entry -> entry.number() > after).limit(recent)
        .toList();
    return new Reader(follower, new ArrayDeque<>(kept.reversed()));
  }

  private static Optional<Long> number(ConsoleVisit visit, String name) {
    return visit.parameter(name).filter(text -> Digits.are(text, LONGEST_NUMBER)).map(Long::parseLong);
  }

  /** Sends each decision as JSON, and how many were left out where the reader is too slow. */
  private static final class Reader implements EventSource {
    private final FeedFollower follower;
    private final Deque<FeedEntry> kept;
    private final long known;

    /** @param kept those that are sent first, the oldest first */
    Reader(FeedFollower follower, Deque<FeedEntry> kept) {
      this.follower = follower;
      this.kept = kept;
      this.known = kept.isEmpty() ? 0 : kept.getLast().number();
    }

    @Override
    public Optional<byte[]> next(Duration wait) throws InterruptedException {
      if (!kept.isEmpty()) {
        return Optional.of(event(kept.removeFirst()));
      }
      return follower.next(wait).filter(entry -> entry.allowed() || entry.number() > known).map(this::event);
    }

    private byte[] event(FeedEntry entry) {
      long missed = follower.missed();
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      if (missed > 0) {
        out.writeBytes(NowPage.lines(JsonText.plain(Value.dict("missed", Value.of(missed)))));
      }
      out.writeBytes(NowPage.lines(JsonText.plain(entry.document())));
      return out.toByteArray();
    }

    @Override
    public void close() {
      follower.close();
    }
  }
}
