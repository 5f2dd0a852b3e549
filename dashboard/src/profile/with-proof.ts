import { mayChangeMethods } from '../sign-in/proof/methods.ts';
import type { MemberVisit, Reply } from '../web/route.ts';

type ServeMember = (visit: MemberVisit) => Promise<Reply> | Reply;

/** Serves only after a recent proof of identity. */
export function withProof(serve: ServeMember): ServeMember {
  return (visit) =>
    mayChangeMethods(visit) ? serve(visit) : { kind: 'redirect', to: '/sign-in/again?next=%2Fprofile' };
}
