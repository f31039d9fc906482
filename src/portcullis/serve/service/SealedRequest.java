package portcullis.serve.service;

import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.http.message.Field;
import portcullis.http.message.PeerCertificates;
import portcullis.http.message.Request;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.observe.decisions.RemoteAnswers;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.rule.ConfigurationDigests;

/** Everything that a request was decided by, as JSON that is encrypted before it is written. */
final class SealedRequest {
  private SealedRequest() {}

  /**
   * Returns the JSON.
   *
   * @param subject empty if the request was denied before one was known
   * @param effect of its rule: sealed too, as secrets of the configuration could be guessed by it
   */
  static String json(Request request, Optional<Subject> subject, RemoteAnswers answers,
      ConfigurationDigests.Effect effect) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("method", Value.of(request.method()));
    out.put("scheme", Value.of(request.url().scheme()));
    out.put("host", Value.of(request.url().host().toString()));
    out.put("path", Value.of(request.path().spelling()));
    out.put("query", Value.of(request.url().query()));
    List<Value> fields = new ArrayList<>();
    for (Field field : request.fields()) {
      fields.add(Value.Array.ofStrings(List.of(field.name(), field.value())));
    }
    out.put("headers", new Value.Array(fields));
    out.put("clients", Value.Array.ofStrings(request.clients()));
    out.put("certificates", certificates(request.certificates()));
    request.body().known().filter(SealedRequest::fits).ifPresent(bytes -> out.put("body", base64(bytes)));
    subject.ifPresent(known -> out.put("subject", subject(known)));
    out.put("answers", new Value.Array(answers.answers().stream().map(SealedRequest::answer).toList()));
    out.put("cached", new Value.Array(answers.cached().stream().map(entry -> (Value) new Value.Dict(
        Map.of("key", Value.of(entry.key()), "value", base64(entry.value())))).toList()));
    if (!effect.rule().isEmpty()) {
      out.put("effect", new Value.Dict(Map.of("authenticators", Value.of(effect.authenticators()), "rule",
          Value.of(effect.rule()), "files", Value.of(effect.contents()))));
    }
    return JsonText.plain(new Value.Dict(out));
  }

  /** Returns whether the JSON has everything: no response, cached value or body that was read is too long for it. */
  static boolean isComplete(Request request, RemoteAnswers answers) {
    return answers.complete() && request.body().known().filter(bytes -> !fits(bytes)).isEmpty();
  }

  private static boolean fits(byte[] body) {
    return body.length <= RemoteAnswers.MAX_BYTES;
  }

  /** Returns what is known of the client's certificate, all of it unverified. */
  private static Value certificates(PeerCertificates certificates) {
    Map<String, Value> out = new LinkedHashMap<>();
    List<Value> chain = new ArrayList<>();
    try {
      for (X509Certificate certificate : certificates.tls().get()) {
        chain.add(base64(certificate.getEncoded()));
      }
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e); // it was decoded
    }
    if (!chain.isEmpty()) {
      out.put("tls", new Value.Array(chain));
    }
    certificates.reported().ifPresent(pem -> out.put("reported", Value.of(pem)));
    if (certificates.proxy()) {
      out.put("proxy", Value.TRUE);
    }
    return new Value.Dict(out);
  }

  private static Value subject(Subject subject) {
    Map<String, Value> principals = new LinkedHashMap<>();
    subject.principals().forEach((name, principal) -> principals.put(name, subject(principal)));
    return new Value.Dict(Map.of("id", Value.of(subject.id()), "attributes", subject.attributes(), "principals",
        new Value.Dict(principals)));
  }

  private static Value answer(RemoteAnswers.Answer answer) {
    Map<String, Value> fields = new LinkedHashMap<>();
    answer.fields().forEach((name, values) -> fields.put(name, Value.Array.ofStrings(values)));
    return new Value.Dict(Map.of("step", Value.of(answer.step()), "method", Value.of(answer.method()), "url",
        Value.of(answer.url()), "key", Value.of(answer.key()), "status", Value.of(answer.status()), "headers",
        new Value.Dict(fields), "body",
        base64(answer.body())));
  }

  private static Value base64(byte[] bytes) {
    return Value.of(Base64.getEncoder().encodeToString(bytes));
  }
}
