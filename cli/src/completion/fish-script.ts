import type { CommandWords, OptionWord } from './describe-commands.ts';

/** Returns a script for fish 3 or newer. */
export function fishScript(commands: readonly CommandWords[]): string {
  const routes = commands.filter(({ route }) => route !== '').map(({ route }) => quoted(route));
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
${commands.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ route, words, options, takesFile }: CommandWords): string[] {
  const at = `complete -c jobs-delete -n ${quoted(`__jobs_delete_at ${quoted(route === '' ? '' : ` ${route}`)}`)}`;
  return [
    ...words.map(({ word, description }) => `${at} -a ${word}${describedBy(description)}`),
    ...options.map(
      (option) =>
        `${at} -l ${option.word.replace(/^--/, '')}${valueFlags(option)}${describedBy(option.description)}`,
    ),
    ...(takesFile ? [`${at} -F`] : []),
  ];
}

function valueFlags({ value }: OptionWord): string {
  if (value === 'none') return '';
  if (value === 'file') return ' -r -F';
  return typeof value === 'string' ? ' -x' : ` -x -a ${quoted(value.join(' '))}`;
}

function describedBy(description: string): string {
  return description === '' ? '' : ` -d ${quoted(description)}`;
}

/** In fish, single quotes keep everything but \\ and '. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
