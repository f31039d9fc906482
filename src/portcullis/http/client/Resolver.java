package portcullis.http.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import portcullis.lang.address.Address;

/**
 * Finds the addresses of names. The system's resolver knows no deadline and holds the thread that asks it: platform
 * threads of our own ask, virtual ones wait.
 */
final class Resolver implements AutoCloseable {
  private static final int THREADS = 8;

  private final ThreadPoolExecutor asking = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS,
      new LinkedBlockingQueue<>(), Thread.ofPlatform().daemon().name("client-resolver-", 0).factory());

  Resolver() {
    asking.allowCoreThreadTimeOut(true);
  }

  /** Returns all of them, at least one; a literal address is its own. */
  List<InetAddress> addresses(String host, long nanos) throws IOException, InterruptedException {
    Optional<InetAddress> literal = Address.parse(host);
    return literal.isPresent() ? List.of(literal.get()) : ask(host, nanos);
  }

  private List<InetAddress> ask(String host, long nanos) throws IOException, InterruptedException {
    Future<InetAddress[]> answer = asking.submit(() -> InetAddress.getAllByName(host));
    try {
      return List.of(answer.get(nanos, TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      throw new ConnectTimeoutException("the name `" + host + "` was not found in time");
    } catch (ExecutionException e) {
      String why = e.getCause() instanceof UnknownHostException ? "unknown name `" : "cannot look up `";
      throw new UnreachableException(why + host + "`", e.getCause());
    } finally {
      answer.cancel(true);
    }
  }

  @Override
  public void close() {
    asking.shutdownNow();
  }
}
