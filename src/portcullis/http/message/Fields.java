package portcullis.http.message;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The lines of a header or trailer section in their order, names in their spelling (RFC 9110, 5.3); immutable. */
public final class Fields implements Iterable<Field> {
  public static final Fields NONE = new Fields(List.of());

  private final List<Field> lines;

  private Fields(List<Field> lines) {
    this.lines = lines;
  }

  public static Fields of(List<Field> lines) {
    return lines.isEmpty() ? NONE : new Fields(List.copyOf(lines));
  }

  /** Returns fields of names and values in turn. */
  public static Fields of(String... namesAndValues) {
    List<Field> lines = new ArrayList<>(namesAndValues.length / 2);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      lines.add(new Field(namesAndValues[i], namesAndValues[i + 1]));
    }
    return of(lines);
  }

  public List<Field> lines() {
    return lines;
  }

  public boolean has(String name) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).is(name)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the value of the first line of that name. */
  public Optional<String> first(String name) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).is(name)) {
        return Optional.of(lines.get(i).value());
      }
    }
    return Optional.empty();
  }

  /** Returns how many lines have that name. */
  public int count(String name) {
    int count = 0;
    for (int i = 0; i < lines.size(); i++) {
      count += lines.get(i).is(name) ? 1 : 0;
    }
    return count;
  }

  /** Returns the values of all lines of that name, in their order. */
  public List<String> all(String name) {
    List<String> out = new ArrayList<>(2);
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).is(name)) {
        out.add(lines.get(i).value());
      }
    }
    return out;
  }

  /** Returns all values of that name joined by a comma (RFC 9110, 5.2); empty if there is no such line. */
  public Optional<String> joined(String name) {
    return count(name) < 2 ? first(name) : Optional.of(String.join(",", all(name)));
  }

  public Fields without(Predicate<Field> unwanted) {
    int first = 0;
    while (first < lines.size() && !unwanted.test(lines.get(first))) {
      first++;
    }
    if (first == lines.size()) {
      return this;
    }
    List<Field> kept = new ArrayList<>(lines.subList(0, first));
    for (int i = first + 1; i < lines.size(); i++) {
      if (!unwanted.test(lines.get(i))) {
        kept.add(lines.get(i));
      }
    }
    return of(kept);
  }

  public Fields without(String name) {
    return without(line -> line.is(name));
  }

  /** Returns these fields with one more line at the end. */
  public Fields with(String name, String value) {
    List<Field> out = new ArrayList<>(lines);
    out.add(new Field(name, value));
    return new Fields(List.copyOf(out));
  }

  public boolean isEmpty() {
    return lines.isEmpty();
  }

  public int size() {
    return lines.size();
  }

  public Stream<Field> stream() {
    return lines.stream();
  }

  @Override
  public Iterator<Field> iterator() {
    return lines.iterator();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Fields fields && fields.lines.equals(lines);
  }

  @Override
  public int hashCode() {
    return lines.hashCode();
  }

  @Override
  public String toString() {
    return lines.toString();
  }
}
