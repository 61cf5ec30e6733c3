import { commandLine } from '../../base/sentence.js';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The word before which everything is ours, and after which the words stand that somebody has typed. */
export const wordsOfLine = 'line';

/** What a shell has to run so that Tab asks this program. Lines that it answers are a word, a tab and what that is; `:files` and `:folders` are left to the shell. */
export function completionScript(shell: Shell, program: readonly string[]): string {
  const ask = commandLine(program, ['completions', wordsOfLine, '--']);
  switch (shell) {
    case 'bash':
      return `_workrail() {
  local IFS=$'\\n' at line typed=("\${COMP_WORDS[@]:1:COMP_CWORD}") word=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  # Words come as they were typed, with their quotes.
  for at in "\${!typed[@]}"; do
    case \${typed[at]} in
      \\'*) typed[at]=\${typed[at]//\\'/} ;;
      \\"*) typed[at]=\${typed[at]//\\"/} ;;
      *) typed[at]=\${typed[at]//\\\\/} ;;
    esac
  done
  for line in $(${ask} "\${typed[@]}" 2>/dev/null); do
    case $line in
      :files) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$word")) ;;
      :folders) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$word")) ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done
}
complete -F _workrail workrail`;
    case 'zsh':
      return `#compdef workrail
_workrail() {
  local line
  local -a found
  for line in "\${(@f)$(${ask} "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :files) _files ;;
      :folders) _files -/ ;;
      *) found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  (( $#found )) && _describe workrail found
}
if [ "$funcstack[1]" = _workrail ]; then _workrail "$@"; else compdef _workrail workrail; fi`;
    case 'fish':
      return `function __workrail_complete
    set -l typed (commandline -opc)
    set -e typed[1]
    for line in (${ask} $typed (commandline -ct | string collect --allow-empty) 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path (commandline -ct)
            case :folders
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $line
        end
    end
end
complete -c workrail -f -a '(__workrail_complete)'`;
  }
}
