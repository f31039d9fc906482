package portcullis.serve.console;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import portcullis.http.message.Fields;
import portcullis.http.message.Query;
import portcullis.http.message.Response;
import portcullis.http.message.Target;
import portcullis.http.message.ValidRequest;
import portcullis.observe.telemetry.Log;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.Decision;
import portcullis.policy.mechanism.OwnEndpoints;
import portcullis.serve.service.ConsoleEndpoint;
import portcullis.serve.stream.EndReason;
import portcullis.serve.stream.StreamControl;
import portcullis.serve.stream.StreamKind;
import portcullis.serve.stream.StreamRegistry;

/** The console: checks who sends a request and from where, and passes it to its page. Thread safe. */
public final class Console implements ConsoleEndpoint {
  private static final int LARGEST_FORM = 256 << 10;

  private final SameOrigin origin;
  private final OperatorAccess access;
  private final ConsoleLayout layout;
  private final EventReaders readers;
  private final StreamRegistry streams;
  private final Assets assets = new Assets();

  /**
   * @param decider decides who may use it
   * @param hosts the names under which it may be requested
   * @param streams ends live pages with the credentials of their readers; closed with the console
   * @param pages in the order of the navigation
   */
  public Console(Decider decider, StreamRegistry streams, List<String> hosts, List<ConsolePage> pages, String version,
      Log log, InstantSource clock) {
    this.streams = streams;
    this.origin = new SameOrigin(hosts);
    this.access = new OperatorAccess(decider, log);
    this.layout = new ConsoleLayout(List.copyOf(pages), version);
    this.readers = new EventReaders(clock);
  }

  @Override
  public Answer answer(ValidRequest incoming) {
    Target.Resource target = (Target.Resource) incoming.target();
    boolean isOwn = target.path().startsWith(OwnEndpoints.PREFIX);
    Optional<String> obstacle = isOwn ? origin.wrongHost(incoming) : origin.obstacle(incoming);
    if (obstacle.isPresent()) {
      return new Whole(ConsoleLayout.refusal(403, obstacle.get()));
    }
    return switch (access.of(incoming)) {
      case OperatorAccess.Answered(Response response) -> new Whole(response);
      case OperatorAccess.Admitted(Decision.Allow allow) -> answer(incoming, target, allow);
    };
  }

  private Answer answer(ValidRequest incoming, Target.Resource target, Decision.Allow allow) {
    if (target.path().length() <= PATH.length() + 1) {
      return new Whole(ConsoleLayout.safe(Response.of(302).with("Location",
          ConsoleLayout.address(layout.pages().getFirst()))));
    }
    String rest = target.path().substring(PATH.length() + 1);
    boolean isRead = incoming.method().equals("GET") || incoming.method().equals("HEAD");
    Optional<Response> file = assets.find(rest);
    if (file.isPresent()) {
      return new Whole(isRead ? ConsoleLayout.safe(file.get()) : notAllowed("GET, HEAD"));
    }
    int slash = rest.indexOf('/');
    String name = slash < 0 ? rest : rest.substring(0, slash);
    Optional<ConsolePage> page = layout.pages().stream().filter(one -> one.name().equals(name)).findFirst();
    if (page.isEmpty()) {
      return new Whole(layout.page(ConsoleContent.missing("The console has no such page."), "", allow.subject()));
    }
    boolean isSubmitted = incoming.method().equals("POST");
    if (!isRead && !(isSubmitted && page.get().takesForms())) {
      return new Whole(notAllowed(page.get().takesForms() ? "GET, HEAD, POST" : "GET, HEAD"));
    }
    Optional<String> form = isSubmitted ? form(incoming) : Optional.of(target.query());
    if (form.isEmpty()) {
      return new Whole(ConsoleLayout.refusal(413, "The form is too large, or was not sent completely."));
    }
    Map<String, List<String>> parameters = Query.parameters(form.get());
    return shown(page.get(), new ConsoleVisit(incoming, slash < 0 ? "" : rest.substring(slash + 1), parameters,
        isSubmitted, allow.subject()), allow);
  }

  private Answer shown(ConsolePage page, ConsoleVisit visit, Decision.Allow allow) {
    return switch (page.render(visit)) {
      case ConsoleContent.Events(Supplier<EventSource> source) -> events(source, allow);
      case ConsoleContent.Document(Response response) -> new Whole(ConsoleLayout.safe(response));
      case ConsoleContent.Page content -> new Whole(layout.page(content, page.name(), visit.subject()));
    };
  }

  private Answer events(Supplier<EventSource> source, Decision.Allow allow) {
    Optional<EventStream> body = readers.open(source);
    return body.isPresent()
        ? new Live(ConsoleLayout.safe(Response.of(200, Fields.of("Content-Type", "text/event-stream"))).fields(),
            body.get(), abort -> streams.open(StreamKind.EVENTS, allow, ending(body.get(), abort)))
        : new Whole(ConsoleLayout.refusal(503, EventReaders.MOST + " readers of live pages are the most."));
  }

  /** Ends a stream as if its events were over, so that its reader asks again and learns why. */
  private static StreamControl ending(EventStream body, Runnable abort) {
    return new StreamControl() {
      @Override
      public void end(EndReason reason) {
        body.end();
      }

      @Override
      public void kill() {
        abort.run();
      }
    };
  }

  /** Returns a form as its bytes; empty if it is too large. */
  private static Optional<String> form(ValidRequest incoming) {
    try (InputStream in = incoming.content().stream()) {
      byte[] body = in.readNBytes(LARGEST_FORM + 1);
      return body.length > LARGEST_FORM ? Optional.empty()
          : Optional.of(new String(body, StandardCharsets.ISO_8859_1));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static Response notAllowed(String methods) {
    return ConsoleLayout.safe(Response.of(405).with("Allow", methods));
  }

  @Override
  public void close() {
    readers.close();
    streams.close();
  }
}
