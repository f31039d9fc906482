package portcullis.serve.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import portcullis.http.message.Field;
import portcullis.lang.source.Redaction;
import portcullis.observe.decisions.SecretNames;
import portcullis.observe.decisions.SecretText;
import portcullis.serve.service.DryRun;

/** Hides secrets in output: credentials of the request, and whatever looks like a token. Immutable. */
public final class SecretMask {
  private static final String HIDDEN = "***";
  private static final int SHORTEST = 4;

  private static final Pattern NAME_OF_COOKIE = Pattern.compile("(?:^|(?<=;))\\s*[^=;]*=");

  private static final Pattern USERINFO = Pattern.compile("^[^:/?#]*://([^/?#]*)@");

  private final List<String> secrets;

  private SecretMask(List<String> secrets) {
    this.secrets = secrets;
  }

  /**
   * Returns the mask of a request's secrets: values of header fields and parameters, chosen by name, and userinfo of
   * the URL.
   */
  public static SecretMask of(DryRun.Draft request) {
    List<String> out = new ArrayList<>();
    request.fields().stream().filter(field -> SecretNames.has(field.name())).forEach(
        field -> addWords(field.name().equalsIgnoreCase("Cookie") ? NAME_OF_COOKIE.matcher(field.value()).replaceAll("")
            : field.value(), out));
    Matcher userinfo = USERINFO.matcher(request.url());
    if (userinfo.find()) {
      addWords(userinfo.group(1), out);
      addWords(userinfo.group(1).replaceFirst("^[^:]*:?", ""), out);
    }
    for (String pair : request.url().replaceFirst("^[^?]*\\??", "").split("[&;#]")) {
      int equals = pair.indexOf('=');
      if (equals > 0 && SecretNames.has(pair.substring(0, equals))) {
        addWords(pair.substring(equals + 1), out);
      }
    }
    out.sort((a, b) -> b.length() - a.length());
    return new SecretMask(List.copyOf(out));
  }

  private static void addWords(String value, List<String> out) {
    Stream.concat(Stream.of(value), Stream.of(value.split("[\\s,;=]+"))).filter(word -> word.length() >= SHORTEST
        && !List.of("bearer", "basic", "digest").contains(word.toLowerCase(Locale.ROOT))).forEach(out::add);
  }

  /** Returns the text without secrets. */
  public String masked(String text) {
    String out = text;
    for (String secret : secrets) {
      out = out.replace(secret, HIDDEN);
    }
    return Redaction.withoutUserinfo(SecretText.withoutTokens(out, HIDDEN));
  }

  /** Returns a value by its name. */
  public String masked(Field field) {
    return SecretNames.has(field.name()) ? HIDDEN : masked(field.value());
  }
}
