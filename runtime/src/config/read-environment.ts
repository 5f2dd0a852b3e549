import { createServer, type Server } from 'node:net';
import { z } from 'zod';
import { ConfigurationError } from '../startup-error.ts';

/**
 * Reads the variables that `shape` names out of `env`, all at once: every wrong one is reported, each by its
 * name and with what is allowed. An empty variable counts as absent. The result is frozen.
 * @throws ConfigurationError
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
  throw new ConfigurationError(
    result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
  );
}

/**
 * Runs several checks of the configuration and reports together what all of them found.
 * @throws ConfigurationError
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
      if (!(error instanceof ConfigurationError)) throw error;
      for (const problem of error.problems) problems.add(problem);
    }
  }
  if (problems.size > 0) throw new ConfigurationError([...problems]);
  // One of each reader, in their order, which the type of a loop's results can't tell.
  return results as unknown as Results;
}

/**
 * Refuses ports that can't be had, all at once. Port 0 is any free one.
 * @throws ConfigurationError
 */
export async function requireFreePorts(ports: readonly { variable: string; host: string; port: number }[]) {
  const problems: string[] = [];
  const probes: Server[] = [];
  for (const { variable, host, port } of ports) {
    const probe = createServer();
    const reason = await reasonNotFree(probe, host, port);
    // Held until all are probed: one port is not free twice.
    if (reason === undefined) probes.push(probe);
    else problems.push(`${variable}: ${reason}`);
  }
  await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
  if (problems.length > 0) throw new ConfigurationError(problems);
}

function reasonNotFree(probe: Server, host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    probe.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code === 'EADDRINUSE' || code === 'EACCES') {
        const why = code === 'EADDRINUSE' ? 'it is in use' : 'it is not allowed';
        resolve(`port ${String(port)} cannot be used (${why}); choose another, or 0 for any free one`);
      } else {
        resolve(`cannot listen on ${host} (${code ?? message}); HOST must be an address of this machine`);
      }
    });
    probe.listen({ host, port, exclusive: true }, () => resolve(undefined));
  });
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
