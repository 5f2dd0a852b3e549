import type { Services } from '../services.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { CsrfField } from '../web/form.tsx';
import { withNotice } from '../web/notices.ts';
import type { Route } from '../web/route.ts';
import { keyActionTexts } from './key-action-texts.ts';
import { KeyFacts } from './key-facts.tsx';
import { keyPath } from './key-list.tsx';
import { findKey, isEnded } from './key-state.ts';
import { keyTexts } from './key-texts.ts';

/** The forms that pause a key and end its pause. Each names the state that it wants, so a second click changes nothing. */
export function pauseKeyRoutes(services: Pick<Services, 'accounts'>): readonly Route[] {
  return (['pause', 'resume'] as const).flatMap((action) => routesOf(action, services));
}

function routesOf(action: 'pause' | 'resume', { accounts }: Pick<Services, 'accounts'>): readonly Route[] {
  const path = `/keys/:kind/:id/${action}` as const;
  const done = `${action}d` as const;
  return [
    {
      method: 'GET',
      path,
      access: 'manager',
      recent: true,
      serve: async (visit) => {
        const { accountId, params, language, nowMs } = visit;
        const key = await findKey(accounts, accountId, params);
        if (key === undefined || isEnded(key, nowMs)) return { kind: 'not-found' };
        const texts = keyActionTexts[language];
        const back = <a href={keyPath(key)}>{keyTexts[language].backToKey}</a>;
        const body = (
          <>
            <KeyFacts language={language} credential={key} nowMs={nowMs} />
            {(key.pausedAtMs === undefined) === (action === 'pause') ? (
              <form method="post" action={keyPath(key, action)}>
                <CsrfField visit={visit} />
                <p class="warning">{texts[`${action}Warning`]}</p>
                <p class="actions">
                  <button>{texts[action][key.kind]}</button>
                  {back}
                </p>
              </form>
            ) : (
              <p>{back}</p>
            )}
          </>
        );
        return { kind: 'page', title: texts[`${action}Title`][key.kind], body };
      },
    },
    {
      method: 'POST',
      path,
      access: 'manager',
      recent: true,
      serve: async (visit) => {
        const { accountId, params, nowMs } = visit;
        const key = await findKey(accounts, accountId, params);
        if (key === undefined || isEnded(key, nowMs)) return { kind: 'not-found' };
        const entry = auditEntry(visit, `${key.kind}.${done}`, key.id);
        const change = { pausedAtMs: action === 'pause' ? nowMs : null };
        if ((await accounts.changeCredential(accountId, key, change, entry)) !== 'changed') {
          const current = await findKey(accounts, accountId, params);
          if (current === undefined || isEnded(current, nowMs)) return { kind: 'not-found' };
        }
        return { kind: 'redirect', to: withNotice(keyPath(key), `key-${done}`) };
      },
    },
  ];
}
