package portcullis.serve.service;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.util.Optional;
import java.util.function.Supplier;
import portcullis.http.message.Fields;
import portcullis.http.message.Forwarding;
import portcullis.http.message.Request;
import portcullis.http.message.TrustedProxies;
import portcullis.http.message.ValidRequest;
import portcullis.lang.value.ParseBudget;
import portcullis.observe.metrics.Registry;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.Decision;
import portcullis.policy.mechanism.YamlFormat;
import portcullis.policy.pipeline.Observer;
import portcullis.serve.feed.DecisionFeed;

/** Measures what the feed of decisions adds to an allowed request: {@code build.sh bench feed}. */
public final class FeedBench {
  private static final int ROUNDS = 15;
  private static final int REQUESTS = 200_000;

  private FeedBench() {}

  /** Prints the time and the memory of a decision without and with the feed, the best of some rounds in turn. */
  public static void run() throws Exception {
    Decider decider = new DeciderSetup(null, """
        authenticators: [{id: a, type: anonymous}]
        authorizers: [{id: all, type: allow}]
        finalizers: [{id: noop, type: noop}]
        """, "- {id: r, match: {routes: [{path: /a}]}, execute: [{authenticator: a}, {authorizer: all}, "
        + "{finalizer: noop}]}\n").decider();
    Instruments instruments = new Instruments(new Registry());
    Request request = Forwarding.of(ValidRequest.of("GET", "http://app.test/a", Fields.NONE,
        InetAddress.getLoopbackAddress(), new byte[0]), TrustedProxies.NONE)
        .request(ParseBudget.DEFAULT, YamlFormat::orOther);
    DecisionFeed feed = new DecisionFeed();
    Supplier<Observer> without = () -> new DecisionObserver(Optional.empty(), Optional.of(instruments));
    Supplier<Observer> with = () -> new RequestTrail(without.get());
    double[] best = {Double.MAX_VALUE, Double.MAX_VALUE};
    double[] bytes = new double[2];
    for (int round = 0; round < ROUNDS; round++) {
      best[0] = Math.min(best[0], nanos(decider, request, without, Optional.empty(), bytes, 0));
      best[1] = Math.min(best[1], nanos(decider, request, with, Optional.of(feed), bytes, 1));
    }
    System.out.printf("a decision of three steps: %.0f ns, %.0f bytes%n", best[0], bytes[0]);
    System.out.printf("with the feed:             %.0f ns, %.0f bytes%n", best[1], bytes[1]);
  }

  private static double nanos(Decider decider, Request request, Supplier<Observer> observers,
      Optional<DecisionFeed> feed, double[] bytes, int place) throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long taken = 0;
    long memory = threads.getCurrentThreadAllocatedBytes();
    long begin = System.nanoTime();
    for (int i = 0; i < REQUESTS; i++) {
      boolean allowed = decider.decide(request, observers.get()) instanceof Decision.Allow;
      taken += feed.isPresent() && feed.get().takes(allowed) ? 1 : 0;
    }
    double nanos = (double) (System.nanoTime() - begin) / REQUESTS;
    bytes[place] = (double) (threads.getCurrentThreadAllocatedBytes() - memory) / REQUESTS;
    if (taken != 0) {
      throw new AssertionError("what is allowed is taken while nobody follows");
    }
    return nanos;
  }
}
