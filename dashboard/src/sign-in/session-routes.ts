import { membershipOf } from '@jobs-delete/accounts/people/people';
import { safePath } from '../web/safe-path.ts';
import type { Services } from '../services.ts';
import { isLanguage } from '../web/language.ts';
import { withNotice } from '../web/notices.ts';
import type { Route } from '../web/route.ts';
import { recordForPerson } from './record-for-person.ts';

/** The forms of every page's frame: language, account, sign out. */
export function sessionRoutes({ accounts }: Pick<Services, 'accounts'>): readonly Route[] {
  return [
    { method: 'GET', path: '/', access: 'viewer', serve: () => ({ kind: 'redirect', to: '/keys' }) },
    {
      method: 'POST',
      path: '/language',
      access: 'anyone',
      serve: ({ form }) => {
        const language = form.get('language') ?? undefined;
        const to = safePath(form.get('next'));
        return { kind: 'redirect', to, ...(isLanguage(language) && { language }) };
      },
    },
    {
      method: 'POST',
      path: '/account',
      access: 'viewer',
      serve: async ({ form, session, person }) => {
        const membership = membershipOf(person, form.get('account') ?? '');
        if (membership === undefined) return { kind: 'not-found' };
        await accounts.changeSession(session.hash, { accountId: membership.accountId });
        return { kind: 'redirect', to: '/' };
      },
    },
    {
      method: 'POST',
      path: '/sign-out',
      access: 'session',
      serve: async (visit) => {
        const { session, person } = visit;
        await accounts.endSession(session.personId, session.id);
        if (session.stage === 'signed-in') await recordForPerson(accounts, visit, person, 'signed-out');
        return { kind: 'redirect', to: withNotice('/sign-in', 'signed-out'), session: null };
      },
    },
  ];
}
