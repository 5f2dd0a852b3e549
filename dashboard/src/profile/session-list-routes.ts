import type { Services } from '../services.ts';
import { recordForPerson } from '../sign-in/record-for-person.ts';
import { withNotice } from '../web/notices.ts';
import type { Route } from '../web/route.ts';

/** A person ends sessions of their own. */
export function sessionListRoutes({ accounts }: Pick<Services, 'accounts'>): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/profile/sessions/end',
      access: 'viewer',
      serve: async (visit) => {
        const { person, session, form } = visit;
        const id = form.get('session') ?? '';
        if (!(await accounts.endSession(person.id, id))) return { kind: 'not-found' };
        await recordForPerson(accounts, visit, person, 'session.ended', id);
        return id === session.id
          ? { kind: 'redirect', to: withNotice('/sign-in', 'signed-out'), session: null }
          : { kind: 'redirect', to: withNotice('/profile', 'session-ended') };
      },
    },
    {
      method: 'POST',
      path: '/profile/sessions/end-others',
      access: 'viewer',
      serve: async (visit) => {
        const { person, session } = visit;
        await accounts.endOtherSessions(person.id, session.id);
        await recordForPerson(accounts, visit, person, 'session.ended', 'all other sessions');
        return { kind: 'redirect', to: withNotice('/profile', 'session-ended') };
      },
    },
  ];
}
