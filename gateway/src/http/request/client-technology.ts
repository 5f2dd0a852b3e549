/** The labels of a client's technology. A fixed list: callers must not create metrics. */
export const clientTechnologies = [
  'c',
  'c#',
  'c++',
  'clojure',
  'dart',
  'delphi',
  'elixir',
  'erlang',
  'f#',
  'go',
  'groovy',
  'haskell',
  'java',
  'javascript',
  'kotlin',
  'lua',
  'objective-c',
  'perl',
  'php',
  'powershell',
  'python',
  'r',
  'ruby',
  'rust',
  'scala',
  'shell',
  'swift',
  'typescript',
  'visual basic',
  'other',
] as const;
export type ClientTechnology = (typeof clientTechnologies)[number];

const labels = new Map<string, ClientTechnology>([
  ...clientTechnologies.map((label) => [label, label] as const),
  ['bash', 'shell'],
  ['cpp', 'c++'],
  ['csharp', 'c#'],
  ['.net', 'c#'],
  ['dotnet', 'c#'],
  ['fsharp', 'f#'],
  ['golang', 'go'],
  ['js', 'javascript'],
  ['node', 'javascript'],
  ['node.js', 'javascript'],
  ['nodejs', 'javascript'],
  ['sh', 'shell'],
  ['ts', 'typescript'],
  ['vb.net', 'visual basic'],
]);

/** Returns the label of an X-Client-Lang value. Ignores its letter case and a version ("PHP 8.3", "Go/1.22"). */
export function clientTechnologyLabel(clientTechnology: string): ClientTechnology {
  const name = clientTechnology.toLowerCase();
  return labels.get(name) ?? labels.get(name.split(/[ /]/, 1)[0] ?? '') ?? 'other';
}
