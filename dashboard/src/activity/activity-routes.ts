import type { Services } from '../services.ts';
import type { Route } from '../web/route.ts';
import { cancelRoutes } from './cancel-routes.tsx';
import { dayRoutes, eventRoutes } from './event-routes.tsx';
import { deletionRoutes } from './deletion-routes.tsx';
import { exportRoutes } from './export-routes.ts';
import { listRoutes } from './list-routes.tsx';
import type { DayCounter } from './chart-days.ts';
import { refusedRoutes } from './refused-routes.tsx';

/** The pages of deletions and refused requests. Those of deletions need the deleter: without it, they answer 503. */
export function activityRoutes(services: Services & { readonly dayCounter: DayCounter }): readonly Route[] {
  return [
    ...listRoutes(services),
    // Before the pages of a deletion, whose paths they fit too.
    ...exportRoutes(services),
    ...refusedRoutes(services),
    ...dayRoutes(services),
    ...deletionRoutes(services),
    ...eventRoutes(services),
    ...cancelRoutes(services),
  ];
}
