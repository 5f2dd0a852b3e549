import type { LoadOrder, LoadReport } from './load-order.ts';

/** Runs the orders of the parent process, one at a time, until it disconnects. */
export function answerOrders(run: (order: LoadOrder) => Promise<LoadReport>): void {
  process.on('message', (order: LoadOrder) => {
    run(order).then(
      (report) => process.send?.({ report }),
      (error: unknown) => process.send?.({ error: String(error instanceof Error ? error.stack : error) }),
    );
  });
  process.once('disconnect', () => process.exit(0));
}
