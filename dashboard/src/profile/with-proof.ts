import type { Services } from '../services.ts';
import { mayChangeMethods } from '../sign-in/proof/methods.ts';
import type { MemberVisit, Reply } from '../web/route.ts';

type ServeMember = (visit: MemberVisit) => Promise<Reply> | Reply;

/** Serves only after a recent proof of identity. */
export function withProof(services: Pick<Services, 'openId'>, serve: ServeMember): ServeMember {
  return (visit) =>
    mayChangeMethods(services, visit)
      ? serve(visit)
      : { kind: 'redirect', to: '/sign-in/again?next=%2Fprofile' };
}
