import java.io.File;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Replaces calls for which the JVM would make a class when they are first reached, which the AOT cache does not keep:
 * {@code java DirectCalls.java CLASSES PATH}. A {@code switch} over types becomes a method that tries one type after
 * the other, {@code equals} and {@code hashCode} of a record become code; each does what the method of the JDK does
 * that javac lets it be linked with (java.lang.runtime.SwitchBootstraps and ObjectMethods).
 */
final class DirectCalls {
  private static final ClassDesc SWITCHES = ClassDesc.of("java.lang.runtime.SwitchBootstraps");
  private static final ClassDesc RECORDS = ClassDesc.of("java.lang.runtime.ObjectMethods");
  private static final ClassDesc OBJECTS = ClassDesc.of("java.util.Objects");
  private static final int PRIVATE_STATIC = AccessFlag.PRIVATE.mask() | AccessFlag.STATIC.mask()
      | AccessFlag.SYNTHETIC.mask();

  private final ClassFile format;

  private DirectCalls(ClassLoader types) {
    this.format = ClassFile.of(
        ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(types)
            .orElse(ClassHierarchyResolver.defaultResolver()).cached()),
        ClassFile.ConstantPoolSharingOption.NEW_POOL);
  }

  public static void main(String[] words) throws IOException {
    List<Path> classes = new ArrayList<>();
    try (Stream<Path> files = Files.walk(Path.of(words[0]))) {
      files.filter(file -> file.toString().endsWith(".class")).sorted().forEach(classes::add);
    }
    List<URL> path = new ArrayList<>();
    path.add(Path.of(words[0]).toUri().toURL());
    File[] jars = new File(words[1]).listFiles();
    for (File jar : jars == null ? new File[0] : jars) {
      path.add(jar.toURI().toURL());
    }
    try (URLClassLoader types = new URLClassLoader(path.toArray(new URL[0]))) {
      DirectCalls direct = new DirectCalls(types);
      for (Path file : classes) {
        direct.replace(file);
      }
    }
  }

  private void replace(Path file) throws IOException {
    ClassModel type = format.parse(file);
    List<InvokeDynamicInstruction> calls = new ArrayList<>();
    boolean inInterface = type.flags().has(AccessFlag.INTERFACE);
    CodeTransform code = (builder, element) -> {
      if (element instanceof InvokeDynamicInstruction call && isReplaced(call)) {
        builder.invokestatic(type.thisClass().asSymbol(), name(calls.size()), call.typeSymbol(), inInterface);
        calls.add(call);
      } else {
        builder.with(element);
      }
    };
    ClassTransform methods = ClassTransform.transformingMethods(
        method -> method.code().isPresent() && method.code().get().elementStream()
            .anyMatch(element -> element instanceof InvokeDynamicInstruction call && isReplaced(call)),
        MethodTransform.transformingCode(code));
    ClassTransform added = ClassTransform.endHandler(builder -> {
      for (int i = 0; i < calls.size(); i++) {
        InvokeDynamicInstruction call = calls.get(i);
        builder.withMethodBody(name(i), call.typeSymbol(), PRIVATE_STATIC, body -> body(body, call));
      }
    });
    byte[] out = format.transformClass(type, methods.andThen(added));
    if (!calls.isEmpty()) {
      Files.write(file, out);
    }
  }

  private static String name(int index) {
    return "direct$" + index;
  }

  private static boolean isReplaced(InvokeDynamicInstruction call) {
    ClassDesc owner = call.bootstrapMethod().owner();
    return owner.equals(RECORDS) && !call.name().equalsString("toString")
        || owner.equals(SWITCHES) && call.bootstrapArgs().stream().allMatch(ClassDesc.class::isInstance);
  }

  private static void body(CodeBuilder code, InvokeDynamicInstruction call) {
    List<ConstantDesc> given = call.bootstrapArgs();
    if (call.bootstrapMethod().owner().equals(SWITCHES)) {
      firstOf(code, given);
      return;
    }
    List<DirectMethodHandleDesc> fields = new ArrayList<>();
    given.subList(2, given.size()).forEach(field -> fields.add((DirectMethodHandleDesc) field));
    if (call.name().equalsString("equals")) {
      equal(code, (ClassDesc) given.getFirst(), fields);
    } else {
      hash(code, fields);
    }
  }

  /** Returns the index of the first type, from the second argument on, that the first is of; -1 for null. */
  private static void firstOf(CodeBuilder code, List<ConstantDesc> types) {
    Label some = code.newLabel();
    code.aload(0).ifnonnull(some).iconst_m1().ireturn().labelBinding(some);
    for (int i = 0; i < types.size(); i++) {
      Label other = code.newLabel();
      code.iload(1).loadConstant(i).if_icmpgt(other);
      code.aload(0).instanceOf((ClassDesc) types.get(i)).ifeq(other);
      code.loadConstant(i).ireturn().labelBinding(other);
    }
    code.loadConstant(types.size()).ireturn();
  }

  private static void equal(CodeBuilder code, ClassDesc type, List<DirectMethodHandleDesc> fields) {
    Label other = code.newLabel();
    Label differs = code.newLabel();
    code.aload(0).aload(1).if_acmpne(other).iconst_1().ireturn().labelBinding(other);
    code.aload(1).instanceOf(type).ifeq(differs).aload(1).checkcast(type).astore(2);
    for (DirectMethodHandleDesc field : fields) {
      ClassDesc kind = load(code, 0, field);
      load(code, 2, field);
      switch (TypeKind.from(kind)) {
        case BOOLEAN, BYTE, SHORT, CHAR, INT -> code.if_icmpne(differs);
        case LONG -> code.lcmp().ifne(differs);
        case FLOAT, DOUBLE -> code.invokestatic(boxed(kind), "compare",
            MethodTypeDesc.of(ConstantDescs.CD_int, kind, kind)).ifne(differs);
        default -> code.invokestatic(OBJECTS, "equals", MethodTypeDesc.of(ConstantDescs.CD_boolean,
            ConstantDescs.CD_Object, ConstantDescs.CD_Object)).ifeq(differs);
      }
    }
    code.iconst_1().ireturn().labelBinding(differs).iconst_0().ireturn();
  }

  private static void hash(CodeBuilder code, List<DirectMethodHandleDesc> fields) {
    code.iconst_0();
    for (DirectMethodHandleDesc field : fields) {
      code.bipush(31).imul();
      ClassDesc kind = load(code, 0, field);
      boolean plain = kind.isPrimitive();
      code.invokestatic(plain ? boxed(kind) : OBJECTS, "hashCode",
          MethodTypeDesc.of(ConstantDescs.CD_int, plain ? kind : ConstantDescs.CD_Object)).iadd();
    }
    code.ireturn();
  }

  private static ClassDesc load(CodeBuilder code, int slot, DirectMethodHandleDesc field) {
    ClassDesc kind = field.invocationType().returnType();
    code.aload(slot).getfield(field.owner(), field.methodName(), kind);
    return kind;
  }

  private static ClassDesc boxed(ClassDesc primitive) {
    return ClassDesc.of("java.lang." + switch (primitive.displayName()) {
      case "int" -> "Integer";
      case "char" -> "Character";
      case String name -> Character.toUpperCase(name.charAt(0)) + name.substring(1);
    });
  }
}
