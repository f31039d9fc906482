package portcullis.serve.runtime;

/** Reads the version of this build from its jar. */
public final class Version {
  private Version() {}

  /** Returns the version, or {@code unpackaged} where the classes do not come from the jar. */
  public static String current() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }
}
