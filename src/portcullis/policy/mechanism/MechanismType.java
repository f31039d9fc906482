package portcullis.policy.mechanism;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.source.Problems;

/**
 * A type of mechanism: how its settings are decoded and how it is created.
 *
 * @param config decodes the settings of a definition
 * @param absent the default settings; empty if settings are required
 * @param refine decodes the settings that a rule may override, given those of the definition; empty if it may override
 * none
 * @param doc what help shows of it
 */
public record MechanismType<C, K extends Mechanism>(Class<K> kind, String name, Decoder<C> config, Optional<C> absent,
    Optional<Function<C, Decoder<C>>> refine, Maker<C, K> maker, TypeDoc doc) {
  /** Returns a type without settings. */
  public static <K extends Mechanism> MechanismType<Unset, K> plain(Class<K> kind, String name, Maker<Unset, K> maker) {
    Decoder<Unset> nothing = Decoders.object("", List.of(), _ -> Unset.NOTHING);
    return new MechanismType<>(kind, name, nothing, Optional.of(Unset.NOTHING), Optional.empty(), maker, TypeDoc.NONE);
  }

  /** Returns a type with required settings, some of which a rule may override. */
  public static <C, K extends Mechanism> MechanismType<C, K> of(Class<K> kind, String name, Decoder<C> config,
      Function<C, Decoder<C>> refine, Maker<C, K> maker) {
    return new MechanismType<>(kind, name, config, Optional.empty(), Optional.of(refine), maker, TypeDoc.NONE);
  }

  /** Returns a type with required settings, none of which a rule may override. */
  public static <C, K extends Mechanism> MechanismType<C, K> fixed(Class<K> kind, String name, Decoder<C> config,
      Maker<C, K> maker) {
    return new MechanismType<>(kind, name, config, Optional.empty(), Optional.empty(), maker, TypeDoc.NONE);
  }

  /** Returns a copy with default settings. */
  public MechanismType<C, K> orElse(C defaultConfig) {
    return new MechanismType<>(kind, name, config, Optional.of(defaultConfig), refine, maker, doc);
  }

  /** Returns a copy with this purpose, one or two sentences for the operator. */
  public MechanismType<C, K> purpose(String purpose) {
    return new MechanismType<>(kind, name, config, absent, refine, maker, new TypeDoc(purpose, doc.errors()));
  }

  /** Returns a copy whose steps fail with this kind of error; {@code when} is a clause in the present tense. */
  public MechanismType<C, K> fails(ErrorKind error, String when) {
    return new MechanismType<>(kind, name, config, absent, refine, maker, doc.with(new TypeDoc.Cause(error, when)));
  }

  /** Creates a mechanism from its settings; empty exactly if a problem was added. */
  public interface Maker<C, K> {
    Optional<K> make(C config, MechanismContext context, Problems problems);
  }

  /** The settings of a type without settings. */
  public enum Unset {
    NOTHING
  }
}
