package portcullis.http.message;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import portcullis.lang.value.BudgetExceededException;
import portcullis.lang.value.ParseMeter;

/**
 * Queries and forms: {@code name=value} pairs parted by {@code &} (WHATWG URL, 5). Broken escapes are taken as they
 * stand.
 */
public final class Query {
  private Query() {}

  /** A pair as its bytes. */
  private record Pair(String name, String value) {}

  /** Returns all values by name, decoded, names in the order in which they first occur. */
  public static Map<String, List<String>> parameters(String raw) {
    Map<String, List<String>> out = new LinkedHashMap<>();
    for (Pair pair : pairs(raw)) {
      out.computeIfAbsent(Escapes.utf8(pair.name), _ -> new ArrayList<>(1)).add(Escapes.utf8(pair.value));
    }
    return out;
  }

  /** Reads the parameters of a form one by one without keeping any besides the result. */
  static Map<String, List<String>> parameters(String raw, ParseMeter meter) throws BudgetExceededException {
    Map<String, List<String>> out = new LinkedHashMap<>();
    int from = 0;
    int and;
    do {
      and = raw.indexOf('&', from);
      String part = raw.substring(from, and < 0 ? raw.length() : and);
      if (!part.isEmpty()) {
        meter.nodes(2); // a value and the list around it
        Pair pair = pair(part);
        out.computeIfAbsent(Escapes.utf8(pair.name), _ -> new ArrayList<>(1)).add(Escapes.utf8(pair.value));
        meter.names(out.size());
      }
      from = and + 1;
    } while (and >= 0);
    return out;
  }

  /** Returns whether no escape is broken. */
  static boolean isSound(String raw) {
    for (int at = raw.indexOf('%'); at >= 0; at = raw.indexOf('%', at + 1)) {
      if (!Escapes.isEscape(raw, at)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Removes the parameters of these names; the rest is encoded again and sorted by name. Without names nothing changes.
   */
  public static String without(String raw, Collection<String> names) {
    if (names.isEmpty()) {
      return raw;
    }
    Set<String> unwanted = names.stream().map(Grammar::wire).collect(Collectors.toSet());
    return sorted(pairs(raw).stream().filter(p -> !unwanted.contains(p.name)));
  }

  /** Replaces all parameters of that name by one; the query is encoded again and sorted by name. */
  public static String with(String raw, String name, String value) {
    Pair own = new Pair(Grammar.wire(name), Grammar.wire(value));
    return sorted(Stream.concat(pairs(raw).stream().filter(p -> !p.name.equals(own.name)), Stream.of(own)));
  }

  private static String sorted(Stream<Pair> pairs) {
    return pairs.sorted(Comparator.comparing(Pair::name)).map(p -> Escapes.form(p.name) + "=" + Escapes.form(p.value))
        .collect(Collectors.joining("&"));
  }

  private static List<Pair> pairs(String raw) {
    List<Pair> out = new ArrayList<>();
    for (String part : raw.split("&")) {
      if (!part.isEmpty()) {
        out.add(pair(part));
      }
    }
    return out;
  }

  private static Pair pair(String part) {
    int equals = part.indexOf('=');
    String name = equals < 0 ? part : part.substring(0, equals);
    return new Pair(bytes(name), equals < 0 ? "" : bytes(part.substring(equals + 1)));
  }

  private static String bytes(String encoded) {
    return Escapes.bytes(encoded.replace('+', ' '));
  }
}
