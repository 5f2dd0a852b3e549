import { createServer, type Server } from 'node:net';
import { z } from 'zod';
import { ConfigurationError } from '../startup-error.ts';
import { readSecretFile } from './secrets.ts';
import { isSecret, type Variables } from './variables.ts';

/**
 * Returns the values of `variables`, frozen. An empty variable counts as absent.
 * @throws ConfigurationError naming every invalid variable and its allowed values
 */
export function readEnvironment<Shape extends Variables>(
  variables: Shape,
  env: NodeJS.ProcessEnv,
): Readonly<z.output<z.ZodObject<Shape>>> {
  const problems: string[] = [];
  const present: Record<string, string> = {};
  for (const [name, schema] of Object.entries(variables)) {
    const ofFile = isSecret(schema) ? readSecretFile(name, env) : undefined;
    if (ofFile !== undefined && 'problem' in ofFile) problems.push(ofFile.problem);
    const value = ofFile !== undefined && 'value' in ofFile ? ofFile.value : env[name];
    if (value) present[name] = value;
  }
  const result = z.object(variables).safeParse(present);
  if (result.success && problems.length === 0) return Object.freeze(result.data);
  for (const { path, message } of result.error?.issues ?? []) problems.push(`${path.join('.')}: ${message}`);
  throw new ConfigurationError(problems);
}

/**
 * Runs several readers of the configuration. Returns their results in order.
 * @throws ConfigurationError with the problems of all readers
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
  // One result per reader, in order: TypeScript cannot infer that from a loop.
  return results as unknown as Results;
}

/**
 * Checks that all ports are free. Port 0 always is.
 * @throws ConfigurationError naming every port that is not
 */
export async function requireFreePorts(ports: readonly { variable: string; host: string; port: number }[]) {
  const problems: string[] = [];
  const probes: Server[] = [];
  for (const { variable, host, port } of ports) {
    const probe = createServer();
    const reason = await reasonNotFree(probe, host, port);
    // Kept open until all are probed, to detect the same port twice.
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
