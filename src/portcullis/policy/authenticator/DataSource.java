package portcullis.policy.authenticator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.config.DecodedMembers;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.http.message.Cookies;
import portcullis.http.message.Fields;
import portcullis.http.message.Grammar;
import portcullis.http.message.Query;
import portcullis.http.message.Request;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.FieldName;

/** A part of a request that may contain credentials. */
public sealed interface DataSource {
  /** Returns the value without surrounding blanks; it may be empty. */
  String read(Request request) throws Failure.Precondition;

  /**
   * A header field; several lines are joined by commas. With a scheme, the value after it.
   *
   * @param bound whether a token is accepted from here only if it is bound to a key
   */
  record Header(String name, Optional<String> scheme, boolean bound) implements DataSource {
    Header(String name, Optional<String> scheme) {
      this(name, scheme, false);
    }

    @Override
    public String read(Request request) throws Failure.Precondition {
      String value = request.fields().joined(name).map(Grammar::text)
          .orElseThrow(() -> new Failure.Precondition("no '" + name + "' header present"));
      if (scheme.isEmpty()) {
        return value.strip();
      }
      if (!value.startsWith(scheme.get() + " ")) {
        boolean isOtherCase = value.regionMatches(true, 0, scheme.get() + " ", 0, scheme.get().length() + 1);
        throw new Failure.Precondition("'" + name + "' header present, but without required '" + scheme.get()
            + "' scheme" + (isOtherCase ? ": upper and lower case differ" : ""));
      }
      return value.substring(scheme.get().length()).strip();
    }
  }

  /** The first cookie with this name, without quotes around its value. */
  record Cookie(String name) implements DataSource {
    @Override
    public String read(Request request) throws Failure.Precondition {
      return Cookies.first(request.fields(), Grammar.wire(name))
          .map(value -> Grammar.text(Cookies.unquoted(value)).strip())
          .orElseThrow(() -> new Failure.Precondition("no '" + name + "' cookie present"));
    }
  }

  /** The first query parameter with this name, decoded. */
  record QueryParameter(String name) implements DataSource {
    @Override
    public String read(Request request) throws Failure.Precondition {
      return Query.parameters(request.url().query()).getOrDefault(name, List.of()).stream().findFirst()
          .map(String::strip)
          .orElseThrow(() -> new Failure.Precondition("no '" + name + "' query parameter present"));
    }
  }

  /** A member of the body, if that is a JSON object or a form: a string, or a list of a single string. */
  record BodyParameter(String name) implements DataSource {
    @Override
    public String read(Request request) throws Failure.Precondition {
      if (!request.body().isWhole()) {
        throw new Failure.Precondition("the body is not there as a whole"); // as if the client had left it out
      }
      Value.Dict body = request.body().parameters()
          .orElseThrow(() -> new Failure.Precondition("no usable body present"));
      Value value = body.get(name)
          .orElseThrow(() -> new Failure.Precondition("no " + name + " parameter present in request body"));
      return switch (value) {
        case Value.Str text -> text.value().strip();
        case Value.Array list when list.items().size() > 1 ->
          throw new Failure.Precondition(name + " request body parameter is present multiple times");
        case Value.Array list when list.items().size() == 1 && list.items().getFirst() instanceof Value.Str text ->
          text.value().strip();
        case Value _ -> throw new Failure.Precondition("unexpected type for " + name + " request body parameter");
      };
    }
  }

  /**
   * Returns the first value that is not empty.
   *
   * @param otherwise the message of the failure if there is none
   */
  static String first(List<DataSource> sources, Request request, String otherwise) throws Failure {
    return find(sources, request, otherwise, Fields.NONE).value();
  }

  /** A value and where it was found. */
  record Found(String value, DataSource source) {
    /** Returns whether it was sent with the scheme of DPoP (RFC 9449, 7.1). */
    boolean isDpop() {
      return source instanceof Header header
          && header.scheme.filter(scheme -> scheme.equalsIgnoreCase(DpopCheck.SCHEME)).isPresent();
    }

    /** Returns whether only a token bound to a key is accepted: by default, and where the client sends a proof. */
    boolean needsKey(Request request) {
      return isDpop() && (source instanceof Header header && header.bound || request.fields().has(DpopCheck.FIELD));
    }
  }

  /** Returns the first value that is not empty, like {@link #first}. @param challenge of the failure */
  static Found find(List<DataSource> sources, Request request, String otherwise, Fields challenge) throws Failure {
    List<String> reasons = new ArrayList<>();
    for (DataSource source : sources) {
      try {
        String value = source.read(request);
        if (hasControl(value)) {
          reasons.add("credentials contain a control character");
        } else if (!value.isEmpty()) {
          return new Found(value, source);
        } else {
          reasons.add("what is there is empty");
        }
      } catch (Failure.Precondition e) {
        reasons.add(e.getMessage());
      }
    }
    throw new Failure.Authentication(otherwise, new Failure.Precondition(String.join("; ", reasons)), challenge);
  }

  /** Returns whether there is an ASCII control character, which credentials cannot contain. */
  static boolean hasControl(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) == 127) {
        return true;
      }
    }
    return false;
  }

  /** Returns the default sources of access tokens (RFC 6750, 2; RFC 9449, 7.1). */
  static List<DataSource> bearer() {
    return List.of(new Header("Authorization", Optional.of("Bearer")),
        new Header("Authorization", Optional.of(DpopCheck.SCHEME), true), new QueryParameter("access_token"),
        new BodyParameter("access_token"));
  }

  /**
   * Decodes a list of at least one source.
   *
   * @param strict whether names that no request can have are errors
   */
  static Decoder<List<DataSource>> list(boolean strict) {
    Key<Optional<String>> header = Key.optional("header", FieldName.ofRequests(strict), "the name of a header field");
    Key<Optional<String>> scheme = Key.optional("scheme", Decoders.nonEmpty(),
        "the scheme in front of the value, as `Bearer`");
    Key<Optional<String>> cookie = Key.optional("cookie", FieldName.ofRequests(strict), "the name of a cookie");
    Key<Optional<String>> query = Key.optional("query_parameter", Decoders.nonEmpty(), "the name of a query parameter");
    Key<Optional<String>> body = Key.optional("body_parameter", Decoders.nonEmpty(), "the name of a member of the "
        + "body");
    return Decoders.list(Decoders.checked("a source", List.of(header, scheme, cookie, query, body), (p, problems) -> {
      List<DataSource> found = new ArrayList<>();
      p.get(header).ifPresent(name -> found.add(new Header(name, p.get(scheme))));
      p.get(cookie).ifPresent(name -> found.add(new Cookie(name)));
      p.get(query).ifPresent(name -> found.add(new QueryParameter(name)));
      p.get(body).ifPresent(name -> found.add(new BodyParameter(name)));
      return only(found, p.get(scheme).isPresent() && p.get(header).isEmpty(), p, problems);
    }), 1);
  }

  private static Optional<DataSource> only(List<DataSource> found, boolean schemeAlone, DecodedMembers parts,
      Problems problems) {
    if (found.size() == 1 && !schemeAlone) {
      return Optional.of(found.getFirst());
    }
    problems.error(parts.node().at(), parts.node().path(),
        schemeAlone ? "`scheme` belongs to `header`" : "a source is one place",
        "one of: header, cookie, query_parameter, body_parameter");
    return Optional.empty();
  }
}
