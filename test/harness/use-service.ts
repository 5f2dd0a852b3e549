import { afterAll, beforeAll } from '@jest/globals';
import { startService, type TestService } from './service.ts';

/** Starts something before the tests of a file, and stops it after them. It has its members while tests run. */
export function useStarted<Started extends { stop(): Promise<void> }>(
  start: () => Promise<Started>,
): Started {
  // The first hook adds the members.
  const started = {} as Started;
  beforeAll(async () => {
    Object.assign(started, await start());
  });
  afterAll(() => started.stop());
  return started;
}

export function useService(env?: NodeJS.ProcessEnv): TestService {
  return useStarted(() => startService(env));
}
