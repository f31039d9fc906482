package portcullis.serve.service;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import portcullis.http.grpc.Code;
import portcullis.http.grpc.MessageWriter;
import portcullis.http.message.ConnectionFields;
import portcullis.http.message.Cookies;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Forwarding;
import portcullis.http.message.Grammar;
import portcullis.http.message.NameSet;
import portcullis.http.message.Response;
import portcullis.policy.decision.Decision;
import portcullis.policy.decision.ProtectedHeaders;
import portcullis.policy.mechanism.RequestAdditions;

/**
 * Encodes {@code envoy.service.auth.v3.CheckResponse}. Envoy allows a request exactly if the code is 0, whatever else
 * the response contains: so an allowing response requires a decision that allows, and a denying one cannot have that
 * code.
 */
final class CheckResponse {
  private static final String COOKIE = "Cookie";

  private CheckResponse() {}

  /**
   * Encodes {@code status = 1, ok_response = 3}: header fields that replace those of the client, and names of those to
   * remove. Every protected field that the rule does not set is removed, even if the call does not contain it, as Envoy
   * may be configured to send only some fields.
   *
   * @param stripped names of fields that are removed from all requests
   * @param id of the request, for the upstream unless a finalizer sets another one, and for the client
   *     ({@code response_headers_to_add = 6})
   */
  static byte[] allowed(Decision.Allow allow, Fields request, NameSet stripped, Optional<Field> id) {
    ProtectedHeaders protectedHeaders = allow.protectedHeaders();
    Fields kept = Cookies.without(request, protectedHeaders.cookies());
    Map<String, Field> set = fieldsToSet(allow.state().additions(), kept, request);
    id.ifPresent(field -> set.putIfAbsent(key(field), field));
    MessageWriter ok = new MessageWriter();
    set.values().forEach(field -> ok.message(2, option(field, true)));
    for (String name : removed(protectedHeaders, kept, request, stripped)) {
      if (!set.containsKey(name)) {
        ok.string(5, name);
      }
    }
    id.ifPresent(field -> ok.message(6, option(field, true)));
    allow.state().response().forEach(field -> ok.message(6, option(field, false)));
    return response(Code.OK).message(3, ok).bytes();
  }

  private static MessageWriter response(Code code) {
    MessageWriter status = new MessageWriter();
    return new MessageWriter().message(1, code == Code.OK ? status : status.number(1, code.number()));
  }

  /**
   * Encodes {@code header = 1, append = 2}; {@code append} is explicit, as its default differs between versions of
   * Envoy.
   */
  private static MessageWriter option(Field field, boolean replaces) {
    MessageWriter option = new MessageWriter().message(1,
        new MessageWriter().string(1, field.name()).string(2, Grammar.text(field.value())));
    return replaces ? option.message(2, new MessageWriter()) : option;
  }

  /** Returns the fields to set by name in lower case, with the values of one name joined (RFC 9110, 5.3). */
  private static Map<String, Field> fieldsToSet(RequestAdditions additions, Fields kept, Fields request) {
    Map<String, Field> out = new LinkedHashMap<>();
    for (Field field : additions.headers()) {
      out.merge(key(field), field, (one, more) -> new Field(one.name(), one.value() + "," + more.value()));
    }
    List<String> pairs = new ArrayList<>();
    for (Field cookie : additions.cookies()) {
      pairs.add(Cookies.pair(cookie.name(), cookie.value())
          .orElseThrow());
    }
    if (!pairs.isEmpty()) {
      out.put(key(COOKIE), new Field(COOKIE, String.join(";", pairs)));
    } else if (!kept.equals(request) && kept.has(COOKIE)) {
      out.putIfAbsent(key(COOKIE), new Field(COOKIE, String.join("; ", kept.all(COOKIE))));
    }
    return out;
  }

  /** Returns the names to remove, except those by which Envoy itself forwards the client's address, host and scheme. */
  private static Set<String> removed(ProtectedHeaders protectedHeaders, Fields kept, Fields request, NameSet stripped) {
    Set<String> out = new TreeSet<>();
    for (String name : protectedHeaders.names()) {
      if (!Forwarding.isContinued(name)) {
        out.add(name);
      }
    }
    for (Field field : request) {
      if (protectedHeaders.headers().has(field.name()) || ConnectionFields.isReadAlike(field.name())
          || stripped.has(field.name())) {
        out.add(key(field));
      }
    }
    if (request.has(COOKIE) && !kept.has(COOKIE)) {
      out.add(key(COOKIE));
    }
    return out;
  }

  private static String key(Field field) {
    return key(field.name());
  }

  private static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /** Encodes {@code status = 1, denied_response = 2}: the response for the client. */
  static byte[] denied(Code code, Response answer) {
    if (code == Code.OK) {
      throw new IllegalArgumentException("a denial requires a code other than OK");
    }
    MessageWriter denied = new MessageWriter().message(1, new MessageWriter().number(1, answer.status()));
    Fields fields = answer.fields().without(field -> ConnectionFields.endsHere(field.name()));
    for (Field field : fields) {
      denied.message(2, option(field, fields.all(field.name()).size() == 1));
    }
    if (answer.body().length > 0) {
      denied.bytes(3, answer.body());
    }
    return response(code).message(2, denied).bytes();
  }
}
