import { z } from 'zod';

/**
 * Environment variables, each with its type, its default and a description. What is known about variables comes from here:
 * the reader, the names, `--help` and docs/configuration.md.
 */
export type Variables = Readonly<Record<string, z.ZodType>>;

/** Marks a variable as a secret: its value may be in a file instead, and `NAME_FILE` is its path. */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ ...schema.meta(), isSecret: true });
}

export function isSecret(schema: z.ZodType | undefined): boolean {
  return schema?.meta()?.isSecret === true;
}

/** Describes a variable whose default depends on other variables. */
export function described<Schema extends z.ZodType>(
  schema: Schema,
  { text, fallback }: { readonly text: string; readonly fallback: string },
): Schema {
  return schema.meta({ description: text, fallback });
}

/** A whole number from `least` to `most`; `fallback` when absent. */
export function integer(least: number, most: number, fallback: number) {
  const allowed = `must be a whole number from ${String(least)} to ${String(most)}`;
  const schema = z.string().transform((text, context) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    context.addIssue({ code: 'custom', message: `${allowed}, not '${text}'` });
    return z.NEVER;
  });
  return schema.default(fallback);
}

/** One of the words; `fallback` when absent. */
export function oneOf<const Words extends readonly [string, ...string[]]>(
  words: Words,
  fallback: Words[number],
) {
  return z
    .enum(words, { error: (issue) => `must be ${words.join(' or ')}, not '${String(issue.input)}'` })
    .default(fallback);
}

/** Returns the names with those of the files of secrets. */
export function namesOf(variables: Variables): readonly string[] {
  const names = Object.entries(variables).flatMap(([name, schema]) =>
    isSecret(schema) ? [name, `${name}_FILE`] : [name],
  );
  return [...new Set(names)];
}

/** Returns the default for people, in Markdown. Undefined without one. */
export function defaultOf(schema: z.ZodType): string | undefined {
  const fallback = schema.meta()?.fallback;
  if (typeof fallback === 'string') return fallback;
  const { data } = schema.safeParse(undefined);
  return typeof data === 'number' || (typeof data === 'string' && data !== '')
    ? `\`${String(data)}\``
    : undefined;
}

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
