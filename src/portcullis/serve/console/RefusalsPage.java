package portcullis.serve.console;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import portcullis.lang.markup.Html;
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
      case "events" -> new ConsoleContent.Events(() -> new Reader(feed.follow(filter(visit))));
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
    Optional<FeedEntry> entry = number.length() <= LONGEST_NUMBER && number.matches("\\d+")
        ? feed.find(Long.parseLong(number))
        : Optional.empty();
    return entry.isEmpty()
        ? ConsoleContent.missing("This refusal is not kept any more: only the last " + DecisionFeed.KEPT + " are.")
        : ConsoleContent.page("Refusal " + entry.get().number(), RefusalViews.detail(entry.get()));
  }

  /** Sends each decision as JSON, and how many were left out where the reader is too slow. */
  private record Reader(FeedFollower follower) implements EventSource {
    @Override
    public Optional<byte[]> next(Duration wait) throws InterruptedException {
      Optional<FeedEntry> entry = follower.next(wait);
      if (entry.isEmpty()) {
        return Optional.empty();
      }
      long missed = follower.missed();
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      if (missed > 0) {
        out.writeBytes(NowPage.lines(JsonText.plain(Value.dict("missed", Value.of(missed)))));
      }
      out.writeBytes(NowPage.lines(JsonText.plain(entry.get().document())));
      return Optional.of(out.toByteArray());
    }

    @Override
    public void close() {
      follower.close();
    }
  }
}
