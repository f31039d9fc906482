package portcullis.http.server;

import com.sun.net.httpserver.HttpServer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The contexts of a server. The longest one whose path begins the request's wins; paths are compared as they were sent,
 * with their escapes. Read by any thread.
 */
final class Contexts {
  private volatile List<Context> byLength = List.of();

  synchronized Context add(HttpServer server, String path) {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("a context's path begins with a slash");
    }
    if (byLength.stream().anyMatch(c -> c.getPath().equals(path))) {
      throw new IllegalArgumentException("there is a context for this path");
    }
    Context context = new Context(server, path);
    List<Context> next = new ArrayList<>(byLength);
    next.add(context);
    next.sort(Comparator.comparing((Context c) -> c.getPath().length()).reversed());
    byLength = List.copyOf(next);
    return context;
  }

  synchronized void remove(String path) {
    List<Context> next = new ArrayList<>(byLength);
    if (!next.removeIf(c -> c.getPath().equals(path))) {
      throw new IllegalArgumentException("there is no context for this path");
    }
    byLength = List.copyOf(next);
  }

  /** For a target of any form; one without a path, as {@code *}, is the root's. */
  Optional<Context> find(String target) {
    List<Context> all = byLength;
    int path = pathAt(target);
    for (int i = 0; i < all.size(); i++) {
      String prefix = all.get(i).getPath();
      if (prefix.length() == 1 || path >= 0 && target.startsWith(prefix, path)) {
        return Optional.of(all.get(i));
      }
    }
    return Optional.empty();
  }

  private static int pathAt(String target) {
    if (target.startsWith("/")) {
      return 0;
    }
    int colon = target.indexOf("://");
    return colon < 0 ? -1 : target.indexOf('/', colon + 3);
  }
}
