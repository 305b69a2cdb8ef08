package dev.stockade.cli;

import dev.stockade.api.spi.ProfileProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code stockade completion}: made from the tables of verbs and options, as help is.
 *
 * @param operands the shell's name
 * @param backends the names of those installed
 */
record Completion(List<String> operands, List<String> backends) implements Action {

    private static final List<String> SHELLS = List.of("bash", "zsh", "fish");

    @Override
    public int perform(Console console) {
        if (operands.isEmpty() || !SHELLS.contains(operands.get(0))) {
            throw new UsageException(
                    "completion needs one of " + String.join(", ", SHELLS) + ": stockade completion bash");
        }
        console.out()
                .print(
                        switch (operands.get(0)) {
                            case "bash" -> bash();
                            case "zsh" -> zsh();
                            default -> fish();
                        });
        return 0;
    }

    /** What an option's argument can be, as far as it can be counted. */
    private List<String> words(Option option) {
        return switch (option) {
            case BACKEND -> backends;
            case PROFILE -> List.copyOf(ProfileProvider.installed().keySet());
            default -> option.words();
        };
    }

    private static boolean isDirectory(Option option) {
        return option.argument().equals("DIR");
    }

    private static boolean isFile(Option option) {
        return option.argument().equals("PATH") || option.argument().endsWith("FILE");
    }

    /** What a verb's own operand can be. */
    private static List<String> operandsOf(Verb verb) {
        return switch (verb) {
            case HELP -> Verb.words();
            case COMPLETION -> SHELLS;
            default -> List.of();
        };
    }

    private String bash() {
        StringBuilder text = new StringBuilder("""
                # bash completion for stockade
                _stockade() {
                  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} at=2
                  COMPREPLY=()
                  if [ "$COMP_CWORD" -eq 1 ]; then
                    mapfile -t COMPREPLY < <(compgen -W "@VERBS@" -- "$cur")
                    return
                  fi
                  case $verb in
                    @COMMANDS@)
                      while [ "$at" -lt "$COMP_CWORD" ]; do
                        case ${COMP_WORDS[at]} in
                          --) at=$((at + 1)); break ;;
                          @TAKING@) at=$((at + 2)) ;;
                          -*) at=$((at + 1)) ;;
                          *) break ;;
                        esac
                      done
                      if [ "$at" -lt "$COMP_CWORD" ] || [ "$prev" = -- ]; then
                        if declare -F _command_offset >/dev/null; then
                          _command_offset "$at"
                        elif [ "$at" -eq "$COMP_CWORD" ]; then
                          mapfile -t COMPREPLY < <(compgen -c -- "$cur")
                        else
                          compopt -o filenames 2>/dev/null
                          mapfile -t COMPREPLY < <(compgen -f -- "$cur")
                        fi
                        return
                      fi ;;
                  esac
                  case $prev in
                """.replace("@VERBS@", String.join(" ", Verb.words()))
                .replace("@COMMANDS@", verbs(Verb::takesCommand, "|"))
                .replace(
                        "@TAKING@",
                        Stream.of(Option.values())
                                .filter(Option::takesArgument)
                                .map(Option::word)
                                .collect(Collectors.joining("|"))));
        for (Option option : Option.values()) {
            if (option.takesArgument()) {
                String files = isDirectory(option) ? "-d" : isFile(option) ? "-f" : "";
                List<String> words = words(option);
                String list = words.isEmpty() ? "" : " -W \"" + String.join(" ", words) + "\"";
                text.append("    ").append(option.word()).append(")\n");
                if (!files.isEmpty()) {
                    text.append("      compopt -o filenames 2>/dev/null\n");
                }
                if (!(files + list).isEmpty()) {
                    text.append("      mapfile -t COMPREPLY < <(compgen ")
                            .append((files + list).strip())
                            .append(" -- \"$cur\")\n");
                }
                text.append("      return ;;\n");
            }
        }
        text.append("  esac\n  case $verb in\n");
        for (Verb verb : Verb.values()) {
            List<String> all = new ArrayList<>(operandsOf(verb));
            Option.of(verb).forEach(option -> all.add(option.word()));
            text.append("    ")
                    .append(verb.word())
                    .append(") mapfile -t COMPREPLY < <(compgen -W \"")
                    .append(String.join(" ", all))
                    .append("\" -- \"$cur\") ;;\n");
        }
        return text.append("  esac\n}\ncomplete -F _stockade stockade\n").toString();
    }

