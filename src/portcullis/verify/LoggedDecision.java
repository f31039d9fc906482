package portcullis.verify;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import portcullis.crypto.jwt.EncryptedText;
import portcullis.crypto.keys.CertificateChains;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.PeerCertificates;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.replay.PastDecision;
import portcullis.policy.replay.RecordedAnswer;
import portcullis.policy.rule.ConfigurationDigests;
import portcullis.policy.rule.RuleOrigin;

/** A line of the decision log; immutable. */
record LoggedDecision(Value.Dict line, Instant time, String place) {
  /** Returns the decision; empty if the line is not one. @param place of the line, for messages */
  static Optional<LoggedDecision> of(String text, String place) {
    try {
      return Json.read(text) instanceof Value.Dict line && line.members().containsKey("decision")
          ? Optional.of(new LoggedDecision(line, Instant.parse(string(line, "time")), place))
          : Optional.empty();
    } catch (ValueException | DateTimeParseException _) {
      return Optional.empty();
    }
  }

  /** Returns the number of decisions that are missing here; empty if the line says nothing of that. */
  static Optional<Long> lost(String text) {
    try {
      return Json.read(text) instanceof Value.Dict line && line.members().get("lost") instanceof Value.Int lost
          ? Optional.of(lost.value())
          : Optional.empty();
    } catch (ValueException _) {
      return Optional.empty();
    }
  }

  /** Returns whether a line is about shadow rules, or an event of the audit chain. */
  static boolean isOther(String text) {
    try {
      return Json.read(text) instanceof Value.Dict line
          && (line.members().containsKey("shadow") || line.members().get("event") instanceof Value.Str);
    } catch (ValueException _) {
      return false;
    }
  }

  boolean allowed() {
    return string(line, "decision").equals("allowed");
  }

  /** Returns whether it was refused before rules were looked up. */
  boolean rejected() {
    return Value.TRUE.equals(line.members().get("rejected"));
  }

  /** Returns whether Envoy asked, whose peers are not those of the request. */
  boolean isCheck() {
    return line.members().containsKey("grpc_status");
  }

  /** Returns the kind of its error; empty if there was none. */
  String error() {
    return string(line, "error");
  }

  /** Returns the share of allowed decisions that were logged, as it is written; empty for all. */
  Optional<String> sampled() {
    return line.members().get("sampled") instanceof Value.Float share ? Optional.of(Double.toString(share.value()))
        : line.members().get("sampled") instanceof Value.Int whole ? Optional.of(Long.toString(whole.value()))
            : Optional.empty();
  }

  /** Returns a member of the rule; empty if there is none. */
  String rule(String member) {
    return string(dict(line, "rule"), member);
  }

  /** Returns a member of the request; empty if there is none. */
  String request(String member) {
    return string(dict(line, "request"), member);
  }

  List<String> clients() {
    return strings(line, "client");
  }

  List<PastDecision.Step> steps() {
    return items(line, "steps").stream()
        .map(step -> new PastDecision.Step(string(step, "id"), string(step, "kind"), string(step, "outcome"))).toList();
  }

  /** Returns what is known of the decision. */
  PastDecision past(Optional<SealedContent> sealed) {
    return new PastDecision(time, allowed(), error(), steps(),
        new RuleOrigin(rule("at"), rule("sha256"), rule("authenticators_sha256"), rule("rule_set_sha256"),
            rule("configuration_sha256"),
            sealed.map(SealedContent::effect).orElse(ConfigurationDigests.Effect.UNKNOWN)),
        "");
  }

  /** Returns the request in one line, as {@code GET https://app.example/orders}. */
  String text() {
    return request("method") + " " + request("scheme") + "://" + request("host") + request("path");
  }

  boolean isSealed() {
    return line.members().containsKey("sealed");
  }

  /** Returns the sealed request; empty if there is none, or it was sealed with another key. */
  Optional<SealedContent> opened(SymmetricKey key) {
    try {
      Optional<String> text = EncryptedText.open(string(line, "sealed"), key);
      return text.isPresent() && Json.read(text.get()) instanceof Value.Dict content
          ? Optional.of(new SealedContent(content))
          : Optional.empty();
    } catch (ValueException _) {
      return Optional.empty();
    }
  }

  /** The sealed part of a line. */
  record SealedContent(Value.Dict content) {
    String member(String name) {
      return string(content, name);
    }

    List<String> clients() {
      return strings(content, "clients");
    }

