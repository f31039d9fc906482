package portcullis.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import portcullis.lang.source.Problems;

/** The members of a mapping while it is read; for one reading. */
final class MappingDraft {
  private final SubstitutedSource source;
  private final Path path;
  private final Problems problems;
  private final Map<String, Integer> byName = new LinkedHashMap<>();
  private final List<Node> values = new ArrayList<>();
  private final List<Node.Mapping> merged = new ArrayList<>();
  private int[] offsets = new int[2 * Members.MOST];

  MappingDraft(SubstitutedSource source, Path path, Problems problems) {
    this.source = source;
    this.path = path;
    this.problems = problems;
  }

  /** @param from where the name stands in the source's text, to before {@code to} */
  void add(String name, int from, int to, Node value) {
    Integer first = byName.putIfAbsent(name, values.size());
    if (first != null) {
      problems.error(source.at(from, to), path.toString(), "`" + Decoders.shortened(name) + "` is there twice",
          "first at "
              + source.at(offsets[2 * first], offsets[2 * first + 1]).text());
      return;
    }
    int at = 2 * values.size();
    offsets = at == offsets.length ? Arrays.copyOf(offsets, 2 * at) : offsets;
    offsets[at] = from;
    offsets[at + 1] = to;
    values.add(value);
  }

  /** Returns the number of names. */
  int size() {
    return byName.size();
  }

  void merge(List<Node.Mapping> mappings) {
    merged.addAll(mappings);
  }

  /** Returns its members; for a name that it lacks, the member of the first merged mapping that has it. */
  SequencedMap<String, Node.Member> members() {
    Members own = new Members(source, byName.keySet().toArray(new String[0]), values.toArray(new Node[0]),
        Arrays.copyOf(offsets, 2 * values.size()));
    if (merged.isEmpty() && values.size() <= Members.MOST) {
      return own;
    }
    SequencedMap<String, Node.Member> all = new LinkedHashMap<>(own);
    for (Node.Mapping mapping : merged) {
      mapping.members().forEach((name, member) -> all.computeIfAbsent(name,
          _ -> new Node.Member(member.nameAt(), member.value().under(path.member(name)))));
    }
    return all;
  }
}
