package portcullis.serve.console;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import portcullis.http.message.Response;
import portcullis.lang.markup.Html;
import portcullis.lang.value.JsonText;
import portcullis.serve.service.StatusSource;

/** The page of what happens now: requests, decisions, latency, errors and rules. Thread safe. */
public final class NowPage implements ConsolePage {
  private final Traffic traffic;
  private final StatusSource status;
  /** The last event, which all readers share. */
  private final AtomicReference<Event> last = new AtomicReference<>(new Event(0, new byte[0]));

  private record Event(long version, byte[] bytes) {}

  /** @param status has the problems that are shown above the figures when the page is opened */
  public NowPage(Traffic traffic, StatusSource status) {
    this.status = status;
    this.traffic = traffic;
  }

  @Override
  public String name() {
    return "now";
  }

  @Override
  public String title() {
    return "Now";
  }

  @Override
  public ConsoleContent render(ConsoleVisit visit) {
    return switch (visit.rest()) {
      case "" -> ConsoleContent.page(title(), Html.of("<h1>Now</h1>{}<div data-live=\"/console/now/events\">{}</div>",
          ServicesPage.problems(status.report()), new NowView(traffic.now()).html()));
      case "events" -> new ConsoleContent.Events(Reader::new);
      case "data" -> new ConsoleContent.Document(Response.of(200, "application/json",
          JsonText.plain(new NowView(traffic.now()).document())));
      default -> ConsoleContent.missing("The console has no such page.");
    };
  }

  /** Sends the page each time there is another sample; a slow reader gets the newest one only. */
  private final class Reader implements EventSource {
    private long version;

    @Override
    public Optional<byte[]> next(Duration wait) throws InterruptedException {
      Optional<Traffic.Picture> picture = traffic.after(version, wait);
      picture.ifPresent(one -> version = one.version());
      return picture.map(NowPage.this::event);
    }
  }

  private byte[] event(Traffic.Picture picture) {
    Event known = last.get();
    if (known.version != picture.version()) {
      known = new Event(picture.version(), lines(new NowView(picture).html().markup()));
      last.set(known);
    }
    return known.bytes;
  }

  /** {@code event = *("data: " line LF) LF} */
  static byte[] lines(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(text.length() + 1000);
    text.lines().forEach(line -> out.writeBytes(("data: " + line + "\n").getBytes(StandardCharsets.UTF_8)));
    out.write('\n');
    return out.toByteArray();
  }
}
