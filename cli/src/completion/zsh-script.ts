import type { CommandWords, Word } from './describe-commands.ts';

/** Returns a script for zsh, to be loaded by compinit or sourced after it. */
export function zshScript(commands: readonly CommandWords[]): string {
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
${commands.flatMap(valueCases).join('\n')}
  esac
  if [[ $current == -* ]]; then
    case "$route" in
${commands.map(({ route, options }) => itemsCase(route, options)).join('\n')}
    esac
    _describe -o 'option' items
    return
  fi
  case "$route" in
${commands.map((command) => wordsCase(command)).join('\n')}
  esac
}
if whence compdef > /dev/null; then compdef _jobs_delete jobs-delete; fi
`;
}

function valueCases({ route, options }: CommandWords): string[] {
  return options.flatMap(({ word, value }) => {
    if (value === 'none') return [];
    const action =
      typeof value === 'string'
        ? value === 'file'
          ? '_files'
          : '_message value'
        : `items=(${value.map((choice) => quoted(choice)).join(' ')}); _describe value items`;
    return [`    ('${route} ${word}') ${action}; return ;;`];
  });
}

function wordsCase({ route, words, takesFile }: CommandWords): string {
  const list = `items=(${items(words)})`;
  const action =
    words.length > 0 ? `${list}; _describe command items` : takesFile ? '_files' : '_message argument';
  return `    ('${route}') ${action} ;;`;
}

function itemsCase(route: string, words: readonly Word[]): string {
  return `      ('${route}') items=(${items(words)}) ;;`;
}

function items(words: readonly Word[]): string {
  return words
    .map(({ word, description }) =>
      quoted(description === '' ? word : `${word}:${description.replaceAll(':', '\\\\:')}`),
    )
    .join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
