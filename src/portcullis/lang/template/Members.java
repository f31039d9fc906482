package portcullis.lang.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import portcullis.lang.source.Nearest;
import portcullis.lang.value.HostObject;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** Finds members of items and calls their functions. */
final class Members {
  private final Rendering rendering;

  Members(Rendering rendering) {
    this.rendering = rendering;
  }

  /** Resolves the names one after the other; the arguments are for the last one. */
  Item chain(Item receiver, List<String> names, Span at, LazyArguments arguments) throws RenderFailure {
    Optional<Value> direct = arguments.count() == 0 ? direct(receiver, names) : Optional.empty();
    if (direct.isPresent()) {
      return rendering.items().item(direct.get());
    }
    Item found = receiver;
    int last = names.size() - 1;
    for (int i = 0; i < last; i++) {
      found = member(found, names.get(i), at, LazyArguments.NONE);
    }
    return member(found, names.get(last), at, arguments);
  }

  /** Resolves the names in the data without making items; empty where that needs more than a lookup. */
  private Optional<Value> direct(Item receiver, List<String> names) {
    boolean special = rendering.items().keepsIdentity()
        || names.size() == 1 && receiver instanceof Dict dict && rendering.isRoot(dict);
    Optional<Value> found = special ? Optional.empty() : switch (receiver) {
      case Dict dict -> dict.data();
      case Item.Host(HostObject object) -> Optional.of(object);
      default -> Optional.empty();
    };
    for (int i = 0; i < names.size() && found.isPresent(); i++) {
      found = switch (found.get()) {
        case Value.Dict dict -> dict.get(names.get(i));
        case HostObject object -> object.member(names.get(i));
        default -> Optional.empty();
      };
    }
    return found;
  }

  private Item member(Item receiver, String name, Span at, LazyArguments arguments) throws RenderFailure {
    return switch (receiver) {
      case Item.Absent _ -> Item.ABSENT;
      case Dict dict -> ofDict(dict, name, at, arguments);
      case Item.Host(HostObject object) -> ofObject(object, name, at, arguments);
      case Item.Nil _, Item.NilPointer _ -> throw missing(at, name, "nil");
      case Item.Time time -> method(TimeMethods.ALL, time, name, at, arguments);
      case Item.Zone zone -> method(TimeMethods.OF_ZONES, zone, name, at, arguments);
      case Item.SemVer version -> method(VersionFunctions.METHODS, version, name, at, arguments);
      case Item.Whole whole -> method(TimeMethods.of(whole.type()), whole, name, at, arguments);
      case Item.Bool _, Item.Real _, Item.Exact _, Item.Complex _, Item.Text _, Item.Sequence _ ->
        throw missing(at, name, Types.name(receiver));
    };
  }

  private RenderFailure missing(Span at, String name, String of) {
    return missing(at, name, of, "");
  }

  private RenderFailure missing(Span at, String name, String of, String hint) {
    return rendering.failure(at, of + " has no `" + name + "`" + (hint.isEmpty() ? "" : ", " + hint));
  }

  private Item ofDict(Dict dict, String name, Span at, LazyArguments arguments) throws RenderFailure {
    if (arguments.count() > 0) {
      throw rendering.failure(at, "`" + name + "` is not a function and takes no arguments");
    }
    Item found = dict.get(name);
    return rendering.isRoot(dict) ? ofRoot(name, found) : found;
  }

  /** Reads a missing object as nil, and {@code Values} as a map of strings. */
  private static Item ofRoot(String name, Item found) {
    if (found.equals(Item.NIL)) {
      return Item.NIL_POINTER;
    }
    return name.equals("Values") && found instanceof Dict values ? values.as(DictType.TEXT) : found;
  }

  private Item method(Map<String, Function> methods, Item receiver, String name, Span at, LazyArguments arguments)
      throws RenderFailure {
    Function method = methods.get(name);
    if (method == null) {
      throw missing(at, name, Types.name(receiver));
    }
    return new Call(rendering, method, at).apply(new Item[] {receiver}, arguments);
  }

  private Item ofObject(HostObject object, String name, Span at, LazyArguments arguments) throws RenderFailure {
    Optional<Value> member = arguments.count() > 0 ? Optional.empty() : object.member(name);
    if (member.isPresent()) {
      return rendering.items().item(member.get());
    }
    if (object.functions().contains(name)) {
      return call(object, name, at, arguments);
    }
    if (arguments.count() > 0 && object.members().contains(name)) {
      throw rendering.failure(at, "`" + name + "` is not a function and takes no arguments");
    }
    if (object.entries().isPresent()) {
      return object.entries().get().get(name).map(rendering.items()::item).orElse(Item.ABSENT);
    }
    Set<String> known = new TreeSet<>(object.members());
    known.addAll(object.functions());
    throw missing(at, name, "`" + object.name() + "`", Nearest.hint(name, known));
  }

  private Item call(HostObject object, String name, Span at, LazyArguments arguments) throws RenderFailure {
    List<Value> values = new ArrayList<>(arguments.count());
    try {
      for (int i = 0; i < arguments.count(); i++) {
        values.add(ValueConverter.value(arguments.get(i, Param.ANY), rendering.budget()));
      }
      return rendering.items().item(object.call(name, values));
    } catch (ValueException e) {
      throw rendering.failure(at, "`" + name + "`: " + e.getMessage());
    }
  }
}
