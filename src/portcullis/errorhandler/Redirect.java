package portcullis.errorhandler;

import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.endpoint.UrlText;
import portcullis.mechanism.Failure;
import portcullis.mechanism.Fault;
import portcullis.mechanism.Mechanism;
import portcullis.mechanism.MechanismType;
import portcullis.mechanism.Rendered;
import portcullis.mechanism.State;
import portcullis.mechanism.Tools;
import portcullis.message.Answer;
import portcullis.message.Fields;
import portcullis.source.LocatedText;
import portcullis.source.Problems;
import portcullis.template.Template;

/** Sends the client somewhere else (RFC 9110, 15.4). */
public record Redirect(Template to, int code) implements Mechanism.ErrorHandler {
  public static final MechanismType<Config, Mechanism.ErrorHandler> TYPE =
      MechanismType.fixed(Mechanism.ErrorHandler.class, "redirect", settings(), Redirect::make);

  /** @param to a URL whose parts may be templates of Request */
  public record Config(LocatedText to, int code) {}

  private static Decoder<Config> settings() {
    Key<LocatedText> to = Key.required("to", Decoders.located(), "the URL, a template of Request; query values need urlenc");
    Key<Integer> code = Key.standard("code", Decoders.number(301, 302), 302, "the status, 301 or 302");
    return Decoders.object("settings", List.of(to, code), parts -> new Config(parts.get(to), parts.get(code)));
  }

  private static Optional<Mechanism.ErrorHandler> make(Config config, Tools tools, Problems problems) {
    boolean good = UrlText.check(config.to, tools.enforcement().egressTls(), problems);
    return Template.compile(config.to, problems).filter(_ -> good).map(to -> new Redirect(to, config.code));
  }

  @Override
  public Optional<Answer> answer(Fault fault, State state) throws Failure {
    String what = "'to' url";
    String location = Rendered.field(Rendered.text(to, state.scope(), what), what);
    return Optional.of(Answer.of(code, Fields.of("Location", location)));
  }
}
