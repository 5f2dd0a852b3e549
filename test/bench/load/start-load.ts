import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { builtFolder } from '../folders.ts';
import type { LoadOrder, LoadReport } from './load-order.ts';

export interface Load {
  readonly pid: number;
  run(order: LoadOrder): Promise<LoadReport>;
  stop(): void;
}

export function startLoad(sender: 'load-generator' | 'client-load' = 'load-generator'): Load {
  const child = fork(join(builtFolder, `load/${sender}.js`), { execArgv: ['--max-semi-space-size=64'] });
  return {
    pid: child.pid ?? 0,
    run: async (order) => {
      child.send(order);
      const [outcome] = (await once(child, 'message')) as [{ report: LoadReport } | { error: string }];
      if ('error' in outcome) throw new Error(outcome.error);
      return outcome.report;
    },
    stop: () => child.disconnect(),
  };
}
