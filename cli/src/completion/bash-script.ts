import type { CommandWords, Word } from './describe-commands.ts';

/** Returns a script for bash 4 or newer. It falls back to the names of files. */
export function bashScript(commands: readonly CommandWords[]): string {
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
${commands.flatMap(valueCases).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case "$route" in
${commands.map(({ route, options }) => wordsCase(route, options)).join('\n')}
    esac
  else
    case "$route" in
${commands.map(({ route, words }) => wordsCase(route, words)).join('\n')}
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -o default -F _jobs_delete jobs-delete
`;
}

function valueCases({ route, options }: CommandWords): string[] {
  return options.flatMap(({ word, value }) => {
    if (value === 'none') return [];
    const reply =
      typeof value === 'string'
        ? ''
        : ` mapfile -t COMPREPLY < <(compgen -W '${value.join(' ')}' -- "$cur");`;
    return [`    '${route} ${word}')${reply} return ;;`];
  });
}

function wordsCase(route: string, words: readonly Word[]): string {
  return `      '${route}') words='${words.map(({ word }) => word).join(' ')}' ;;`;
}
