import type { z } from 'zod';

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
