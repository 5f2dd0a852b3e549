import { namesOf, type Variables } from './variables.ts';

/** A variable that the program does not read, and a known one that was probably meant. */
export interface UnknownVariable {
  readonly name: string;
  readonly similar: string;
}

/** Finds variables that are misspelt. OpenTelemetry reads other variables that start with OTEL. */
export function findUnknownVariables(env: NodeJS.ProcessEnv, variables: Variables): UnknownVariable[] {
  const known = namesOf(variables);
  return Object.keys(env)
    .filter((name) => !known.includes(name) && !name.startsWith('OTEL_'))
    .flatMap((name) => {
      const [similar] = known
        .filter((candidate) => isSimilar(name, candidate))
        .sort((one, other) => editsBetween(name, one) - editsBetween(name, other));
      return similar === undefined ? [] : [{ name, similar }];
    });
}

/** Logs a warning for each. */
export function warnOfUnknownVariables(
  env: NodeJS.ProcessEnv,
  variables: Variables,
  log: { warn(details: object, message: string): void },
): void {
  for (const unknown of findUnknownVariables(env, variables))
    log.warn({ variable: unknown.name }, unknownVariableText(unknown));
}

/** Explains what to do about it. */
export function unknownVariableText({ name, similar }: UnknownVariable): string {
  return `Nothing reads the variable ${name}. Did you mean ${similar}?`;
}

/** Short names are similar to too many others: PATH differs from PORT by two letters. */
function isSimilar(name: string, known: string): boolean {
  const most = known.length < 8 ? 1 : 2;
  const sharesWords =
    known.split('_').length > 2 && wordsOf(name, 2) === wordsOf(known, 2) && !fromKubernetes.test(name);
  return sharesWords || (Math.abs(name.length - known.length) <= most && editsBetween(name, known) <= most);
}

/** Kubernetes adds variables for each service, such as JOBS_DELETE_SERVICE_HOST. */
const fromKubernetes = /_(?:SERVICE_HOST|SERVICE_PORT|PORT)(?:_|$)/;

function wordsOf(name: string, count: number): string {
  return name.split('_').slice(0, count).join('_');
}

/** Returns the Levenshtein distance. */
export function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, character] of Array.from(one).entries()) {
    const next = [at + 1];
    for (let column = 1; column <= other.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (character === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
