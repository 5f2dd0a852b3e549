import { Argument, type Command } from 'commander';
import type { Io } from '../io.ts';
import { DescribedCommand } from './options.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** @param program the program that the script completes */
export function completionCommand(io: Io, program: Command): Command {
  return new DescribedCommand('completion', 'print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .examples(
      'source <(jobs-delete completion bash)      # in ~/.bashrc',
      'source <(jobs-delete completion zsh)       # in ~/.zshrc, after compinit',
      'jobs-delete completion fish | source       # in ~/.config/fish/config.fish',
    )
    .action((shell: keyof typeof scripts) => {
      io.stdout.write(scripts[shell](describeCommands(program)));
    });
}

/** The words that may follow a command, for a completion script. */
interface CommandWords {
  /** The words of the command after `jobs-delete`, such as `accounts create`; empty for the program itself. */
  readonly route: string;
  /** Subcommands, or the values of an argument with choices. */
  readonly words: readonly Word[];
  readonly options: readonly OptionWord[];
  /** True if an argument may be a file. */
  readonly takesFile: boolean;
}

interface Word {
  readonly word: string;
  readonly description: string;
}

interface OptionWord extends Word {
  readonly value: 'none' | 'file' | 'other' | readonly string[];
}

/** Returns the command and all commands below it, from the table that parses the command line. */
function describeCommands(command: Command, route = ''): CommandWords[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command);
  const { registeredArguments } = command;
  const own: CommandWords = {
    route,
    words: [
      ...children.map((child) => ({ word: child.name(), description: firstLine(child.description()) })),
      ...registeredArguments.flatMap(({ argChoices = [] }) =>
        argChoices.map((word) => ({ word, description: '' })),
      ),
    ],
    options: help.visibleOptions(command).map((option) => ({
      word: option.long ?? option.flags,
      description: firstLine(option.description),
      value: valueOf(option),
    })),
    takesFile: registeredArguments.some((argument) =>
      `${argument.name()} ${argument.description}`.includes('file'),
    ),
  };
  const below = command.commands.flatMap((child) =>
    describeCommands(child, `${route} ${child.name()}`.trim()),
  );
  return [own, ...below];
}

