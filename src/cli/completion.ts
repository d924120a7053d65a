/**
 * `svc-node completion`: completion scripts for shells, generated from the commands. The scripts are static, so that TAB
 * starts no process.
 */
import { Argument, type Command, type Option } from 'commander';
import { withExamples } from './help.js';
import { print, printJson } from './output.js';
import { type CommonOptions, withCommonOptions } from './settings.js';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export function addCompletion(program: Command): void {
  const command = withCommonOptions(program.command('completion').summary('Complete commands in bash, zsh or fish'))
    .description('Print a script that completes commands and options in a shell.')
    .addArgument(new Argument('<shell>', 'which one').choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts, { json }: CommonOptions) => {
      const script = scripts[shell](placesIn(program));
      if (json) printJson({ shell, script });
      else print(script);
    });
  withExamples(
    command,
    ['completion bash > ~/.local/share/bash-completion/completions/svc-node', 'bash, from the next shell on'],
    ['completion zsh > ~/.zfunc/_svc-node', 'zsh, where ~/.zfunc is in its fpath'],
    ['completion fish > ~/.config/fish/completions/svc-node.fish', 'fish'],
  );
}

interface Word {
  readonly word: string;
  readonly says: string;
}

/** The values of an option: undefined for a flag, a list of words, or an empty list for free text. */
type CompletionValues = readonly string[] | undefined;

interface Flag extends Word {
  readonly values: CompletionValues;
}

/** The completions after the words typed so far. */
interface CompletionContext {
  /** The command typed so far, such as `escrow create`; empty at the start. */
  readonly words: string;
  /** Subcommands, or values of an argument. */
  readonly commands: readonly Word[];
  readonly options: readonly Flag[];
}

function placesIn(command: Command, words = ''): CompletionContext[] {
  const visible = command.createHelp().visibleCommands(command);
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const place: CompletionContext = {
    words,
    commands: [
      ...visible.map((each) => ({ word: each.name(), says: plain(each.description()) })),
      ...choices.map((word) => ({ word, says: '' })),
    ],
    options: command
      .createHelp()
      .visibleOptions(command)
      .map((each) => ({
        word: each.long ?? each.short ?? '',
        says: plain(each.description),
        values: each.required || each.optional ? choicesOf(each) : undefined,
      })),
  };
  const below = visible.flatMap((each) => placesIn(each, words === '' ? each.name() : `${words} ${each.name()}`));
  return [place, ...below];
}

/** The values of an API option, read from its description. */
const choicesOf = ({ argChoices, description }: Option): readonly string[] =>
  argChoices ?? /(?:^|; )one of ([\w, -]+)$/.exec(description)?.[1]?.split(', ') ?? [];

/** The first sentence of a description, without characters that a shell interprets. */
const plain = (text: string): string =>
  (text.replace(/^required(; |$)/, '').split(/(?<=[.;:])\s/)[0] ?? '')
    .replace(/[^\p{L}\p{N} ,.()/_-]/gu, '')
    .trim()
    .slice(0, 80);

const known = (places: readonly CompletionContext[], quote: string): string =>
  places
    .filter(({ words }) => words !== '')
    .map(({ words }) => `${quote}${words}${quote}`)
    .join('|');

const takesValue = ({ values }: Flag): boolean => values !== undefined;

function bashScript(places: readonly CompletionContext[]): string {
  const cases = places.map(({ words, commands, options }) => {
    const all = [...commands, ...options].map(({ word }) => word).join(' ');
    const valued = options.filter(takesValue);
    const values = valued.map(({ word, values = [] }) => `${word}) words='${values.join(' ')}' ;;`);
    const asked = values.length === 0 ? '' : ` case "$before" in ${values.join(' ')} esac`;
    return `    '${words}') words='${all}';${asked} ;;`;
  });
  return `# svc-node completion bash
_svc_node() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} place='' words='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    local next="\${place:+$place }\${COMP_WORDS[index]}"
    case "$next" in
      ${known(places, "'")}) place=$next ;;
    esac
  done
  case "$place" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _svc_node svc-node`;
}

/** The function has the name of its file, because zsh loads the file as the function's body. */
function zshScript(places: readonly CompletionContext[]): string {
  const quoted = (words: readonly Word[]) => words.map(({ word, says }) => `'${word}:${says}'`).join(' ');
  const cases = places.map(({ words, commands, options }) => {
    const valued = options.filter(takesValue).map(({ word, values = [] }) => `'${word}' '${values.join(' ')}'`);
    return `    '${words}') commands=(${quoted(commands)}) options=(${quoted(options)}) values=(${valued.join(' ')}) ;;`;
  });
  return `#compdef svc-node
_svc-node() {
  local place='' word next
  local -a commands options
  local -A values
  for word in \${words[2,CURRENT-1]}; do
    next="\${place:+$place }$word"
    case "$next" in
      ${known(places, "'")}) place=$next ;;
    esac
  done
  case "$place" in
${cases.join('\n')}
  esac
  local before=\${words[CURRENT-1]}
  if (( \${+values[$before]} )); then
    if [[ -n \${values[$before]} ]]; then compadd -- \${=values[$before]}; else _files; fi
  elif [[ $PREFIX == -* ]]; then _describe option options
  elif (( \${#commands} )); then _describe command commands
  else _files; fi
}
if [[ $funcstack[1] == _svc-node ]]; then _svc-node "$@"; else compdef _svc-node svc-node; fi`;
}

function fishScript(places: readonly CompletionContext[]): string {
  const lines = places.flatMap(({ words, commands, options }) => {
    const here = `complete -c svc-node -n "__svc_node_at '${words}'"`;
    return [
      ...commands.map(({ word, says }) => `${here} -f -a '${word}' -d '${says}'`),
      ...options
        .filter(({ word }) => word.startsWith('--'))
        .map(({ word, says, values }) => `${here}${fishValues(values)} -l '${word.slice(2)}' -d '${says}'`),
    ];
  });
  return `# svc-node completion fish
function __svc_node_at
  set -l place
  for word in (commandline -opc)[2..-1]
    set -l next (string join -- ' ' $place $word)
    if contains -- $next ${known(places, "'").replaceAll('|', ' ')}
      set place $next
    end
  end
  test "$place" = "$argv[1]"
end
${lines.join('\n')}`;
}

function fishValues(values: CompletionValues): string {
  if (values === undefined) return '';
  return values.length === 0 ? ' -r' : ` -x -a '${values.join(' ')}'`;
}
