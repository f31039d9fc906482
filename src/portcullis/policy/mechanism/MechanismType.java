package portcullis.policy.mechanism;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.lang.source.Problems;

/**
 * A type of mechanism: how its settings are read and what is made of them.
 *
 * @param config reads the settings of a definition
 * @param absent what counts where a definition has no settings; empty where it needs some
 * @param refine reads what a rule may set anew, given the definition's settings; empty where a rule may set nothing
 */
public record MechanismType<C, K extends Mechanism>(Class<K> kind, String name, Decoder<C> config, Optional<C> absent,
    Optional<Function<C, Decoder<C>>> refine, Maker<C, K> maker) {
  /** One that has no settings at all. */
  public static <K extends Mechanism> MechanismType<Unset, K> plain(Class<K> kind, String name, Maker<Unset, K> maker) {
    Decoder<Unset> nothing = Decoders.object("", List.of(), _ -> Unset.NOTHING);
    return new MechanismType<>(kind, name, nothing, Optional.of(Unset.NOTHING), Optional.empty(), maker);
  }

  /** One that needs settings, some of which a rule may set anew. */
  public static <C, K extends Mechanism> MechanismType<C, K> of(Class<K> kind, String name, Decoder<C> config,
      Function<C, Decoder<C>> refine, Maker<C, K> maker) {
    return new MechanismType<>(kind, name, config, Optional.empty(), Optional.of(refine), maker);
  }

  /** One that needs settings, none of which a rule may set anew. */
  public static <C, K extends Mechanism> MechanismType<C, K> fixed(Class<K> kind, String name, Decoder<C> config,
      Maker<C, K> maker) {
    return new MechanismType<>(kind, name, config, Optional.empty(), Optional.empty(), maker);
  }

  /** The same with settings that count where a definition has none. */
  public MechanismType<C, K> orElse(C standard) {
    return new MechanismType<>(kind, name, config, Optional.of(standard), refine, maker);
  }

  /** Makes a mechanism of its settings; empty exactly if a problem was added. */
  public interface Maker<C, K> {
    Optional<K> make(C config, MechanismContext tools, Problems problems);
  }

  /** The settings of what has none. */
  public enum Unset {
    NOTHING
  }
}
