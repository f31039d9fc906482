package portcullis.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import portcullis.lang.source.FileFailure;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.pipeline.RuleSetVersion;
import portcullis.policy.rule.RuleSetConversion;

/** Converts a rule set to the other version. */
final class Convert {
  static final String OPERANDS = "[FILE]";
  static final String DOC = "Converts a rule set between the versions 1alpha4 and 1beta1.";
  private static final int MOST_BYTES = 64 << 20;
  private static final Arguments.Option VERSION = new Arguments.Option("--desired-version", "-v",
      String.join("|", RuleSetVersion.texts()), "the version of the result; required");
  private static final Arguments.Option OUT = new Arguments.Option("--out", "-o", "FILE",
      "where the result is written; standard output by default");
  static final List<Arguments.Option> OPTIONS = List.of(VERSION, OUT);

  private final Console console;

  Convert(Console console) {
    this.console = console;
  }

  int ruleSet(Arguments arguments) throws Arguments.UsageException {
    if (arguments.rest().size() > 1) {
      throw new Arguments.UsageException("one file is converted at a time");
    }
    RuleSetVersion target = arguments.value(VERSION.name()).flatMap(RuleSetVersion::of)
        .orElseThrow(() -> new Arguments.UsageException("name the version of the result: " + VERSION.name() + " "
            + String.join(" or ", RuleSetVersion.texts())));
    Problems problems = new Problems();
    try {
      Optional<SourceFile> file = arguments.rest().isEmpty() || arguments.rest().getFirst().equals("-")
          ? Optional.of(input())
          : TextFile.read("rule set", arguments.rest().getFirst(), problems);
      Optional<String> converted = file.flatMap(read -> RuleSetConversion.convert(read, target, problems));
      console.show(problems);
      if (converted.isPresent()) {
        write(arguments.value(OUT.name()), converted.get());
      }
      return converted.isPresent() ? 0 : 1;
    } catch (InvalidPathException e) {
      throw new Arguments.UsageException("`" + e.getInput() + "` is not the path of a file");
    } catch (IOException e) {
      console.complain("cannot convert: " + FileFailure.reason(e));
      return 1;
    }
  }

  private void write(Optional<String> out, String text) throws IOException {
    if (out.isPresent()) {
      Files.writeString(Path.of(out.get()), text.endsWith("\n") ? text : text + "\n");
    } else {
      console.say(text.stripTrailing());
    }
  }

  private static SourceFile input() throws IOException {
    byte[] bytes = System.in.readNBytes(MOST_BYTES + 1);
    if (bytes.length > MOST_BYTES) {
      throw new IOException("the rule set has more than " + (MOST_BYTES >> 20) + " MB");
    }
    return new SourceFile("standard input", new String(bytes, StandardCharsets.UTF_8));
  }
}
