import type { DeleterServiceHandlers } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleterService';
import { DeleterService } from '@jobs-delete/proto/load-deleter';

const unused = () => {
  throw new Error('the test expected no such call');
};

/** A handler for each method that throws. */
export const unusedHandlers = Object.fromEntries(
  Object.keys(DeleterService.service).map((name) => [name, unused]),
) as unknown as DeleterServiceHandlers;
