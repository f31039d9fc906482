package portcullis.lang.template;

import java.util.Map;
import portcullis.lang.value.ValueException;

/** sprig's functions for semantic versions, and their methods. */
final class VersionFunctions {
  static final Map<String, Function> ALL = new FunctionSet()
      .with("semver", a -> new Item.SemVer(Version.read(a.text(0))), Param.TEXT)
      .with("semverCompare", a -> Item.of(VersionConstraint.holds(VersionConstraint.read(a.text(0)),
          Version.read(a.text(1)))), Param.TEXT, Param.TEXT)
      .functions();

  static final Map<String, Function> METHODS = new FunctionSet()
      .with("Major", a -> number(a.version(0).major()), Param.SEM_VER)
      .with("Minor", a -> number(a.version(0).minor()), Param.SEM_VER)
      .with("Patch", a -> number(a.version(0).patch()), Param.SEM_VER)
      .with("Prerelease", a -> Item.of(a.version(0).prerelease()), Param.SEM_VER)
      .with("Metadata", a -> Item.of(a.version(0).metadata()), Param.SEM_VER)
      .with("Original", a -> Item.of(a.version(0).original()), Param.SEM_VER)
      .with("String", a -> Item.of(a.version(0).text()), Param.SEM_VER)
      .with("Compare", a -> Item.ofInt(compared(a)), Param.SEM_VER, Param.SEM_VER)
      .with("Equal", a -> Item.of(compared(a) == 0), Param.SEM_VER, Param.SEM_VER)
      .with("GreaterThan", a -> Item.of(compared(a) > 0), Param.SEM_VER, Param.SEM_VER)
      .with("GreaterThanEqual", a -> Item.of(compared(a) >= 0), Param.SEM_VER, Param.SEM_VER)
      .with("LessThan", a -> Item.of(compared(a) < 0), Param.SEM_VER, Param.SEM_VER)
      .with("LessThanEqual", a -> Item.of(compared(a) <= 0), Param.SEM_VER, Param.SEM_VER)
      .with("IncMajor", a -> new Item.SemVer(a.version(0).bumped(a.version(0).major() + 1, 0, 0)), Param.SEM_VER)
      .with("IncMinor", a -> new Item.SemVer(a.version(0).bumped(a.version(0).major(), a.version(0).minor() + 1, 0)),
          Param.SEM_VER)
      .with("IncPatch", a -> new Item.SemVer(a.version(0).nextPatch()), Param.SEM_VER)
      .with("SetPrerelease", a -> new Item.SemVer(changed(a.version(0), a.text(1), a.version(0).metadata())),
          Param.SEM_VER, Param.TEXT)
      .with("SetMetadata", a -> new Item.SemVer(changed(a.version(0), a.version(0).prerelease(), a.text(1))),
          Param.SEM_VER, Param.TEXT)
      .functions();

  private VersionFunctions() {}

  private static Item number(long number) {
    return new Item.Whole(number, WholeType.UINT64);
  }

  private static int compared(Arguments a) {
    return Integer.signum(a.version(0).compare(a.version(1)));
  }

  private static Version changed(Version v, String prerelease, String metadata) throws ValueException {
    String prefix = v.original().startsWith("v") ? "v" : "";
    return Version
        .read(prefix + v.major() + "." + v.minor() + "." + v.patch() + (prerelease.isEmpty() ? "" : "-" + prerelease)
            + (metadata.isEmpty() ? "" : "+" + metadata));
  }
}
