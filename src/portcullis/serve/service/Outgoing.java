package portcullis.serve.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.http.message.Authority;
import portcullis.http.message.ConnectionFields;
import portcullis.http.message.Cookies;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Forwarding;
import portcullis.http.message.NameSet;
import portcullis.http.message.Query;
import portcullis.http.message.RequestPath;
import portcullis.http.message.ResponseStatusException;
import portcullis.policy.decision.Decision;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.RequestAdditions;
import portcullis.policy.rule.Backend;

/**
 * A request as it is sent to the upstream: built from the parsed and allowed request, never copied from the received
 * bytes.
 *
 * @param scheme {@code http}, {@code https} or {@code h2c}
 * @param target path and query
 * @param fields all lines, {@code Host} first
 */
record Outgoing(String scheme, Authority host, String target, Fields fields) {
  private static final String COOKIE = "Cookie";

  /**
   * @param stripped names of fields that are removed from all requests
   * @param id of the request, which the upstream gets unless a finalizer sets another one
   */
  static Outgoing of(Forwarding forwarding, Decision.Allow allow, Backend backend, NameSet stripped,
      Optional<Field> id) throws ResponseStatusException, Failure {
    return new Outgoing(backend.rewrite().scheme().orElse(forwarding.scheme()), backend.host(), target(allow, backend),
        fields(forwarding, allow, backend, stripped, id));
  }

  private static String target(Decision.Allow allow, Backend backend) throws ResponseStatusException {
    Backend.Rewrite rewrite = backend.rewrite();
    RequestPath path = allow.state().request().path();
    if (!rewrite.cut().isEmpty() || !rewrite.put().isEmpty()) {
      path = path.rewritten(rewrite.cut(), rewrite.put());
    }
    String query = Query.without(allow.state().request().url().query(), rewrite.strip());
    return query.isEmpty() ? path.spelling() : path.spelling() + "?" + query;
  }

  /** Strips first, then adds: nothing the client sends can remove or extend what is added. */
  private static Fields fields(Forwarding forwarding, Decision.Allow allow, Backend backend, NameSet stripped,
      Optional<Field> id) throws Failure {
    RequestAdditions additions = allow.state().additions();
    List<Field> own = own(additions);
    Fields kept = ConnectionFields.endToEndOfRequest(forwarding.fields())
        .without(field -> field.is("Host") || field.is("Expect")
            || allow.protectedHeaders().headers().has(field.name()) || stripped.has(field.name()));
    Fields clean = Cookies.without(kept, allow.protectedHeaders().cookies());
    Fields going = forwarding.continued(RequestIds.replaced(withCookies(clean, additions.cookies()), id));
    List<Field> out = new ArrayList<>(going.size() + own.size() + 2);
    out.add(new Field("Host", host(forwarding, additions, backend)));
    ConnectionFields.upgrade(forwarding.incoming().fields())
        .ifPresent(protocol -> out.add(new Field("Upgrade", protocol)));
    going.without(field -> isReplaced(field, own)).forEach(out::add);
    own.forEach(field -> {
      if (!field.is("Host")) {
        out.add(field);
      }
    });
    return Fields.of(out);
  }

  /** Returns the fields of finalizers, except those that this hop sets itself. */
  private static List<Field> own(RequestAdditions additions) {
    for (Field field : additions.headers()) {
      if (Forwarding.isContinued(field.name())) {
        return additions.headers().stream().filter(f -> !Forwarding.isContinued(f.name())).toList();
      }
    }
    return additions.headers();
  }

  private static boolean isReplaced(Field field, List<Field> own) {
    for (int i = 0; i < own.size(); i++) {
      if (NameSet.areSame(field.name(), own.get(i).name())) {
        return true;
      }
    }
    return false;
  }

  private static String host(Forwarding forwarding, RequestAdditions additions, Backend backend) throws Failure {
    for (Field own : additions.headers()) {
      if (own.is("Host")) {
        return Authority.parse(own.value()).orElseThrow(() -> new Failure.Internal("the finalizers set no valid Host"))
            .toString();
      }
    }
    return (backend.keepsHost() ? forwarding.incoming().host() : backend.host()).toString();
  }

  /**
   * Returns the fields with these cookies before those of the client, all in one line, as some applications read only
   * the first or the last line.
   */
  private static Fields withCookies(Fields fields, List<Field> cookies) {
    if (cookies.isEmpty()) {
      return fields;
    }
    List<String> pairs = new ArrayList<>();
    for (Field cookie : cookies) {
      pairs.add(Cookies.pair(cookie.name(), cookie.value())
          .orElseThrow());
    }
    pairs.addAll(fields.all(COOKIE));
    return fields.without(COOKIE).with(COOKIE, String.join("; ", pairs));
  }
}
