import { activityRoutes } from './activity/activity-routes.ts';
import { createDayCounter } from './activity/chart-days.ts';
import { designRoutes } from './design/design-routes.tsx';
import { domainRoutes } from './domains/domain-routes.tsx';
import { deleteJobsRoutes } from './jobs/delete-jobs-routes.tsx';
import { jobRoutes } from './jobs/job-routes.tsx';
import { keyRoutes } from './keys/key-routes.tsx';
import { overviewRoutes } from './overview/overview-routes.tsx';
import { peopleRoutes } from './people/people-routes.tsx';
import { profileRoutes } from './profile/profile-routes.tsx';
import { sandboxRoutes } from './sandbox/sandbox-routes.tsx';
import { safetyRoutes } from './safety/safety-routes.tsx';
import type { Services } from './services.ts';
import { linkRoutes } from './sign-in/link-routes.tsx';
import { openIdRoutes } from './sign-in/openid/openid-routes.tsx';
import { createPasskeys } from './sign-in/passkeys.ts';
import { signInRoutes } from './sign-in/sign-in-routes.tsx';
import { trailRoutes } from './trail/trail-routes.tsx';
import type { Route } from './web/route.ts';

/** Returns every page and form of the dashboard. */
export function routesOf(services: Services): readonly Route[] {
  const passkeys = createPasskeys(services);
  const dayCounter = createDayCounter(services.deleter);
  const routes: readonly Route[] = [
    signInRoutes(services, passkeys, () => routes),
    openIdRoutes(services),
    linkRoutes(services, passkeys),
    profileRoutes(services, passkeys),
    overviewRoutes({ ...services, dayCounter }),
    keyRoutes(services),
    domainRoutes(services),
    services.deletes ? deleteJobsRoutes({ ...services, dayCounter }) : [],
    jobRoutes({ ...services, dayCounter }),
    activityRoutes({ ...services, dayCounter }),
    safetyRoutes({ ...services, dayCounter }),
    sandboxRoutes(services),
    peopleRoutes(services),
    trailRoutes(services),
    services.design ? designRoutes : [],
  ].flat();
  return routes;
}
