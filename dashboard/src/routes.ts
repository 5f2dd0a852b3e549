import { activityRoutes } from './activity/activity-routes.ts';
import { domainRoutes } from './domains/domain-routes.tsx';
import { keyRoutes } from './keys/key-routes.tsx';
import { peopleRoutes } from './people/people-routes.tsx';
import { sandboxRoutes } from './sandbox/sandbox-routes.tsx';
import type { Services } from './services.ts';
import { proofRoutes } from './sign-in/proof-routes.ts';
import { sessionRoutes } from './sign-in/session-routes.ts';
import { trailRoutes } from './trail/trail-routes.tsx';
import type { Route } from './web/route.ts';

/** Returns every page and form of the dashboard. */
export function routesOf(services: Services): readonly Route[] {
  return [
    sessionRoutes(services),
    proofRoutes(services),
    keyRoutes(services),
    domainRoutes(services),
    activityRoutes(services),
    sandboxRoutes(services),
    peopleRoutes(services),
    trailRoutes(services),
  ].flat();
}
