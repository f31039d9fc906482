package portcullis.policy.route;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import portcullis.lang.source.LocatedText;

/**
 * What follows the literal segments of all forks, in one table: the rows of a fork and the hash of a segment lead
 * straight to it, however many rules there are. Immutable.
 *
 * <p>From its own row on a segment is looked for up to the first free one (open addressing, at most two thirds full).
 * Memory that is in no near cache takes longer than all the rest of a lookup, so a row has itself what it is known by
 * and what a route alone on its way has for its own: its text and its value. The rest is a {@link RouteShape} that many
 * share.
 */
final class Edges<V> {
  /** The number of no row. */
  static final int NONE = -1;

  private static final long FREE = 0;
  private static final long TAKEN = 1L << Integer.SIZE;
  private static final int WIDTH = 4;
  private static final int SHORT = (WIDTH - 1) * Octets.WORD;

  private final long[] texts;
  private final Object[] parts;

  /** The target of a row. */
  sealed interface Kind<V> permits RouteNode, RouteShape {}

  /** Which rows are a fork's; at least one is free. */
  interface Rows {
    int first();

    int count();
  }

  /** A range of rows. */
  record Range(int first, int count) implements Rows {}

  /** A row to be; of a fork and of several routes only the text is their own. */
  private record Edge(long hash, byte[] text, Object kind, Object value, Object written) {}

  private Edges(int rows) {
    texts = new long[WIDTH * rows];
    parts = new Object[WIDTH * rows];
  }

  /** Collects edges; for one thread. */
  static final class Builder<V> {
    /** The edges of one fork. */
    private record Group(Range rows, List<Edge> edges) {}

    private final List<Group> all = new ArrayList<>();
    private int count;

    /** Adds the literals behind a fork that comes before the segments {@code depth} of their paths. */
    Range segments(int depth, Map<String, RouteNode<V>> ways) {
      return add(ways, (text, way) -> switch (way) {
        case Fork<V> _,Candidates.Several<V> _ -> whole(text, way);
        case IndexedRoute<V> placed ->
          new Edge(Octets.hash(text), depth < placed.form().literals() ? placed.headFrom(depth) : text,
              placed.form(), placed.value(), placed.written());
      });
    }

    /** Adds what these strings, which are not segments, lead to. */
    Range texts(Map<String, RouteNode<V>> ways) {
      return add(ways, Builder::whole);
    }

    private static Edge whole(byte[] text, RouteNode<?> way) {
      return new Edge(Octets.hash(text), text, way, way, way);
    }

    private Range add(Map<String, RouteNode<V>> ways, BiFunction<byte[], RouteNode<V>, Edge> edge) {
      Range rows = new Range(count, ways.size() + ways.size() / 2 + 1);
      count += rows.count();
      List<Edge> edges = new ArrayList<>(ways.size());
      ways.forEach((text, way) -> edges.add(edge.apply(Octets.of(text), way)));
      all.add(new Group(rows, edges));
      return rows;
    }

    Edges<V> built() {
      Edges<V> out = new Edges<>(count);
      all.forEach(group -> group.edges().forEach(edge -> out.add(group.rows(), edge)));
      return out;
    }
  }

  private void add(Rows rows, Edge edge) {
    int row = home(rows, edge.hash());
    while (texts[row * WIDTH] != FREE) {
      row = behind(rows, row);
    }
    byte[] text = edge.text();
    texts[row * WIDTH] = TAKEN | text.length;
    for (int i = 1; i < WIDTH; i++) {
      texts[row * WIDTH + i] = Octets.word(text, (i - 1) * Octets.WORD, text.length);
    }
    parts[row * WIDTH] = edge.kind();
    parts[row * WIDTH + 1] = text.length > SHORT ? text : edge.kind();
    parts[row * WIDTH + 2] = edge.value();
    parts[row * WIDTH + 3] = edge.written();
  }

  /**
   * The first of these rows with a string that the path has from there on.
   *
   * @param hash that of the segment that begins there
   */
  int first(Rows rows, long hash, byte[] path, int from) {
    return sought(home(rows, hash), rows, path, from);
  }

  /** Returns the next of the same. */
  int next(int row, Rows rows, byte[] path, int from) {
    return sought(behind(rows, row), rows, path, from);
  }

  private int sought(int first, Rows rows, byte[] path, int from) {
    int row = first;
    while (texts[row * WIDTH] != FREE) {
      if (isIn(path, from, row)) {
        return row;
      }
      row = behind(rows, row);
    }
    return NONE;
  }

  private static int home(Rows rows, long hash) {
    return rows.first() + (int) ((hash >>> Integer.SIZE) * rows.count() >>> Integer.SIZE);
  }

  private static int behind(Rows rows, int row) {
    return row + 1 == rows.first() + rows.count() ? rows.first() : row + 1;
  }

  private boolean isIn(byte[] path, int from, int row) {
    int end = from + length(row);
    int at = row * WIDTH;
    return end <= path.length
        && texts[at + 1] == Octets.word(path, from, end)
        && texts[at + 2] == Octets.word(path, from + Octets.WORD, end)
        && texts[at + 3] == Octets.word(path, from + 2 * Octets.WORD, end)
        && (length(row) <= SHORT || Arrays.equals(path, from, end, (byte[]) parts[at + 1], 0, length(row)));
  }

  /** What a row that was found leads to. */
  @SuppressWarnings("unchecked") // as it was added
  Kind<V> kind(int row) {
    return (Kind<V>) parts[row * WIDTH];
  }

  /** Returns that of its text: the segment, of a route alone with what follows up to the first wildcard. */
  int length(int row) {
    return (int) texts[row * WIDTH];
  }

  /** Returns the value of a row with a single route. */
  @SuppressWarnings("unchecked") // as it was added
  V value(int row) {
    return (V) parts[row * WIDTH + 2];
  }

  /** Returns the path of a route alone, as it was written. */
  LocatedText written(int row) {
    return (LocatedText) parts[row * WIDTH + 3];
  }
}
