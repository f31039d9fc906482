package portcullis.serve.runtime;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import portcullis.background.BackgroundTask;
import portcullis.observe.telemetry.Log;
import portcullis.serve.redis.RedisCache;

/**
 * Looks for problems that no request and no reload would show: certificates and signed bundles that end, a cache server
 * that is gone, what is included. One thread, ended by {@link #close}.
 */
final class ProblemMonitor implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private final Program program;
  private final CertificateWatch certificates;
  private final List<Runnable> checks = new CopyOnWriteArrayList<>();
  private final BundleWatch bundles;
  private final BackgroundTask task = new BackgroundTask(Thread.ofVirtual().name("problem monitor"), this::round);

  ProblemMonitor(Program program, InstantSource clock, Log log) {
    this.program = program;
    this.certificates = new CertificateWatch(clock, log);
    this.bundles = new BundleWatch(clock, log);
  }

  void start() {
    task.start();
  }

  /** Adds a check that is repeated. */
  void include(Runnable check) {
    checks.add(check);
  }

  private boolean round() throws InterruptedException {
    look();
    Thread.sleep(INTERVAL);
    return true;
  }

  void look() {
    checks.forEach(BackgroundTask::guarded);
    BackgroundTask.guarded(() -> certificates.check(new UsedCertificates(program).all()));
    BackgroundTask.guarded(() -> bundles.check(program.reloader().sets()));
    if (program.cache() instanceof RedisCache redis) {
      redis.probe();
      program.context().limits().lockouts().share();
      program.context().logins().share(redis, program.context().clock().instant());
    }
  }

  @Override
  public void close() {
    task.close();
  }
}
