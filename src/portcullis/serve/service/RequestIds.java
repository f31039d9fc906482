package portcullis.serve.service;

import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.NameSet;
import portcullis.http.message.TrustedProxies;
import portcullis.http.message.ValidRequest;
import portcullis.observe.telemetry.RequestId;

/**
 * The ids of requests in {@code X-Request-Id}: that of a trusted proxy, if it is well-formed, otherwise a new one.
 *
 * @param enabled whether ids are exchanged with other programs; otherwise they are for the log alone
 */
record RequestIds(boolean enabled, TrustedProxies proxies) {
  static final String HEADER = "X-Request-Id";
  private static final int LONGEST = 128;

  static RequestIds of(ListenerSettings settings) {
    return new RequestIds(settings.get(ListenerSettings.REQUEST_IDS), settings.proxies());
  }

  /** Assigns an id to the request and to the current thread until it is closed. */
  RequestId assign(Transaction transaction) {
    if (!enabled) {
      return RequestId.assign();
    }
    Optional<ValidRequest> request = transaction.arrival() instanceof ValidRequest valid ? Optional.of(valid)
        : Optional.empty();
    String id = request.filter(valid -> proxies.trusts(valid.peer())).flatMap(valid -> received(valid.fields()))
        .orElseGet(RequestIds::next);
    transaction.identify(new Field(HEADER, id));
    request.ifPresent(valid -> transaction.replace(valid.with(replaced(valid.fields(), transaction.id()))));
    return RequestId.assign(id);
  }

  /** Returns the id in the fields; empty if there is not exactly one, or it is too long or has other characters. */
  static Optional<String> received(Fields fields) {
    List<String> all = fields.all(HEADER);
    return all.size() == 1 && isWellFormed(all.getFirst()) ? Optional.of(all.getFirst()) : Optional.empty();
  }

  /** Returns the fields with this id, if there is one, instead of theirs. */
  static Fields replaced(Fields fields, Optional<Field> id) {
    return id.isEmpty() ? fields
        : fields.without(field -> NameSet.areSame(field.name(), HEADER)).with(HEADER, id.get().value());
  }

  private static boolean isWellFormed(String id) {
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      boolean isAlphanumeric = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
      if (!isAlphanumeric && ".:-_/+".indexOf(c) < 0) {
        return false;
      }
    }
    return !id.isEmpty() && id.length() <= LONGEST;
  }

  private static String next() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
  }
}
