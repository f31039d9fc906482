package portcullis.serve.service;

import com.sun.management.OperatingSystemMXBean;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import portcullis.config.Yaml;
import portcullis.fixture.Await;
import portcullis.http.message.Forwarding;
import portcullis.http.message.IncomingRequest;
import portcullis.http.message.Request;
import portcullis.http.message.ResponseStatusException;
import portcullis.http.message.TrustedProxies;
import portcullis.http.message.ValidRequest;
import portcullis.http.server.Descriptors;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.ParseBudget;
import portcullis.observe.decisions.DecisionLog;
import portcullis.observe.decisions.DecisionLogSettings;
import portcullis.observe.telemetry.RequestId;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.Decision;
import portcullis.policy.mechanism.YamlFormat;

/** Measures what the decision log adds to an allowed request: {@code build.sh bench decisions}. */
public final class DecisionLogBench {
  private static final int ROUNDS = 15;
  private static final int BURSTS = 100;
  private static final int REQUESTS = 1_000;
  private static final long PAUSE_MILLIS = 4;

  private DecisionLogBench() {}

  /** Prints the processor time of a decision without and with the log, of all threads, medians of rounds in turn. */
  public static void run() throws Exception {
    Path folder = Files.createTempDirectory("portcullis-bench");
    Path key = Files.writeString(folder.resolve("key"), "0b".repeat(32));
    DeciderSetup setup = new DeciderSetup(null, """
        authenticators: [{id: anon, type: anonymous}]
        finalizers: [{id: noop, type: noop}]
        """, "- {id: r, match: {routes: [{path: /a}]}, execute: [{authenticator: anon}, {finalizer: noop}]}\n");
    try (DecisionLog plain = log(setup, "file: {path: \"" + folder.resolve("plain") + "\", keep: 0}\n");
        DecisionLog hashed = log(setup,
            "file: {path: \"" + folder.resolve("hashed") + "\", keep: 0}\nhash_key: \"" + key
                + "\"\n")) {
      DecisionLayer[] layers = {new DecisionLayer(Optional.empty(), Optional.empty()),
        new DecisionLayer(Optional.of(plain), Optional.empty()),
        new DecisionLayer(Optional.of(hashed), Optional.empty())};
      CompletableFuture<HttpExchange> arrived = new CompletableFuture<>();
      CountDownLatch over = new CountDownLatch(1);
      Listener listener = Listener.start("bench", ListenerSettings.defaults(0), Optional.empty(), transaction -> {
        arrived.complete(transaction.exchange());
        await(over);
      }, () -> {}, new TelemetrySinks(Optional.empty(), Optional.empty(), Optional.empty()), setup.log(),
          InstantSource.system(), new Descriptors());
      Thread.ofVirtual().start(() -> ask(listener.port()));
      measured(arrived.get(), setup.decider(), layers);
      over.countDown();
      listener.stop(Duration.ofSeconds(1));
      System.out.println("dropped: " + (plain.dropped() + hashed.dropped()));
    }
    for (String name : new String[] {"plain", "hashed", "key"}) {
      Files.deleteIfExists(folder.resolve(name));
    }
    Files.deleteIfExists(folder);
  }

  private static DecisionLog log(DeciderSetup setup, String settings) {
    Problems problems = new Problems();
    DecisionLogSettings read = Yaml.read(new SourceFile("c.yaml", settings), problems)
        .flatMap(node -> DecisionLogSettings.decoder().decode(node, problems))
        .orElseThrow(() -> new AssertionError(problems.sorted().toString()));
    return DecisionLog.start(read, setup.log(), InstantSource.system(), problems).orElseThrow();
  }

  /** Sends the request whose exchange is used again and again; its answer does not matter. */
  private static void ask(int port) {
    try {
      OneRequest.answer(port, OneRequest.text("GET", "/a") + "\r\n");
    } catch (IOException _) {
      // the measurement took longer than a client waits
    }
  }

  private static void await(CountDownLatch over) {
    try {
      over.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void measured(HttpExchange exchange, Decider decider, DecisionLayer... layers) throws Exception {
    double[][] whole = new double[layers.length][ROUNDS];
    double[][] own = new double[layers.length][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < layers.length; i++) {
        long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        whole[i][round] = nanos(exchange, decider, layers[i]);
        own[i][round] = (double) (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin)
            / (BURSTS * REQUESTS);
      }
    }
    String[] names = {"a decision of two steps", "with the decision log", "with hashes"};
    for (int i = 0; i < layers.length; i++) {
      Arrays.sort(whole[i]);
      Arrays.sort(own[i]);
      System.out.printf("%-24s %6.0f ns (least %.0f), of which its own thread %.0f (least %.0f)%n", names[i],
          whole[i][ROUNDS / 2], whole[i][0], own[i][ROUNDS / 2], own[i][0]);
    }
  }

  private static double nanos(HttpExchange exchange, Decider decider, DecisionLayer layer)
      throws IOException, InterruptedException, ResponseStatusException {
    OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    IncomingRequest arrival = IncomingRequest.of(exchange);
    Request request = Forwarding.of((ValidRequest) arrival, TrustedProxies.NONE).request(ParseBudget.DEFAULT,
        YamlFormat::orOther);
    long begin = process.getProcessCpuTime();
    for (int burst = 0; burst < BURSTS; burst++) {
      for (int i = 0; i < REQUESTS; i++) {
        try (RequestId _ = RequestId.assign()) {
          layer.handle(new Transaction(exchange, arrival, Instant.now()), one -> decide(one, decider, request));
        }
      }
      Await.pause(PAUSE_MILLIS);
    }
    return (double) (process.getProcessCpuTime() - begin) / (BURSTS * REQUESTS);
  }

  private static void decide(Transaction transaction, Decider decider, Request request) {
    try {
      Decision decision = decider.decide(request, transaction.observer());
      transaction.decided(decision);
      transaction.markAllowed(((Decision.Allow) decision).subject());
    } catch (ResponseStatusException e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }
}
