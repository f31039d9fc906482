package portcullis.verify;

import java.net.InetAddress;
import java.util.Optional;
import java.util.function.Supplier;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Content;
import portcullis.http.message.Fields;
import portcullis.http.message.PeerCertificates;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.http.message.ResponseStatusException;
import portcullis.http.message.TrustedProxies;
import portcullis.lang.address.Address;
import portcullis.lang.value.ParseBudget;
import portcullis.lang.value.ParseMemory;
import portcullis.policy.mechanism.YamlFormat;
import portcullis.policy.replay.Evidence;
import portcullis.policy.replay.MissingParts;
import portcullis.policy.replay.Redecision;

/** Decides logged requests by other rules, as far as the log suffices for that. For one thread. */
final class LogReplay {
  private final Redecision redecision;
  private final TrustedProxies proxies;
  private final Optional<SymmetricKey> key;

  /**
   * @param decider that has loaded the rules
   * @param proxies that are trusted now
   */
  LogReplay(OfflineDecider decider, TrustedProxies proxies, Optional<SymmetricKey> key) {
    this.redecision = decider.redecision();
    this.proxies = proxies;
    this.key = key;
  }

  Redecision.Result of(LoggedDecision logged) {
    if (logged.rejected()) {
      return new Redecision.Result.Unchanged();
    }
    Optional<LoggedDecision.SealedContent> sealed = key.flatMap(logged::opened);
    Optional<String> otherwise = sealed.filter(_ -> !logged.isCheck()).flatMap(this::seenOtherwise);
    if (otherwise.isPresent()) {
      return new Redecision.Result.Undecided(otherwise.get());
    }
    MissingParts missing = new MissingParts();
    Optional<Request> request = request(logged, sealed, missing);
    if (request.isEmpty()) {
      return logged.allowed() ? new Redecision.Result.Undecided("the request cannot be read")
          : new Redecision.Result.Unchanged();
    }
    return redecision.of(logged.past(sealed), request.get(),
        sealed.map(content -> new Evidence(content.subject(), content.answers(), content.cached())), missing,
        () -> !logged.isSealed() ? "whole requests are not in the log (`seal_key`)"
            : key.isEmpty() ? "the whole request is sealed"
                : "it is sealed with another key, or damaged");
  }

  /**
   * Returns why rules would see another request than then: its peer was a trusted proxy then or is one now, not both,
   * and what it says of method, host, path and client counts only from such a peer.
   */
  private Optional<String> seenOtherwise(LoggedDecision.SealedContent sealed) {
    Optional<InetAddress> peer = sealed.clients().isEmpty() ? Optional.empty()
        : Address.parse(sealed.clients().getLast());
    if (peer.isEmpty() || sealed.certificates().isEmpty()) {
      return Optional.empty();
    }
    boolean then = sealed.certificates().get().proxy();
    boolean now = proxies.trusts(peer.get());
    String at = "`" + sealed.clients().getLast() + "`";
    return then == now ? Optional.empty()
        : Optional.of(now
            ? at + " is a trusted proxy now (`serve.trusted_proxies`) and was none then, so that its forwarding "
                + "headers count"
            : at + " was a trusted proxy then and is none now (`serve.trusted_proxies`), so that its forwarding "
                + "headers do not count");
  }

  /** Returns the request as the decider got it, without what the log does not have; empty if it is not valid. */
  private static Optional<Request> request(LoggedDecision logged, Optional<LoggedDecision.SealedContent> sealed,
      MissingParts missing) {
    String host = sealed.map(s -> s.member("host")).orElse(logged.request("host"));
    Fields fields = sealed.map(LoggedDecision.SealedContent::fields).orElse(Fields.NONE);
    Content content = sealed.flatMap(LoggedDecision.SealedContent::body).map(Content::of).orElseGet(missing::body);
    Body body = new Body(content, fields.joined("Content-Type").orElse(""), ParseBudget.DEFAULT, ParseMemory.PROCESS,
        "", YamlFormat::orOther);
    try {
      RequestPath path = RequestPath
          .readUnresolved(sealed.map(s -> s.member("path")).orElse(logged.request("path")));
      return Authority.parse(host).map(authority -> new Request(logged.request("method"), logged.request("scheme"),
          authority, path, sealed.map(s -> s.member("query")).orElse(""), fields,
          sealed.map(LoggedDecision.SealedContent::clients).orElse(logged.clients()), body)
          .withCertificates(certificates(sealed, missing)));
    } catch (ResponseStatusException _) {
      return Optional.empty();
    }
  }

  private static Supplier<PeerCertificates> certificates(Optional<LoggedDecision.SealedContent> sealed,
      MissingParts missing) {
    Optional<PeerCertificates> known = sealed.flatMap(LoggedDecision.SealedContent::certificates);
    return () -> known.orElseGet(missing::certificates);
  }
}
