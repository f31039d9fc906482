package portcullis.policy.pipeline;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A version of the format of rule sets, by which the meaning of some steps differs. */
public enum RuleSetVersion {
  /** The first applicable error handler handles a failure; authenticators form one chain. */
  ALPHA4("1alpha4"),
  /** Every applicable error handler runs; authenticators of each principal form a chain of their own. */
  BETA1("1beta1");

  private final String text;

  RuleSetVersion(String text) {
    this.text = text;
  }

  /** Returns it as rule sets name it. */
  public String text() {
    return text;
  }

  public static Optional<RuleSetVersion> of(String text) {
    return Arrays.stream(values()).filter(version -> version.text.equals(text)).findFirst();
  }

  public static List<String> texts() {
    return Arrays.stream(values()).map(RuleSetVersion::text).toList();
  }
}
