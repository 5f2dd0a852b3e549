import { createServer } from 'node:net';
import { z } from 'zod';
import { StartupError } from './startup-error.ts';

/**
 * Reads the variables that `shape` names out of `env`, all at once: every wrong one is reported, each by its
 * name and with what is allowed. An empty variable counts as absent. The result is frozen.
 * @throws StartupError (exit code 2)
 */
export function readEnvironment<Shape extends z.ZodRawShape>(
  shape: Shape,
  env: NodeJS.ProcessEnv,
): Readonly<z.output<z.ZodObject<Shape>>> {
  const present = Object.fromEntries(
    Object.keys(shape).flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  );
  const result = z.object(shape).safeParse(present);
  if (result.success) return Object.freeze(result.data);
  throw new StartupError(describe(result.error.issues), { exitCode: 2 });
}

/**
 * Runs several checks of the configuration and reports together what all of them found.
 * @throws StartupError (exit code 2)
 */
export async function readAll<Results extends readonly unknown[]>(readers: {
  [Index in keyof Results]: () => Results[Index] | Promise<Results[Index]>;
}): Promise<Results> {
  const problems = new Set<string>();
  const results: unknown[] = [];
  for (const read of readers) {
    try {
      results.push(await read());
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      for (const line of error.message.split('\n').slice(1)) problems.add(line);
    }
  }
  if (problems.size > 0) throw new StartupError([heading, ...problems].join('\n'), { exitCode: 2 });
  return results as unknown as Results;
}

/**
 * Refuses ports that can't be had, all at once. Port 0 is any free one.
 * @throws StartupError (exit code 2)
 */
export async function requireFreePorts(ports: readonly { variable: string; host: string; port: number }[]) {
  const problems: string[] = [];
  for (const { variable, host, port } of ports) {
    const reason = await reasonNotFree(host, port);
    if (reason !== undefined)
      problems.push(
        `  ${variable}: port ${String(port)} cannot be used (${reason}); choose another, or 0 for any free one`,
      );
  }
  if (problems.length > 0) throw new StartupError([heading, ...problems].join('\n'), { exitCode: 2 });
}

function reasonNotFree(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'EADDRINUSE' ? 'it is in use' : (error.code ?? error.message));
    });
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}

const heading = 'The configuration is not valid:';

function describe(issues: readonly z.core.$ZodIssue[]): string {
  return [heading, ...issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)].join('\n');
}

/** A whole number from `least` to `most`, `fallback` when absent. */
export function integer(least: number, most: number, fallback: number) {
  return integerBetween(least, most).default(fallback);
}

function integerBetween(least: number, most: number) {
  const allowed = `must be a whole number from ${String(least)} to ${String(most)}`;
  return z.string().transform((text, context) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    context.addIssue({ code: 'custom', message: `${allowed}, not '${text}'` });
    return z.NEVER;
  });
}

/** One of a fixed list of words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(
  words: Words,
  fallback: Words[number],
) {
  return z
    .enum(words, { error: (issue) => `must be ${words.join(' or ')}, not '${String(issue.input)}'` })
    .default(fallback);
}
