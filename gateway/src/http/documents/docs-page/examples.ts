import { readFileSync } from 'node:fs';

export const formats = ['json', 'xml'] as const;
export type Format = (typeof formats)[number];
export const formatChoices = formats.map((format) => ({ value: format, label: format.toUpperCase() }));

/** Jobs of the demo account, which every example names. */
export const exampleJobIds = ['DEMO0100', 'DEMO0101'] as const;

/** A programming language of the examples. Each one has a file for each format in gateway/examples. */
export interface ExampleLanguage {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  /** The command that runs the file. */
  readonly run: string;
}

export const exampleLanguages: readonly ExampleLanguage[] = [
  { id: 'curl', name: 'curl', file: 'delete-jobs.sh', run: 'bash delete-jobs.sh' },
  { id: 'javascript', name: 'JavaScript', file: 'delete-jobs.mjs', run: 'node delete-jobs.mjs' },
  { id: 'python', name: 'Python', file: 'delete-jobs.py', run: 'python3 delete-jobs.py' },
  { id: 'php', name: 'PHP', file: 'delete-jobs.php', run: 'php delete-jobs.php' },
  { id: 'csharp', name: 'C#', file: 'DeleteJobs.cs', run: 'dotnet run DeleteJobs.cs' },
  { id: 'java', name: 'Java', file: 'DeleteJobs.java', run: 'java DeleteJobs.java' },
  { id: 'go', name: 'Go', file: 'delete-jobs.go', run: 'go run delete-jobs.go' },
];

/** A client, or without a name the command. Its file is in gateway/examples/clients. */
export interface ClientExample {
  readonly name?: string;
  /** The command that installs it. */
  readonly install: string;
  readonly file: string;
}

export const clientExamples: readonly ClientExample[] = [
  { name: 'JavaScript, TypeScript', install: 'npm install @jobs-delete/client', file: 'delete-all.mjs' },
  { name: 'Python', install: 'pip install jobs-delete', file: 'delete_all.py' },
  { install: 'npm install --global @jobs-delete/cli', file: 'delete-all.sh' },
];

/** The script in gateway/examples that tries a demo account. */
export const rehearsal = 'rehearse.sh';

/** The environment variables that every example reads, with sample values. */
export const exampleVariables = {
  JOBS_DELETE_URL: 'http://localhost:8080',
  JOBS_DELETE_TOKEN: 'TOKEN',
  JOBS_DELETE_SECRET_KEY: 'SECRET-KEY',
  JOBS_DELETE_ORIGIN: 'https://acme.example',
} as const;

export function readExample({ file }: ExampleLanguage, format: Format): string {
  return readAsset(`examples/${format}/${file}`);
}

/** Returns a file of the gateway package. Sources and build have the same depth. */
export function readAsset(path: string): string {
  return readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
}
