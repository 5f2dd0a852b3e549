import type { LoadOrder } from './load-order.ts';
import { runLoad } from './run-load.ts';

// The load generator is a process of its own, the same one for all that is measured.
process.on('message', (order: LoadOrder) => {
  runLoad(order).then(
    (report) => process.send?.({ report }),
    (error: unknown) => process.send?.({ error: String(error instanceof Error ? error.stack : error) }),
  );
});
process.once('disconnect', () => process.exit(0));
