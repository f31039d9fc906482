package portcullis.service;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.decision.Decision;
import portcullis.decision.ErrorAnswers;
import portcullis.decision.Respond;
import portcullis.mechanism.Failure;
import portcullis.message.Answer;
import portcullis.message.Cookies;
import portcullis.message.Field;
import portcullis.message.Fields;
import portcullis.message.Forwarding;

/** Answers allowed requests of the decision service: what the upstream is to be told stands in the answer's fields. Thread safe. */
final class Grant implements Judge.Granted {
  private final Respond respond;
  private final ErrorAnswers errors;

  Grant(Respond respond, ErrorAnswers errors) {
    this.respond = respond;
    this.errors = errors;
  }

  @Override
  public void take(Transaction transaction, Forwarding forwarding, Decision.Allow allow) throws IOException {
    if (allow.state().additions().cookies().isEmpty()) {
      transaction.answer(Answer.of(respond.with().accepted(), Fields.of(allow.state().additions().headers())));
      return;
    }
    List<Field> fields = new ArrayList<>(allow.state().additions().headers());
    for (Field cookie : allow.state().additions().cookies()) {
      Optional<String> pair = Cookies.pair(cookie.name(), cookie.value());
      if (pair.isEmpty()) {
        Failure failure = new Failure.Internal("the value of cookie '" + cookie.name() + "' cannot be written");
        transaction.denied(failure.report());
        transaction.answer(errors.of(failure, forwarding.fields()));
        return;
      }
      fields.add(new Field("Set-Cookie", pair.get()));
    }
    transaction.answer(Answer.of(respond.with().accepted(), Fields.of(fields)));
  }
}
