package portcullis.cli;

import java.util.List;
import java.util.Map;
import portcullis.lang.source.Nearest;

/**
 * Completes command lines in shells: scripts for these, which ask the program itself what fits, so that they never fall
 * behind. What they ask is {@code portcullis __complete WORD...}, the last word being the one that is not finished.
 */
final class Completion {
  static final String ASKED = "__complete";
  /** Printed instead of words where names of files fit. */
  static final String FILES = ":files";

  private static final String BASH = """
      # portcullis in bash: source <(portcullis completion bash)
      _portcullis() {
        local line cur=${COMP_WORDS[COMP_CWORD]}
        COMPREPLY=()
        while IFS= read -r line; do
          if [[ $line == :files ]]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
          else
            COMPREPLY+=("${line%%$'\\t'*}")
          fi
        done < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
      }
      complete -F _portcullis portcullis
      """;
  private static final String ZSH = """
      #compdef portcullis
      # portcullis in zsh: source <(portcullis completion zsh), or a file _portcullis on fpath
      _portcullis() {
        local line
        local -a found
        for line in "${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
          if [[ $line == :files ]]; then
            _files
          elif [[ -n $line ]]; then
            found+=("${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}")
          fi
        done
        (( ${#found} )) && _describe portcullis found
      }
      if [[ ${funcstack[1]} == _portcullis ]]; then _portcullis "$@"; else compdef _portcullis portcullis; fi
      """;
  private static final String FISH = """
      # portcullis in fish: portcullis completion fish | source
      function __portcullis_complete
        set -l words (commandline -opc) (commandline -ct)
        for line in ($words[1] __complete $words[2..-1] 2>/dev/null)
          if test "$line" = ":files"
            __fish_complete_path (commandline -ct)
          else
            echo $line
          end
        end
      end
      complete -c portcullis -f -a '(__portcullis_complete)'
      """;
  static final Map<String, String> SCRIPTS = Map.of("bash", BASH, "zsh", ZSH, "fish", FISH);

  private final Console console;

  Completion(Console console) {
    this.console = console;
  }

  int script(Arguments arguments) throws Arguments.UsageException {
    String shell = arguments.rest().isEmpty() ? "" : arguments.rest().getFirst();
    if (arguments.rest().size() != 1 || !SCRIPTS.containsKey(shell)) {
      throw new Arguments.UsageException(shell.isEmpty() ? "name one shell: bash, zsh or fish"
          : "there is no completion for `" + shell + "`, " + Nearest.hint(shell, SCRIPTS.keySet()));
    }
    console.say(SCRIPTS.get(shell).stripTrailing());
    return 0;
  }

  /** Says what fits, a line each, behind a tab what it is. */
  int words(List<Command> commands, List<String> words) {
    new CompletionCandidates(commands, words).lines().forEach(console::say);
    return 0;
  }
}
