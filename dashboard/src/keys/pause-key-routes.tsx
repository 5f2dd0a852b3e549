import type { Services } from '../services.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { CsrfField } from '../web/form.tsx';
import { withNotice } from '../web/notices.ts';
import type { Route } from '../web/route.ts';
import { keyActionTexts } from './key-action-texts.ts';
import { KeyFacts } from './key-facts.tsx';
import { keyPath } from './key-list.tsx';
import { keyFormRoutes } from './key-form-routes.ts';
import { isEnded } from './key-state.ts';
import { keyTexts } from './key-texts.ts';

/** The forms that pause a key and end its pause. A repeated POST changes nothing. */
export function pauseKeyRoutes(services: Pick<Services, 'accounts'>): readonly Route[] {
  return (['pause', 'resume'] as const).flatMap((action) => routesOf(action, services));
}

function routesOf(action: 'pause' | 'resume', { accounts }: Pick<Services, 'accounts'>): readonly Route[] {
  const done = `${action}d` as const;
  return keyFormRoutes(accounts, {
    action,
    isFor: (key, nowMs) => !isEnded(key, nowMs),
    page: (visit, key) => {
      const { language, nowMs } = visit;
      const texts = keyActionTexts[language];
      const isDue = (key.pausedAtMs === undefined) === (action === 'pause');
      const back = <a href={keyPath(key)}>{keyTexts[language].backToKey}</a>;
      const body = (
        <>
          <KeyFacts language={language} credential={key} nowMs={nowMs} />
          {isDue ? (
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
    submit: async (visit, key, findAgain) => {
      const entry = auditEntry(visit, `${key.kind}.${done}`, key.id);
      const change = { pausedAtMs: action === 'pause' ? visit.nowMs : null };
      const outcome = await accounts.changeCredential(visit.accountId, key, change, entry);
      if (outcome !== 'changed' && (await findAgain()) === undefined) return { kind: 'not-found' };
      return { kind: 'redirect', to: withNotice(keyPath(key), `key-${done}`) };
    },
  });
}
