package portcullis.lang.template;

import java.util.Map;
import portcullis.lang.value.ValueFault;

/** sprig's functions of semantic versions, and what can be asked of one. */
final class VersionFunctions {
  static final Map<String, Function> ALL = new FunctionSet()
      .with("semver", a -> new Item.Release(Version.read(a.text(0))), Slot.TEXT)
      .with("semverCompare", a -> Item.of(VersionConstraint.holds(VersionConstraint.read(a.text(0)),
          Version.read(a.text(1)))), Slot.TEXT, Slot.TEXT)
      .functions();

  static final Map<String, Function> METHODS = new FunctionSet()
      .with("Major", a -> number(a.release(0).major()), Slot.RELEASE)
      .with("Minor", a -> number(a.release(0).minor()), Slot.RELEASE)
      .with("Patch", a -> number(a.release(0).patch()), Slot.RELEASE)
      .with("Prerelease", a -> Item.of(a.release(0).prerelease()), Slot.RELEASE)
      .with("Metadata", a -> Item.of(a.release(0).metadata()), Slot.RELEASE)
      .with("Original", a -> Item.of(a.release(0).original()), Slot.RELEASE)
      .with("String", a -> Item.of(a.release(0).text()), Slot.RELEASE)
      .with("Compare", a -> Item.ofInt(compared(a)), Slot.RELEASE, Slot.RELEASE)
      .with("Equal", a -> Item.of(compared(a) == 0), Slot.RELEASE, Slot.RELEASE)
      .with("GreaterThan", a -> Item.of(compared(a) > 0), Slot.RELEASE, Slot.RELEASE)
      .with("GreaterThanEqual", a -> Item.of(compared(a) >= 0), Slot.RELEASE, Slot.RELEASE)
      .with("LessThan", a -> Item.of(compared(a) < 0), Slot.RELEASE, Slot.RELEASE)
      .with("LessThanEqual", a -> Item.of(compared(a) <= 0), Slot.RELEASE, Slot.RELEASE)
      .with("IncMajor", a -> new Item.Release(a.release(0).bumped(a.release(0).major() + 1, 0, 0)), Slot.RELEASE)
      .with("IncMinor", a -> new Item.Release(a.release(0).bumped(a.release(0).major(), a.release(0).minor() + 1, 0)),
          Slot.RELEASE)
      .with("IncPatch", a -> new Item.Release(a.release(0).nextPatch()), Slot.RELEASE)
      .with("SetPrerelease", a -> new Item.Release(changed(a.release(0), a.text(1), a.release(0).metadata())),
          Slot.RELEASE, Slot.TEXT)
      .with("SetMetadata", a -> new Item.Release(changed(a.release(0), a.release(0).prerelease(), a.text(1))),
          Slot.RELEASE, Slot.TEXT)
      .functions();

  private VersionFunctions() {}

  private static Item number(long number) {
    return new Item.Whole(number, WholeType.UINT64);
  }

  private static int compared(Arguments a) {
    return Integer.signum(a.release(0).compare(a.release(1)));
  }

  private static Version changed(Version v, String prerelease, String metadata) throws ValueFault {
    String prefix = v.original().startsWith("v") ? "v" : "";
    return Version
        .read(prefix + v.major() + "." + v.minor() + "." + v.patch() + (prerelease.isEmpty() ? "" : "-" + prerelease)
            + (metadata.isEmpty() ? "" : "+" + metadata));
  }
}
