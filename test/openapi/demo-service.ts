import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnServe } from '../harness/spawn-serve.ts';
import type { variables } from './sample-requests.ts';

type Variables = Readonly<Record<keyof typeof variables, string>>;

/** Starts `serve --demo`, and returns the values for the variables of the samples. */
export async function startDemoService(dataDir: string): Promise<Variables> {
  const baseUrl = await spawnServe(dataDir, { args: ['--demo'] }).ready;
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Variables;
  const { token, secret_key, origin } = demo;
  return { base_url: baseUrl, token, secret_key, origin };
}