    private interface Which {
        boolean is(Verb verb);
    }

    private static String verbs(Which which, String separator) {
        return Stream.of(Verb.values()).filter(which::is).map(Verb::word).collect(Collectors.joining(separator));
    }

    private String zsh() {
        StringBuilder text = new StringBuilder("""
                #compdef stockade
                # zsh completion for stockade
                _stockade() {
                  local -a verbs
                  verbs=(
                """);
        for (Verb verb : Verb.values()) {
            text.append("    ")
                    .append(quoted(verb.word() + ":" + verb.summary()))
                    .append('\n');
        }
        text.append("""
                  )
                  if (( CURRENT == 2 )); then
                    _describe -t commands command verbs
                    return
                  fi
                  local verb=$words[2]
                  shift words
                  (( CURRENT-- ))
                  case $verb in
                """);
        for (Verb verb : Verb.values()) {
            text.append("    ").append(verb.word()).append(")\n      _arguments -S");
            for (Option option : Option.of(verb)) {
                String help = option.help().replace("[", "\\[").replace("]", "\\]");
                String spec = (option.isRepeatable() ? "*" : "") + option.word() + "[" + help + "]";
                text.append(" \\\n        ").append(quoted(spec + (option.takesArgument() ? zshArgument(option) : "")));
            }
            if (verb.takesCommand()) {
                text.append(" \\\n        '(-)1:command: _command_names -e' '*::arguments: _normal'");
            } else if (!operandsOf(verb).isEmpty()) {
                text.append(" \\\n        ").append(quoted("1:operand:(" + String.join(" ", operandsOf(verb)) + ")"));
            }
            text.append(" ;;\n");
        }
        return text.append("""
                  esac
                }
                if [ "$funcstack[1]" = _stockade ]; then
                  _stockade "$@"
                else
                  compdef _stockade stockade
                fi
                """).toString();
    }

    private String zshArgument(Option option) {
        List<String> words = words(option);
        String list = words.isEmpty() ? "" : "(" + String.join(" ", words) + ")";
        String action = isDirectory(option) ? "_files -/" : !list.isEmpty() ? list : isFile(option) ? "_files" : "";
        if (option == Option.PROFILE) {
            action = "{_alternative 'names:name:" + list + "' 'files:file:_files'}";
        }
        return ":" + option.argument() + ":" + action;
    }

    /** For a POSIX shell and zsh. */
    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    private String fish() {
        StringBuilder text = new StringBuilder("# fish completion for stockade\ncomplete -c stockade -f\n");
        for (Verb verb : Verb.values()) {
            text.append("complete -c stockade -n __fish_use_subcommand -a ")
                    .append(verb.word())
                    .append(" -d ")
                    .append(fishQuoted(verb.summary()))
                    .append('\n');
        }
        for (Option option : Option.values()) {
            List<Verb> verbs = option.verbs();
            String words = verbs.stream().map(Verb::word).collect(Collectors.joining(" "));
            text.append("complete -c stockade -n '__fish_seen_subcommand_from ")
                    .append(words)
                    .append("' -l ")
                    .append(option.word().substring(2));
            if (option.takesArgument()) {
                String files =
                        isDirectory(option) ? " -a '(__fish_complete_directories)'" : isFile(option) ? " -F" : "";
                List<String> list = words(option);
                text.append(files.isEmpty() ? " -x" : " -r")
                        .append(files)
                        .append(list.isEmpty() ? "" : " -a '" + String.join(" ", list) + "'");
            }
            text.append(" -d ").append(fishQuoted(option.help())).append('\n');
        }
        for (Verb verb : Verb.values()) {
            if (!operandsOf(verb).isEmpty()) {
                text.append("complete -c stockade -n '__fish_seen_subcommand_from ")
                        .append(verb.word())
                        .append("' -a '")
                        .append(String.join(" ", operandsOf(verb)))
                        .append("'\n");
            }
        }
        return text.append("complete -c stockade -n '__fish_seen_subcommand_from ")
                .append(verbs(Verb::takesCommand, " "))
                .append("' -a '(__fish_complete_subcommand --fcs-skip=2)'\n")
                .toString();
    }

    private static String fishQuoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