function valueOf(option: {
  readonly flags: string;
  readonly required: boolean;
  readonly optional: boolean;
  readonly argChoices?: readonly string[];
}): OptionWord['value'] {
  if (!option.required && !option.optional) return 'none';
  return option.argChoices ?? (option.flags.includes('<file>') ? 'file' : 'other');
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

/** Returns a script for bash 4 or newer. It falls back to the names of files. */
function bashScript(commands: readonly CommandWords[]): string {
  const routes = commands.filter(({ route }) => route !== '').map(({ route }) => `'${route}'`);
  return `# Completion of jobs-delete for bash. Load it: source <(jobs-delete completion bash)
_jobs_delete() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} route='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${route:+$route }$word" in
      ${routes.join(' | ')}) route="\${route:+$route }$word" ;;
    esac
  done
  COMPREPLY=()
  case "$route $prev" in
${commands.flatMap(bashValues).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case "$route" in
${commands.map(({ route, options }) => bashWords(route, options)).join('\n')}
    esac
  else
    case "$route" in
${commands.map(({ route, words }) => bashWords(route, words)).join('\n')}
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -o default -F _jobs_delete jobs-delete
`;
}

function bashValues({ route, options }: CommandWords): string[] {
  return options.flatMap(({ word, value }) => {
    if (value === 'none') return [];
    const reply =
      typeof value === 'string'
        ? ''
        : ` mapfile -t COMPREPLY < <(compgen -W '${value.join(' ')}' -- "$cur");`;
    return [`    '${route} ${word}')${reply} return ;;`];
  });
}

function bashWords(route: string, words: readonly Word[]): string {
  return `      '${route}') words='${words.map(({ word }) => word).join(' ')}' ;;`;
}

/** Returns a script for fish 3 or newer. */
function fishScript(commands: readonly CommandWords[]): string {
  const routes = commands.filter(({ route }) => route !== '').map(({ route }) => fishQuoted(route));
  return `# Completion of jobs-delete for fish. Load it: jobs-delete completion fish | source
set -g __jobs_delete_routes ${routes.join(' ')}
function __jobs_delete_at
    set -l route
    for word in (commandline -opc)[2..-1]
        if contains -- "$route $word" ' '$__jobs_delete_routes
            set route "$route $word"
        end
    end
    test "$route" = "$argv[1]"
end
complete -c jobs-delete -e
complete -c jobs-delete -f
${commands.flatMap(fishLines).join('\n')}
`;
}

function fishLines({ route, words, options, takesFile }: CommandWords): string[] {
  const at = `complete -c jobs-delete -n ${fishQuoted(`__jobs_delete_at ${fishQuoted(route === '' ? '' : ` ${route}`)}`)}`;
  return [
    ...words.map(({ word, description }) => `${at} -a ${word}${fishDescription(description)}`),
    ...options.map(
      (option) =>
        `${at} -l ${option.word.replace(/^--/, '')}${fishValue(option)}${fishDescription(option.description)}`,
    ),
    ...(takesFile ? [`${at} -F`] : []),
  ];
}

function fishValue({ value }: OptionWord): string {
  if (value === 'none') return '';
  if (value === 'file') return ' -r -F';
  return typeof value === 'string' ? ' -x' : ` -x -a ${fishQuoted(value.join(' '))}`;
}

function fishDescription(description: string): string {
  return description === '' ? '' : ` -d ${fishQuoted(description)}`;
}

/** In fish, single quotes keep everything but \\ and '. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Returns a script for zsh, to be loaded by compinit or sourced after it. */
function zshScript(commands: readonly CommandWords[]): string {
  const routes = commands.filter(({ route }) => route !== '').map(({ route }) => `'${route}'`);
  return `#compdef jobs-delete
# Completion of jobs-delete for zsh. Load it: source <(jobs-delete completion zsh)
_jobs_delete() {
  local route='' word current=$words[CURRENT] previous=$words[CURRENT-1]
  local -a items
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${route:+$route }$word" in
      (${routes.join('|')}) route="\${route:+$route }$word" ;;
    esac
  done
  case "$route $previous" in
${commands.flatMap(zshValues).join('\n')}
  esac
  if [[ $current == -* ]]; then
    case "$route" in
${commands.map(({ route, options }) => zshOptions(route, options)).join('\n')}
    esac
    _describe -o 'option' items
    return
  fi
  case "$route" in
${commands.map((command) => zshWords(command)).join('\n')}
  esac
}
if whence compdef > /dev/null; then compdef _jobs_delete jobs-delete; fi
`;
}

function zshValues({ route, options }: CommandWords): string[] {
  return options.flatMap(({ word, value }) => {
    if (value === 'none') return [];
    const action =
      typeof value === 'string'
        ? value === 'file'
          ? '_files'
          : '_message value'
        : `items=(${value.map((choice) => zshQuoted(choice)).join(' ')}); _describe value items`;
    return [`    ('${route} ${word}') ${action}; return ;;`];
  });
}

function zshWords({ route, words, takesFile }: CommandWords): string {
  const list = `items=(${zshItems(words)})`;
  const action =
    words.length > 0 ? `${list}; _describe command items` : takesFile ? '_files' : '_message argument';
  return `    ('${route}') ${action} ;;`;
}

function zshOptions(route: string, words: readonly Word[]): string {
  return `      ('${route}') items=(${zshItems(words)}) ;;`;
}

function zshItems(words: readonly Word[]): string {
  return words
    .map(({ word, description }) =>
      zshQuoted(description === '' ? word : `${word}:${description.replaceAll(':', '\\\\:')}`),
    )
    .join(' ');
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
