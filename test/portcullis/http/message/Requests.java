package portcullis.http.message;

import java.util.List;
import portcullis.lang.address.Address;

/** Requests for tests, as they come in on a connection and as they are judged. */
final class Requests {
  private Requests() {}

  /** {@code GET /a} for that host from that peer on clear text. */
  static ValidRequest from(String peer, String host, String... fields) {
    Fields all = Fields.of(fields).with("Host", host);
    return new ValidRequest("GET", new Target.Resource("/a", "own=1"), Authority.parse(host).orElseThrow(), all,
        Address.parse(peer).orElseThrow(), peer, false, Content.of(new byte[0]), () -> Fields.NONE);
  }

  static Request of(String url, String... fields) throws ResponseStatusException {
    return of(url, Body.none(), fields);
  }

  static Request of(String url, Body body, String... fields) throws ResponseStatusException {
    Target.Resource target = Target.readForwarded(url);
    int host = url.indexOf("://") + 3;
    int end = url.indexOf('/', host);
    return new Request("GET", url.substring(0, url.indexOf(':')),
        Authority.parse(url.substring(host, end)).orElseThrow(),
        RequestPath.read(target.path()), target.query(), Fields.of(fields), List.of("203.0.113.7", "127.0.0.1"), body);
  }
}
