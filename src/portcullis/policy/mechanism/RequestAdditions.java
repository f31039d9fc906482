package portcullis.policy.mechanism;

import java.util.ArrayList;
import java.util.List;
import portcullis.http.message.Field;

/** What is added to the request for the upstream: header fields in their order, and cookies. */
public record RequestAdditions(List<Field> headers, List<Field> cookies) {
  public static final RequestAdditions NONE = new RequestAdditions(List.of(), List.of());

  public static RequestAdditions header(String name, String value) {
    return new RequestAdditions(List.of(new Field(name, value)), List.of());
  }

  public static RequestAdditions headers(List<Field> headers) {
    return new RequestAdditions(List.copyOf(headers), List.of());
  }

  /** @param cookies names and values that make a pair ({@link portcullis.http.message.Cookies#pair}) */
  public static RequestAdditions cookies(List<Field> cookies) {
    return new RequestAdditions(List.of(), List.copyOf(cookies));
  }

  /** Returns these followed by the others; of cookies with the same name the last one is used. */
  public RequestAdditions and(RequestAdditions more) {
    return equals(NONE) ? more
        : more.equals(NONE) ? this
            : new RequestAdditions(joined(headers, more.headers), joined(without(cookies, more.cookies), more.cookies));
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
