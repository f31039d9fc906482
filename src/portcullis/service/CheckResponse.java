package portcullis.service;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import portcullis.decision.Decision;
import portcullis.decision.Managed;
import portcullis.grpc.Code;
import portcullis.grpc.MessageWriter;
import portcullis.mechanism.Additions;
import portcullis.mechanism.Failure;
import portcullis.message.Answer;
import portcullis.message.ConnectionFields;
import portcullis.message.Cookies;
import portcullis.message.Field;
import portcullis.message.Fields;
import portcullis.message.Grammar;

/**
 * Writes what Envoy is told ({@code envoy.service.auth.v3.CheckResponse}). It takes a request for allowed exactly if the
 * code is 0, whatever else is there: so an allowing answer needs a permit, and a denying one cannot have that code.
 */
final class CheckResponse {
  private static final String COOKIE = "Cookie";

  private CheckResponse() {}

  /**
   * {@code status = 1, ok_response = 3}: what the upstream is told in place of what the client says, and what of the
   * client's it is not told, as the rule alone may say it. What other rules may say has to be taken away before Envoy asks.
   *
   * @throws Failure where a cookie cannot be written
   */
  static byte[] allowed(Decision.Allow allow, Fields request) throws Failure {
    Managed managed = managed(allow, request);
    Map<String, Field> told = told(allow.state().additions(), managed, request);
    MessageWriter ok = new MessageWriter();
    told.values().forEach(field -> ok.message(2, option(field, true)));
    for (String name : untold(managed, request, told.keySet())) {
      ok.text(5, name);
    }
    return response(Code.OK).message(3, ok).bytes();
  }

  /** What the rule may say of what the request says; found out only where some rule may say something of it. */
  private static Managed managed(Decision.Allow allow, Fields request) {
    boolean concerned = !allow.managed().cookies().isEmpty() && request.has(COOKIE);
    for (Field field : request) {
      concerned |= allow.managed().headers().has(field.name());
    }
    return concerned ? Managed.of(List.of(allow.rule().pipeline())) : Managed.NOTHING;
  }

  private static MessageWriter response(Code code) {
    MessageWriter status = new MessageWriter();
    return new MessageWriter().message(1, code == Code.OK ? status : status.number(1, code.number()));
  }

  /** {@code header = 1, append = 2}: said outright that it replaces, as Envoys differ in what they do unless told. */
  private static MessageWriter option(Field field, boolean replaces) {
    MessageWriter option = new MessageWriter().message(1,
        new MessageWriter().text(1, field.name()).text(2, Grammar.text(field.value())));
    return replaces ? option.message(2, new MessageWriter()) : option;
  }

  /** The fields by their names in small letters, several values of one joined (RFC 9110, 5.3). */
  private static Map<String, Field> told(Additions additions, Managed managed, Fields request) throws Failure {
    Map<String, Field> out = new LinkedHashMap<>();
    for (Field field : additions.headers()) {
      out.merge(key(field), field, (one, more) -> new Field(one.name(), one.value() + "," + more.value()));
    }
    List<String> pairs = new ArrayList<>();
    for (Field cookie : additions.cookies()) {
      pairs.add(Cookies.pair(cookie.name(), cookie.value())
          .orElseThrow(() -> new Failure.Internal("the value of cookie '" + cookie.name() + "' cannot be written")));
    }
    List<String> kept = Cookies.without(request, managed.cookies()::contains).all(COOKIE);
    if (!pairs.isEmpty()) {
      out.put(key(COOKIE), new Field(COOKIE, String.join(";", pairs)));
    } else if (!kept.isEmpty() && !kept.equals(request.all(COOKIE))) {
      out.putIfAbsent(key(COOKIE), new Field(COOKIE, String.join("; ", kept)));
    }
    return out;
  }

  private static Set<String> untold(Managed managed, Fields request, Set<String> told) {
    Set<String> out = new TreeSet<>();
    Fields kept = Cookies.without(request, managed.cookies()::contains);
    for (Field field : request) {
      if (managed.headers().has(field.name()) || field.is(COOKIE) && !kept.has(COOKIE)) {
        out.add(key(field));
      }
    }
    out.removeAll(told);
    return out;
  }

  private static String key(Field field) {
    return key(field.name());
  }

  private static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /** {@code status = 1, denied_response = 2}: what the client is told. */
  static byte[] denied(Code code, Answer answer) {
    if (code == Code.OK) {
      throw new IllegalArgumentException("a denial that says it is none");
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
