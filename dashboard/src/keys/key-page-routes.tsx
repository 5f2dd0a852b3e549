import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { includesRole, type Route } from '../web/route.ts';
import { shortId } from '../web/short-id.tsx';
import { KeyFacts } from './key-facts.tsx';
import { KeyLink, KeyRelation } from './key-list.tsx';
import { findKey, isEnded } from './key-state.ts';
import { keyTexts } from './key-texts.ts';

/** The page of one key: what is known about it, and what a manager may do with it. */
export function keyPageRoutes({ accounts }: Pick<Services, 'accounts'>): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/keys/:kind/:id',
      access: 'viewer',
      serve: async (visit) => {
        const { accountId, params, language, nowMs, role } = visit;
        const key = await findKey(accounts, accountId, params);
        if (key === undefined) return { kind: 'not-found' };
        const keys = await accounts.listCredentials(key.kind, accountId);
        const texts = keyTexts[language];
        const changes = key.pausedAtMs === undefined ? (['pause', 'rotate'] as const) : (['resume'] as const);
        const action = includesRole(role, 'manager') && !isEnded(key, nowMs) && (
          <p class="actions">
            {(['rename', ...changes, 'revoke'] as const).map((each) => (
              <KeyLink
                credential={key}
                action={each}
                text={texts[each]}
                class={`button ${each === 'revoke' ? 'danger' : 'quiet'}`}
              />
            ))}
          </p>
        );
        const body = (
          <>
            <KeyFacts language={language} credential={key} nowMs={nowMs} />
            <KeyRelation language={language} credential={key} keys={keys} />
            <p>
              <a href={accountPath(visit, '/keys')}>{texts.back}</a>
            </p>
          </>
        );
        return { kind: 'page', title: texts.pageTitle[key.kind](key.name ?? shortId(key.id)), action, body };
      },
    },
  ];
}
