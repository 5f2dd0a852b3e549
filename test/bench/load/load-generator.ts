import type { LoadOrder } from './load-order.ts';
import { runLoad } from './run-load.ts';

// A separate process, the same for every measured system.
process.on('message', (order: LoadOrder) => {
  runLoad(order).then(
    (report) => process.send?.({ report }),
    (error: unknown) => process.send?.({ error: String(error instanceof Error ? error.stack : error) }),
  );
});
process.once('disconnect', () => process.exit(0));
