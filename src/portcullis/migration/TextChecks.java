package portcullis.migration;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.config.Node;

/** Differences of templates and expressions, which are found by what is written in them. */
final class TextChecks {
  private static final Map<Difference, Pattern> PATTERNS = patterns();

  private TextChecks() {}

  private static Map<Difference, Pattern> patterns() {
    Map<Difference, Pattern> out = new LinkedHashMap<>();
    out.put(Difference.READ_BODY, Pattern.compile("\\bRequest\\.Body\\b"));
    out.put(Difference.URL_JSON, Pattern.compile("\\.Request\\.URL\\s*\\|\\s*(?:must)?to(?:Raw|Pretty)?Json|"
        + "to(?:Raw|Pretty)?Json\\s+\\.Request\\.URL\\s*}}"));
    out.put(Difference.TYPE_NAMES, Pattern.compile("\\{\\{.*\\btypeOf\\b"));
    out.put(Difference.LAST_OF_NOTHING, Pattern.compile("\\.last\\(\\)"));
    out.put(Difference.BYTES, Pattern.compile("\\{\\{.*\\b(?:b64dec|trunc)\\b"));
    out.put(Difference.ENVIRONMENT, Pattern.compile("\\{\\{.*\\b(?:env|expandenv)\\s"));
    out.put(Difference.COSTLY_FUNCTIONS, Pattern.compile("\\{\\{.*\\b(?:getHostByName|gen(?:PrivateKey|CA|CAWithKey|"
        + "SelfSignedCert|SelfSignedCertWithKey|SignedCert|SignedCertWithKey)|buildCustomCert|bcrypt|htpasswd|"
        + "derivePassword)\\b"));
    return out;
  }

  static void check(Node document, Findings findings) {
    for (Node.Scalar text : Nodes.scalars(document)) {
      PATTERNS.forEach((difference, pattern) -> {
        Matcher found = pattern.matcher(text.text());
        if (found.find()) {
          findings.add(difference, text.at(found.start(), found.end() - found.start()), text.path(), found.group());
        }
      });
    }
  }
}
