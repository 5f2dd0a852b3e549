import type { Services } from '../services.ts';
import { pageOf, Pager } from '../web/pager.tsx';
import type { Route } from '../web/route.ts';
import { inviteRoutes } from './invite-routes.tsx';
import { listMembers } from './member.ts';
import { memberRoutes } from './member-routes.tsx';
import { MemberList } from './member-list.tsx';
import { peopleTexts } from './people-texts.ts';

const pageSize = 50;

/** The pages where owners manage the members of their account. */
export function peopleRoutes(services: Pick<Services, 'accounts' | 'now' | 'publicUrl'>): readonly Route[] {
  const { accounts } = services;
  return [
    {
      method: 'GET',
      path: '/people',
      access: 'owner',
      recent: true,
      serve: async ({ accountId, language, query, person }) => {
        const texts = peopleTexts[language];
        const page = pageOf(await listMembers(accounts, accountId), query, pageSize);
        const body = (
          <>
            <p>{texts.intro}</p>
            <h2 id="members">{texts.members}</h2>
            <MemberList language={language} members={page.items} ownId={person.id} />
            <Pager page={page} path="/people" language={language} />
            <p>
              <a class="button" href="/people/invite">
                {texts.invite}
              </a>
            </p>
          </>
        );
        return { kind: 'page', title: texts.title, body };
      },
    },
    // The paths with a word come before those with a variable.
    ...inviteRoutes(services),
    ...memberRoutes(services),
  ];
}
