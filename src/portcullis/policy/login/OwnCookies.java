package portcullis.policy.login;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;

/**
 * The cookies of a login. Their prefix makes browsers accept them only from this host by https, for all paths (RFC
 * 6265bis, 4.1.3.2), so that a neighboring host cannot set them; one that is sent twice counts as absent.
 */
final class OwnCookies {
  /** The maximum number of cookies that a session is split into. */
  static final int MOST_PARTS = 6;
  /** The number of logins that a browser can have under way. */
  static final int LOGINS = 10;
  private static final int PART_LENGTH = 3600;
  private static final String ATTRIBUTES = "; Path=/; Secure; HttpOnly; SameSite=Lax";
  private static final String NO_VALUE = "; Max-Age=0";

  private final String session;
  private final String login;

  /** @param name the name without prefix */
  OwnCookies(String name) {
    session = "__Host-" + name;
    login = session + "-login-";
  }

  /** Returns all names, which no client may send to an upstream. */
  List<String> names() {
    return Stream.concat(IntStream.range(0, MOST_PARTS).mapToObj(this::part),
        IntStream.range(0, LOGINS).mapToObj(this::login)).toList();
  }

  private String part(int number) {
    return number == 0 ? session : session + "-" + number;
  }

  private String login(int slot) {
    return login + slot;
  }

  /** Returns the cookies whose names begin like those of this login, in one pass; none that is repeated. */
  private Map<String, String> sent(Fields fields) {
    Map<String, String> out = new HashMap<>();
    List<String> repeated = new ArrayList<>();
    for (Field field : fields) {
      if (field.is("Cookie")) {
        for (String pair : field.value().split(";")) {
          int equals = pair.indexOf('=');
          String name = equals < 0 ? "" : pair.substring(0, equals).strip();
          if (name.startsWith(session) && out.put(name, pair.substring(equals + 1).strip()) != null) {
            repeated.add(name);
          }
        }
      }
    }
    out.keySet().removeAll(repeated);
    return out;
  }

  /** Returns the value of the session; empty if a part of it is missing. */
  Optional<String> session(Fields fields) {
    Map<String, String> sent = sent(fields);
    String first = sent.getOrDefault(session, "");
    int parts = first.length() > 1 && first.charAt(1) == '.' ? first.charAt(0) - '0' : 0;
    if (parts < 1 || parts > MOST_PARTS) {
      return Optional.empty();
    }
    StringBuilder out = new StringBuilder(first.substring(2));
    for (int i = 1; i < parts; i++) {
      if (!sent.containsKey(part(i))) {
        return Optional.empty();
      }
      out.append(sent.get(part(i)));
    }
    return Optional.of(out.toString());
  }

  /**
   * Returns the {@code Set-Cookie} fields that put the session into the browser, and that remove the other parts which
   * the request has; empty if it is too long for cookies.
   */
  Optional<List<Field>> keep(String value, Fields request) {
    int parts = Math.max(1, (value.length() + PART_LENGTH - 1) / PART_LENGTH);
    if (parts > MOST_PARTS) {
      return Optional.empty();
    }
    List<Field> out = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      String piece = value.substring(i * PART_LENGTH, Math.min(value.length(), (i + 1) * PART_LENGTH));
      out.add(set(part(i) + "=" + (i == 0 ? parts + "." : "") + piece + ATTRIBUTES));
    }
    out.addAll(removed(parts, request));
    return Optional.of(out);
  }

  /** Returns how many bytes the cookies that these fields set have in a request. */
  static int size(List<Field> fields) {
    return fields.stream().map(Field::value).filter(value -> !value.endsWith(NO_VALUE))
        .mapToInt(value -> value.length() - ATTRIBUTES.length() + 2).sum();
  }

  /** Returns the fields that remove the session that the request has. */
  List<Field> drop(Fields request) {
    return removed(0, request);
  }

  private List<Field> removed(int from, Fields request) {
    String all = String.join(";", request.all("Cookie"));
    return IntStream.range(from, MOST_PARTS).mapToObj(this::part).filter(name -> all.contains(name + "="))
        .map(name -> set(name + "=" + ATTRIBUTES + NO_VALUE)).toList();
  }

  /** Returns the value of a login under way. */
  Optional<String> login(int slot, Fields fields) {
    return Optional.ofNullable(sent(fields).get(login(slot)));
  }

  /** Returns the slots of logins that are free in this browser; all if none is. */
  List<Integer> freeSlots(Fields fields) {
    Map<String, String> sent = sent(fields);
    List<Integer> free = IntStream.range(0, LOGINS).filter(slot -> !sent.containsKey(login(slot))).boxed().toList();
    return free.isEmpty() ? IntStream.range(0, LOGINS).boxed().toList() : free;
  }

  Field keepLogin(int slot, String value, Duration life) {
    return set(login(slot) + "=" + value + ATTRIBUTES + "; Max-Age=" + life.toSeconds());
  }

  /** Returns the fields that remove all logins under way that the request has. */
  List<Field> dropLogins(Fields request) {
    String all = String.join(";", request.all("Cookie"));
    return IntStream.range(0, LOGINS).filter(slot -> all.contains(login(slot) + "=")).mapToObj(this::dropLogin)
        .toList();
  }

  Field dropLogin(int slot) {
    return set(login(slot) + "=" + ATTRIBUTES + NO_VALUE);
  }

  private static Field set(String value) {
    return new Field("Set-Cookie", value);
  }
}
