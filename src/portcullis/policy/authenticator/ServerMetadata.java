package portcullis.policy.authenticator;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoders;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.policy.endpoint.CallOptions;
import portcullis.policy.endpoint.Endpoint;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.Payload;

/**
 * The metadata of an issuer; immutable.
 *
 * @param issuer empty if the document names none, which is only accepted if the issuer is not verified
 * @param endpoint the endpoint that was looked up
 */
record ServerMetadata(String issuer, Endpoint endpoint) {
  private static final String WELL_KNOWN = "/.well-known/";

  /**
   * Parses a document.
   *
   * @param address the URL of the document
   */
  static ServerMetadata read(byte[] document, MetadataEndpoint at, URI address, MechanismContext context)
      throws Failure {
    Value.Dict members = members(document);
    String issuer = text(members, "issuer");
    if (!at.unverified() && implied(address.toString()).stream().noneMatch(expected -> same(expected, issuer))) {
      throw new Failure.Internal(
          "expected issuer '" + implied(address.toString()).getFirst() + "' does not match issuer '"
              + Decoders.shortened(issuer) + "' from the received metadata");
    }
    return new ServerMetadata(issuer, Endpoint.at(url(members, at.member(), context), at.options()));
  }

  /** Returns whether it is the document of this issuer. */
  boolean isOf(String named) {
    return same(issuer, named);
  }

  private static Value.Dict members(byte[] document) throws Failure {
    try {
      if (Json.read(document) instanceof Value.Dict dict) {
        return dict;
      }
      throw unreadable("it is not a JSON object");
    } catch (ValueException e) {
      throw Payload.unreadable("failed to unmarshal received oauth2 server metadata document", e);
    }
  }

  private static Failure unreadable(String why) {
    return new Failure.Internal("failed to unmarshal received oauth2 server metadata document", why);
  }

  private static String text(Value.Dict members, String name) throws Failure {
    return switch (members.get(name).orElse(Value.NULL)) {
      case Value.Str text -> text.value();
      case Value.Null _ -> "";
      case Value _ -> throw unreadable("`" + name + "` is not a string");
    };
  }

  /**
   * Returns the issuers that the address of a document implies: everything before {@code /.well-known/name} (OpenID),
   * with what follows it (RFC 8414, 3.1), or, as in heimdall, with the first segment of that.
   */
  private static List<String> implied(String address) {
    int end = address.indexOf('?') < 0 ? address.length() : address.indexOf('?');
    int at = address.lastIndexOf(WELL_KNOWN, end);
    if (at < 0) {
      return List.of(address.substring(0, end));
    }
    int name = at + WELL_KNOWN.length();
    int behind = address.indexOf('/', name);
    List<String> out = new ArrayList<>();
    if (behind < 0 || behind >= end) {
      out.add(address.substring(0, at));
    } else {
      int next = address.indexOf('/', behind + 1);
      out.add(address.substring(0, at) + address.substring(behind, end));
      out.add(address.substring(0, at) + address.substring(behind, next < 0 ? end : Math.min(next, end)));
    }
    return out;
  }

  /** Compares two issuers, ignoring a trailing slash. */
  private static boolean same(String a, String b) {
    return withoutSlash(a).equals(withoutSlash(b));
  }

  private static String withoutSlash(String text) {
    return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }

  /** Checks a discovered URL like one in the configuration: no template, http or https, TLS if it is enforced. */
  private static URI url(Value.Dict members, MetadataEndpoint.Member member, MechanismContext context) throws Failure {
    String text = text(members, member.text());
    if (text.isEmpty()) {
      throw new Failure.Internal("received server metadata does not contain the required " + member.text());
    }
    if (text.contains("{{")) {
      throw new Failure.Internal("received " + member.text() + " contains a template, which is not allowed");
    }
    URI url = parsed(text)
        .orElseThrow(() -> new Failure.Communication("received " + member.text() + " is not a URL", false));
    Problems problems = new Problems();
    if (!Endpoint.at(url, CallOptions.DEFAULT).secure(context.caller(), context.enforcement().egressTls(), problems)) {
      throw new Failure.Communication("received " + member.text() + " cannot be used: "
          + problems.sorted().stream().map(Problem::message).findFirst().orElse(""), false);
    }
    return url;
  }

  private static Optional<URI> parsed(String text) {
    try {
      URI url = new URI(text);
      return url.getRawAuthority() == null || url.getRawUserInfo() != null ? Optional.empty() : Optional.of(url);
    } catch (URISyntaxException _) {
      return Optional.empty();
    }
  }
}
