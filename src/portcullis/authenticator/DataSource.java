package portcullis.authenticator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.mechanism.Failure;
import portcullis.message.Cookies;
import portcullis.message.Grammar;
import portcullis.message.Query;
import portcullis.message.Request;
import portcullis.value.Value;

/** A place in a request where credentials may stand. */
public sealed interface DataSource {
  /** What stands there. */
  String read(Request request) throws Failure.Precondition;

  /** A header field; with a scheme only what stands behind it. */
  record Header(String name, Optional<String> scheme) implements DataSource {
    @Override
    public String read(Request request) throws Failure.Precondition {
      String value = request.fields().joined(name)
          .orElseThrow(() -> new Failure.Precondition("no '" + name + "' header present"));
      if (scheme.isEmpty()) {
        return value;
      }
      if (!value.startsWith(scheme.get() + " ")) {
        throw new Failure.Precondition("'" + name + "' header present, but without required '" + scheme.get() + "' scheme");
      }
      return Grammar.trimmed(value.substring(scheme.get().length()));
    }
  }

  /** A cookie. */
  record Cookie(String name) implements DataSource {
    @Override
    public String read(Request request) throws Failure.Precondition {
      return Cookies.first(request.fields(), name).filter(v -> !v.isEmpty())
          .orElseThrow(() -> new Failure.Precondition("no '" + name + "' cookie present"));
    }
  }

  /** A parameter of the query. */
  record QueryParameter(String name) implements DataSource {
    @Override
    public String read(Request request) throws Failure.Precondition {
      List<String> values = Query.parameters(request.url().query()).getOrDefault(name, List.of());
      if (values.isEmpty() || values.getFirst().isEmpty()) {
        throw new Failure.Precondition("no '" + name + "' query parameter present");
      }
      return values.getFirst();
    }
  }

  /** A member of the body. */
  record BodyParameter(String name) implements DataSource {
    @Override
    public String read(Request request) throws Failure.Precondition {
      if (!(request.body().value() instanceof Value.Dict body)) {
        throw new Failure.Precondition("no usable body present");
      }
      Value value = body.get(name).orElseThrow(() -> new Failure.Precondition("no " + name + " parameter present in request body"));
      return switch (value) {
        case Value.Text t -> t.value();
        case Value.Array a when a.items().size() > 1 ->
            throw new Failure.Precondition(name + " request body parameter is present multiple times");
        case Value.Array a when a.items().size() == 1 && a.items().getFirst() instanceof Value.Text t -> t.value();
        default -> throw new Failure.Precondition("unexpected type for " + name + " request body parameter");
      };
    }
  }

  /** What the first source of the list that has something has. */
  static String first(List<DataSource> sources, Request request, String otherwise) throws Failure {
    Optional<Failure.Precondition> last = Optional.empty();
    for (DataSource source : sources) {
      try {
        String value = source.read(request);
        if (!value.isEmpty()) {
          return value;
        }
      } catch (Failure.Precondition e) {
        last = Optional.of(e);
      }
    }
    throw new Failure.Authentication(otherwise, last.orElseGet(() -> new Failure.Precondition("it is empty")));
  }

  /** Where bearer tokens stand unless told otherwise (RFC 6750, 2). */
  static List<DataSource> bearer() {
    return List.of(new Header("Authorization", Optional.of("Bearer")), new QueryParameter("access_token"),
        new BodyParameter("access_token"));
  }

  /** A list of one source at least; each entry has one of the keys. */
  static Decoder<List<DataSource>> list() {
    Key<Optional<String>> header = Key.optional("header", Decoders.nonEmpty(), "the name of a header field");
    Key<Optional<String>> scheme = Key.optional("scheme", Decoders.nonEmpty(), "what stands before the value");
    Key<Optional<String>> cookie = Key.optional("cookie", Decoders.nonEmpty(), "the name of a cookie");
    Key<Optional<String>> query = Key.optional("query_parameter", Decoders.nonEmpty(), "the name of a query parameter");
    Key<Optional<String>> body = Key.optional("body_parameter", Decoders.nonEmpty(), "the name of a member of the body");
    Decoder<DataSource> one = Decoders.checked("a source", List.of(header, scheme, cookie, query, body), (p, problems) -> {
      List<DataSource> found = new ArrayList<>();
      p.get(header).ifPresent(name -> found.add(new Header(name, p.get(scheme))));
      p.get(cookie).ifPresent(name -> found.add(new Cookie(name)));
      p.get(query).ifPresent(name -> found.add(new QueryParameter(name)));
      p.get(body).ifPresent(name -> found.add(new BodyParameter(name)));
      boolean schemeAlone = p.get(scheme).isPresent() && p.get(header).isEmpty();
      if (found.size() != 1 || schemeAlone) {
        problems.error(p.node().at(), p.node().path(), schemeAlone ? "`scheme` belongs to `header`" : "a source is one place",
            "one of: header, cookie, query_parameter, body_parameter");
        return Optional.empty();
      }
      return Optional.of(found.getFirst());
    });
    return Decoders.list(one, 1);
  }
}
