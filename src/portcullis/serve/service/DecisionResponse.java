package portcullis.serve.service;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import portcullis.http.message.Cookies;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Forwarding;
import portcullis.http.message.Response;
import portcullis.policy.decision.Decision;
import portcullis.policy.decision.ResponseSettings;
import portcullis.policy.mechanism.RequestAdditions;

/**
 * Answers allowed requests of the decision service: the header fields for the upstream are those of the response.
 * Thread safe.
 */
final class DecisionResponse implements DecisionHandler.AllowedHandler {
  private final ResponseSettings respond;

  DecisionResponse(ResponseSettings respond) {
    this.respond = respond;
  }

  /** To a proxy in front 200 would be a permission. */
  @Override
  public boolean answersForTheServer() {
    return false;
  }

  /** A page with status 200 would be a permission too: it has 401, which browsers show alike. */
  @Override
  public Response own(Response answer, boolean checked) {
    boolean permits = answer.status() / 100 == 2 && (checked || answer.body().length > 0);
    return permits ? new Response(401, answer.fields(), answer.body()) : answer;
  }

  @Override
  public void handle(Transaction transaction, Forwarding forwarding, Decision.Allow allow) throws IOException {
    transaction.answer(answer(respond, allow));
  }

  static Response answer(ResponseSettings respond, Decision.Allow allow) {
    RequestAdditions additions = allow.state().additions();
    List<Field> fields = new ArrayList<>(additions.headers());
    if (respond.emptyHeaders()) {
      unset(allow).forEach(name -> fields.add(new Field(name, "")));
    }
    for (Field cookie : additions.cookies()) {
      fields.add(new Field("Set-Cookie", Cookies.pair(cookie.name(), cookie.value()).orElseThrow()));
    }
    return Response.of(respond.with().accepted(), Fields.of(fields)).with(allow.state().response());
  }

  /**
   * Returns the protected fields that the rule does not set, for proxies that keep fields of the client unless the
   * response contains them.
   */
  private static List<String> unset(Decision.Allow allow) {
    List<Field> set = allow.state().additions().headers();
    return allow.protectedHeaders().names().stream()
        .filter(name -> !Forwarding.isContinued(name) && set.stream().noneMatch(field -> field.is(name))).toList();
  }
}
