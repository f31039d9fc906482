package portcullis.policy.mechanism;

import java.util.ArrayList;
import java.util.List;
import portcullis.http.message.Field;

/** What is added to the request for the upstream: header fields in their order, and cookies. */
public record Additions(List<Field> headers, List<Field> cookies) {
  public static final Additions NONE = new Additions(List.of(), List.of());

  public static Additions header(String name, String value) {
    return new Additions(List.of(new Field(name, value)), List.of());
  }

  public static Additions headers(List<Field> headers) {
    return new Additions(List.copyOf(headers), List.of());
  }

  /** @param cookies names and values */
  public static Additions cookies(List<Field> cookies) {
    return new Additions(List.of(), List.copyOf(cookies));
  }

  /** Returns these followed by the others; of cookies with the same name the last one is used. */
  public Additions and(Additions more) {
    return equals(NONE) ? more
        : more.equals(NONE) ? this
            : new Additions(joined(headers, more.headers), joined(without(cookies, more.cookies), more.cookies));
  }

  private static List<Field> without(List<Field> cookies, List<Field> newer) {
    return newer.isEmpty() ? cookies
        : cookies.stream()
            .filter(cookie -> newer.stream().noneMatch(other -> other.name().equals(cookie.name()))).toList();
  }

  private static List<Field> joined(List<Field> a, List<Field> b) {
    List<Field> out = new ArrayList<>(a);
    out.addAll(b);
    return List.copyOf(out);
  }
}