    Fields fields() {
      List<Field> out = new ArrayList<>();
      if (content.members().get("headers") instanceof Value.Array fields) {
        for (Value field : fields.items()) {
          if (field instanceof Value.Array pair && pair.items().size() == 2
              && pair.items().get(0) instanceof Value.Str name && pair.items().get(1) instanceof Value.Str value) {
            out.add(new Field(name.value(), value.value()));
          }
        }
      }
      return Fields.of(out);
    }

    /** Returns the body; empty if no rule has read it, or it was too long for the log. */
    Optional<byte[]> body() {
      return content.members().get("body") instanceof Value.Str body ? Optional.of(bytes(body.value()))
          : Optional.empty();
    }

    /** Returns what was known of the client's certificate; empty in lines that do not have it. */
    Optional<PeerCertificates> certificates() {
      return content.members().get("certificates") instanceof Value.Dict known ? Optional.of(certificates(known))
          : Optional.empty();
    }

    private static PeerCertificates certificates(Value.Dict known) {
      try {
        List<X509Certificate> chain = CertificateChains
            .ofDer(strings(known, "tls").stream().map(SealedContent::bytes).toList());
        return new PeerCertificates(() -> chain,
            Optional.of(string(known, "reported")).filter(pem -> !pem.isEmpty()),
            Value.TRUE.equals(known.members().get("proxy")));
      } catch (KeyMaterialException _) {
        return PeerCertificates.NONE;
      }
    }

    Optional<Subject> subject() {
      return content.members().get("subject") instanceof Value.Dict known ? Optional.of(subject(known))
          : Optional.empty();
    }

    private static Subject subject(Value.Dict known) {
      SortedMap<String, Subject> principals = new TreeMap<>();
      dict(known, "principals").members().forEach((name, principal) -> {
        if (principal instanceof Value.Dict one) {
          principals.put(name, subject(one));
        }
      });
      return principals.isEmpty() ? new Subject(string(known, "id"), dict(known, "attributes"))
          : Subject.of(principals);
    }

    /** Returns what the rule did; unknown in lines of earlier versions. */
    ConfigurationDigests.Effect effect() {
      return new ConfigurationDigests.Effect(string(dict(content, "effect"), "authenticators"),
          string(dict(content, "effect"), "rule"), string(dict(content, "effect"), "files"), List.of());
    }

    /** Returns the responses of remote services. */
    List<RecordedAnswer> answers() {
      return items(content, "answers").stream().map(answer -> {
        Map<String, List<String>> fields = new LinkedHashMap<>();
        dict(answer, "headers").members().keySet()
            .forEach(name -> fields.put(name, strings(dict(answer, "headers"), name)));
        int status = answer.members().get("status") instanceof Value.Int code ? (int) code.value() : 0;
        return new RecordedAnswer(string(answer, "method"), string(answer, "url"), string(answer, "key"), status,
            fields, bytes(string(answer, "body")));
      }).toList();
    }

    /** Returns what was found in the cache. */
    Map<CacheKey, byte[]> cached() {
      Map<CacheKey, byte[]> out = new LinkedHashMap<>();
      items(content, "cached")
          .forEach(entry -> out.put(new CacheKey(string(entry, "key")), bytes(string(entry, "value"))));
      return out;
    }

    private static byte[] bytes(String base64) {
      try {
        return Base64.getDecoder().decode(base64);
      } catch (IllegalArgumentException _) {
        return new byte[0];
      }
    }
  }

  private static String string(Value.Dict dict, String member) {
    return dict.members().get(member) instanceof Value.Str text ? text.value() : "";
  }

  private static Value.Dict dict(Value.Dict dict, String member) {
    return dict.members().get(member) instanceof Value.Dict inner ? inner : Value.Dict.EMPTY;
  }

  private static List<Value.Dict> items(Value.Dict dict, String member) {
    List<Value.Dict> out = new ArrayList<>();
    if (dict.members().get(member) instanceof Value.Array list) {
      list.items().forEach(item -> {
        if (item instanceof Value.Dict one) {
          out.add(one);
        }
      });
    }
    return out;
  }

  private static List<String> strings(Value.Dict dict, String member) {
    List<String> out = new ArrayList<>();
    if (dict.members().get(member) instanceof Value.Array list) {
      list.items().forEach(item -> {
        if (item instanceof Value.Str text) {
          out.add(text.value());
        }
      });
    }
    return out;
  }
}
