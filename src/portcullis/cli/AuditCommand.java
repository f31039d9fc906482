package portcullis.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.List;
import java.util.Optional;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.serve.bundle.BundleException;
import portcullis.serve.bundle.SignatureRequirement;
import portcullis.verify.AuditReport;
import portcullis.verify.AuditVerification;

/** Verifies an audit chain, without a network. */
final class AuditCommand {
  static final String DOC = "Checks that the files of an audit chain are unchanged.";
  static final String OPERANDS = "<decision log>…";
  private static final String KEY = "--key";
  private static final String ANCHOR = "--anchor";
  static final List<Arguments.Option> OPTIONS = List.of(
      new Arguments.Option(KEY, "", "FILE", "PEM file of public Ed25519 keys; several times for several").repeated(),
      new Arguments.Option(ANCHOR, "", "FILE", "checkpoints that were sent elsewhere, as that place has stored them"),
      Flags.OUTPUT);

  private final Console console;

  AuditCommand(Console console) {
    this.console = console;
  }

  /** 0 if nothing was changed, 1 if something was, 2 if the files cannot be verified. */
  int verify(Arguments arguments) throws Arguments.UsageException {
    if (arguments.rest().isEmpty()) {
      throw new Arguments.UsageException("name the files of the decision log");
    }
    Problems problems = new Problems();
    Optional<AuditReport> report = Optional.empty();
    try {
      List<PublicKey> keys = SignatureRequirement.publicKeys(arguments.values(KEY));
      report = AuditVerification.run(arguments.rest().stream().map(Path::of).toList(), keys,
          arguments.value(ANCHOR).map(Path::of), problems);
    } catch (BundleException | InvalidPathException e) {
      problems.error(Origin.BUILT_IN, "", e.getMessage(), "");
    }
    boolean json = Flags.json(arguments);
    console.show(problems);
    report.ifPresentOrElse(result -> console.say(json ? result.json() : result.text()),
        () -> console.say(json, problems));
    return report.isEmpty() ? 2 : report.get().all().isEmpty() ? 0 : 1;
  }
}
