import type { Services } from '../services.ts';
import type { Route } from '../web/route.ts';
import { deletionRoutes } from './deletion-routes.tsx';
import { eventRoutes } from './event-routes.tsx';
import { exportRoutes } from './export-routes.ts';
import { listRoutes } from './list-routes.tsx';

/** The pages of deletions and refused requests. Needs the deleter: without it, they answer 503. */
export function activityRoutes(services: Services): readonly Route[] {
  return [
    ...listRoutes(services),
    // Before the page of a deletion, whose path it fits too.
    ...exportRoutes(services),
    ...deletionRoutes(services),
    ...eventRoutes(services),
  ];
}
