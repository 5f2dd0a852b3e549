import { profileRoutes } from '../profile/profile-routes.tsx';
import type { Services } from '../services.ts';
import type { Route } from '../web/route.ts';
import { againRoutes } from './again-routes.tsx';
import { linkRoutes } from './link-routes.tsx';
import { nextRoutes } from './next-routes.tsx';
import { openIdRoutes } from './openid/openid-routes.tsx';
import { createProofs } from './proof/check-proof.ts';
import { createPasskeys } from './proof/passkeys.ts';
import { signInRoutes } from './sign-in-routes.tsx';

/** Every page on which somebody proves who they are, or changes how. They share one limit of wrong attempts. */
export function proofRoutes(services: Services): readonly Route[] {
  const proofs = createProofs(services);
  const passkeys = createPasskeys(services);
  return [
    ...linkRoutes(services),
    ...signInRoutes(services, proofs, passkeys),
    ...nextRoutes(services, proofs, passkeys),
    ...againRoutes(services, proofs, passkeys),
    ...openIdRoutes(services),
    ...profileRoutes(services, proofs, passkeys),
  ];
}
