import type { Command } from '../command-line/command.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';

/** What can follow some words: the next words, and the options if they are a whole command. */
interface Choices {
  readonly words: readonly string[];
  readonly options: readonly string[];
}

const completion: Command = {
  ...listed('completion'),
  details:
    'The script completes commands and options when you press Tab. Add it to the file that your shell reads at its start.',
  options: {},
  examples: [
    { comment: 'For bash, in ~/.bashrc', command: 'eval "$(holdword completion bash)"' },
    { comment: 'For zsh, in ~/.zshrc', command: 'eval "$(holdword completion zsh)"' },
    {
      comment: 'For PowerShell, in $PROFILE',
      command: 'holdword completion powershell | Out-String | Invoke-Expression',
    },
    { comment: 'For fish', command: 'holdword completion fish > ~/.config/fish/completions/holdword.fish' },
  ],
  page: 'reference/command-line.md',
  async run({ operands: [shell = ''], allCommands, terminal }) {
    const write = SHELLS.get(shell);
    if (write === undefined) {
      throw new UsageError(`Unknown shell "${shell}": use ${[...SHELLS.keys()].join(', ')}.`);
    }
    terminal.out(write(choicesOf(await allCommands())));
    return 0;
  },
};

/** By the words before: `` for the first word, `task` for what follows it, `task get` for its options. */
function choicesOf(commands: readonly Command[]): ReadonlyMap<string, Choices> {
  const words = new Map<string, Set<string>>([['', new Set(['help'])]]);
  for (const { name } of commands) {
    const path: string[] = [];
    for (const word of name.split(' ')) {
      const before = path.join(' ');
      words.set(before, (words.get(before) ?? new Set()).add(word));
      path.push(word);
    }
  }
  const all = new Map<string, Choices>(
    [...words].map(([path, next]) => [path, { words: [...next], options: [] }]),
  );
  for (const { name, options } of commands) {
    const names = Object.entries(options).flatMap(([option, { negatable }]) =>
      negatable === true ? [`--${option}`, `--no-${option}`] : [`--${option}`],
    );
    all.set(name, { words: all.get(name)?.words ?? [], options: [...names, '--help'] });
  }
  return all;
}

/** Operands are among the words before, so the longest known beginning of them counts. */
function bashScript(choices: ReadonlyMap<string, Choices>): string {
  const cases = [...choices].map(
    ([path, { words, options }]) =>
      `    ${quoted(path)}) reply=${quoted([...words, ...options].join(' '))} ;;`,
  );
  return `_holdword() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' reply='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="$path $word" ;; esac
  done
  path="\${path# }"
  while :; do
    case "$path" in
${cases.join('\n')}
    esac
    [ -n "$reply" ] || [ -z "$path" ] && break
    case "$path" in *' '*) path="\${path% *}" ;; *) path='' ;; esac
  done
  COMPREPLY=($(compgen -W "$reply" -- "$current"))
}
complete -o default -F _holdword holdword
`;
}

function zshScript(choices: ReadonlyMap<string, Choices>): string {
  return `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(choices)}`;
}

function fishScript(choices: ReadonlyMap<string, Choices>): string {
  const lines = [...choices].flatMap(([path, { words, options }]) => [
    ...(words.length === 0
      ? []
      : [`complete -c holdword -f -n '__holdword_after "${path}"' -a '${words.join(' ')}'`]),
    ...options.map((option) => `complete -c holdword -n '__holdword_within "${path}"' -l ${option.slice(2)}`),
  ]);
  return `function __holdword_path
  set -l words (commandline -opc)
  string match -v -- '-*' $words[2..] | string join ' '
end
function __holdword_after
  test (__holdword_path | string collect --allow-empty) = "$argv[1]"
end
function __holdword_within
  string match -q -- "$argv[1] *" (__holdword_path)' '
end
${lines.join('\n')}
`;
}

/** The longest known beginning of the words counts, as in bash. */
function powershellScript(choices: ReadonlyMap<string, Choices>): string {
  const rows = [...choices].map(
    ([path, { words, options }]) => `    ${quoted(path)} = ${quoted([...words, ...options].join(' '))}`,
  );
  return `Register-ArgumentCompleter -Native -CommandName holdword -ScriptBlock {
  param($word, $ast, $position)
  $choices = @{
${rows.join('\n')}
  }
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" } | Where-Object { $_ -notlike '-*' })
  if ($word -and $words.Count -gt 0 -and $words[-1] -eq $word) { $words = @($words | Select-Object -SkipLast 1) }
  while ($words.Count -gt 0 -and -not $choices.ContainsKey($words -join ' ')) { $words = @($words | Select-Object -SkipLast 1) }
  $choices[$words -join ' '] -split ' ' | Where-Object { $_ -like "$word*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`;
}

function quoted(text: string): string {
  return `'${text}'`;
}

const SHELLS: ReadonlyMap<string, (choices: ReadonlyMap<string, Choices>) => string> = new Map([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
  ['powershell', powershellScript],
]);

export const commands: readonly Command[] = [completion];
