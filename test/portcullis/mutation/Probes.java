package portcullis.mutation;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Copies classes with a call to {@link Probe} at the beginning of each line. */
final class Probes {
  private static final ClassDesc PROBE = ClassDesc.of(Probe.class.getName());
  private static final MethodTypeDesc HIT = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

  private final Map<Place, Integer> numbers = new LinkedHashMap<>();

  /** Copies the classes of that folder below another one. */
  void copy(Path classes, Path to, String folder) throws IOException {
    Path target = Files.createDirectories(to.resolve(folder));
    try (var files = Files.list(classes.resolve(folder))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).sorted().toList()) {
        Files.write(target.resolve(file.getFileName()), probed(Files.readAllBytes(file), folder));
      }
    }
  }

  private byte[] probed(byte[] bytes, String folder) {
    ClassModel model = ClassFile.of().parse(bytes);
    Optional<SourceFileAttribute> source = model.findAttribute(Attributes.sourceFile());
    if (source.isEmpty()) {
      return bytes;
    }
    String file = folder + "/" + source.get().sourceFile().stringValue();
    CodeTransform lines = (builder, element) -> {
      builder.with(element);
      if (element instanceof LineNumber line) {
        builder.loadConstant(number(new Place(file, line.line()))).invokestatic(PROBE, "hit", HIT);
      }
    };
    return ClassFile.of().transformClass(model, ClassTransform.transformingMethodBodies(lines));
  }

  private int number(Place place) {
    return numbers.computeIfAbsent(place, _ -> numbers.size());
  }

  /** All lines, in the order of their numbers. */
  List<Place> places() {
    return new ArrayList<>(numbers.keySet());
  }
}
