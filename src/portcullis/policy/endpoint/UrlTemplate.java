package portcullis.policy.endpoint;

import java.net.URI;
import java.util.Optional;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.template.RenderFailure;
import portcullis.lang.template.Template;
import portcullis.lang.value.Value;

/**
 * The URL of a remote service, which may be a template. A rendered value cannot change the structure: neither the
 * scheme nor a literal host; it begins no query and no parameter, and contains no dot segment. Immutable.
 */
public sealed interface UrlTemplate {
  /** Returns the source. */
  LocatedText text();

  /** Renders the URL. */
  URI render(Value.Dict scope) throws CallFailure;

  /** Compiles a URL; empty exactly if a problem was added. */
  static Optional<UrlTemplate> compile(LocatedText text, Problems problems) {
    if (!Urls.check(text, false, problems)) {
      return Optional.empty();
    }
    return text.text().contains("{{")
        ? TemplateVariables.compile(new MarkedTemplate(text), problems).map(t -> new Filled(text, t))
        : Urls.parse(text.text()).map(url -> new Fixed(text, url));
  }

  /** A URL that is not a template. */
  record Fixed(LocatedText text, URI url) implements UrlTemplate {
    static Fixed of(URI url) {
      return new Fixed(LocatedText.of("", url.toString()), url);
    }

    @Override
    public URI render(Value.Dict scope) {
      return url;
    }
  }

  /** @param template with marks in it */
  record Filled(LocatedText text, Template template) implements UrlTemplate {
    @Override
    public URI render(Value.Dict scope) throws CallFailure {
      UrlBuilder out = new UrlBuilder();
      boolean written = true;
      for (String part : parts(scope)) {
        if (written) {
          out.write(part);
        } else {
          out.fillIn(part);
        }
        written = !written;
      }
      return out.url();
    }

    private String[] parts(Value.Dict scope) throws CallFailure {
      try {
        return MarkedTemplate.parts(template.render(scope));
      } catch (RenderFailure e) {
        throw new CallFailure.InvalidRequest("failed to render URL for the endpoint: " + e.getMessage());
      }
    }
  }
}
