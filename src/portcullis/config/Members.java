package portcullis.config;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The members of a small mapping in the order in which they were written; immutable. Large files are made of such
 * mappings, so that it is kept small: members are made when they are read.
 */
final class Members extends AbstractMap<String, Node.Member> implements SequencedMap<String, Node.Member> {
  /** The number of members up to which looking at each is as fast as anything. */
  static final int MOST = 8;

  private final SubstitutedSource source;
  private final String[] names;
  private final Node[] values;
  private final int[] offsets;

  /** @param offsets where each name begins and where it ends */
  Members(SubstitutedSource source, String[] names, Node[] values, int[] offsets) {
    this.source = source;
    this.names = names;
    this.values = values;
    this.offsets = offsets;
  }

  Optional<Node> value(String name) {
    int at = index(name);
    return at < 0 ? Optional.empty() : Optional.of(values[at]);
  }

  private int index(Object name) {
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(name)) {
        return i;
      }
    }
    return -1;
  }

  private Node.Member member(int index) {
    return new Node.Member(source.at(offsets[2 * index], offsets[2 * index + 1]), values[index]);
  }

  @Override
  public Node.Member get(Object name) {
    int at = index(name);
    return at < 0 ? null : member(at);
  }

  @Override
  public boolean containsKey(Object name) {
    return index(name) >= 0;
  }

  @Override
  public int size() {
    return names.length;
  }

  @Override
  public Set<String> keySet() {
    return new Elements<>(names.length, i -> names[i]);
  }

  @Override
  public Set<Map.Entry<String, Node.Member>> entrySet() {
    return new Elements<>(names.length, i -> Map.entry(names[i], member(i)));
  }

  @Override
  public SequencedMap<String, Node.Member> reversed() {
    return Collections.unmodifiableSequencedMap(new LinkedHashMap<>(this).reversed());
  }

  /** A set of elements by index, which are distinct. */
  private static final class Elements<T> extends AbstractSet<T> {
    private final int size;
    private final IntFunction<T> element;

    Elements(int size, IntFunction<T> element) {
      this.size = size;
      this.element = element;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public Iterator<T> iterator() {
      return IntStream.range(0, size).mapToObj(element).iterator();
    }
  }
}
