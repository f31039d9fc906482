package portcullis.reference;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import portcullis.config.Enforcement;
import portcullis.config.Shape;
import portcullis.fixture.KeyList;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.catalogue.MechanismKind;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.pipeline.RuleSetVersion;
import portcullis.policy.rule.RuleReader;
import portcullis.serve.runtime.Settings;
import portcullis.verify.Intents;

/** What the pages of keys and the schemas do not say of keys: it does not change unless somebody means it. */
class KeyPropertiesTest {
  private static final Map<String, Shape> SECTIONS = sections();

  private static Map<String, Shape> sections() {
    Map<String, Shape> out = new LinkedHashMap<>();
    out.put("configuration", Settings.decoder(Enforcement.ALL).shape());
    out.put("rule sets 1alpha4", RuleReader.shape(RuleSetVersion.ALPHA4));
    out.put("rule sets 1beta1", RuleReader.shape(RuleSetVersion.BETA1));
    out.put("intents", Intents.shape());
    for (MechanismKind<?> kind : Catalogue.KINDS) {
      for (MechanismType<?, ?> type : kind.types()) {
        MechanismPages.refined(kind, type)
            .ifPresent(shape -> out.put("steps of " + kind.name() + " " + type.name(), shape));
      }
    }
    return out;
  }

  static Stream<String> names() {
    return SECTIONS.keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void whereNothingMayNotBeWrittenIsListed(String section) throws IOException {
    KeyList.assertRestricting(section, SECTIONS.get(section));
  }

  @ParameterizedTest
  @MethodSource("names")
  void boundsSecretsAndDefaultsAreListed(String section) throws IOException {
    KeyList.assertProperties(section, SECTIONS.get(section));
  }
}
