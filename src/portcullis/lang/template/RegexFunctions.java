package portcullis.lang.template;

import java.util.List;
import java.util.Map;
import portcullis.lang.value.ValueFault;

/** sprig's functions of regular expressions. */
final class RegexFunctions {
  static final Map<String, Function> ALL = new FunctionSet()
      .with("regexMatch", RegexFunctions::matchesLeniently, Slot.TEXT, Slot.TEXT)
      .with("mustRegexMatch", a -> Item.of(regex(a).matches(a.text(1), a.budget())), Slot.TEXT, Slot.TEXT)
      .with("regexFind mustRegexFind", a -> Item.of(regex(a).first(a.text(1), a.budget())), Slot.TEXT, Slot.TEXT)
      .with("regexFindAll mustRegexFindAll", RegexFunctions::all, Slot.TEXT, Slot.TEXT, Slot.INT)
      .with("regexReplaceAll mustRegexReplaceAll",
          a -> Item.of(regex(a).replaced(a.text(1), a.text(2), true, a.budget())),
          Slot.TEXT, Slot.TEXT, Slot.TEXT)
      .with("regexReplaceAllLiteral mustRegexReplaceAllLiteral",
          a -> Item.of(regex(a).replaced(a.text(1), a.text(2), false, a.budget())), Slot.TEXT, Slot.TEXT, Slot.TEXT)
      .with("regexSplit mustRegexSplit", RegexFunctions::split, Slot.TEXT, Slot.TEXT, Slot.INT)
      .with("regexQuoteMeta", a -> Item.of(Regex.quoted(a.text(0))), Slot.TEXT)
      .functions();

  private RegexFunctions() {}

  private static Regex regex(Arguments a) throws ValueFault {
    return a.rendering().regex(a.text(0));
  }

  /** What is no regular expression matches nothing. */
  private static Item matchesLeniently(Arguments a) throws ValueFault {
    Regex regex;
    try {
      regex = regex(a);
    } catch (ValueFault _) {
      return Item.FALSE;
    }
    return Item.of(regex.matches(a.text(1), a.budget()));
  }

  private static Item all(Arguments a) throws ValueFault {
    List<String> found = regex(a).all(a.text(1), a.whole(2), a.budget());
    return found.isEmpty() ? Item.nilList(SequenceType.TEXT) : Item.texts(found);
  }

  private static Item split(Arguments a) throws ValueFault {
    Regex regex = regex(a);
    return a.whole(2) == 0 ? Item.nilList(SequenceType.TEXT)
        : Item.texts(regex.split(a.text(1), a.whole(2), a.budget()));
  }
}
