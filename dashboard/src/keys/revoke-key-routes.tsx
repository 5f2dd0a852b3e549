import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { CsrfField } from '../web/form.tsx';
import { withNotice } from '../web/notices.ts';
import type { Route } from '../web/route.ts';
import { keyActionTexts } from './key-action-texts.ts';
import { KeyFacts } from './key-facts.tsx';
import { keyPath } from './key-list.tsx';
import { keyFormRoutes } from './key-form-routes.ts';
import { keyTexts } from './key-texts.ts';

/** The page of one key with its last use and the form that revokes it. */
export function revokeKeyRoutes({ accounts }: Pick<Services, 'accounts'>): readonly Route[] {
  return keyFormRoutes(accounts, {
    action: 'revoke',
    isFor: () => true,
    page: (visit, key) => {
      const { language, nowMs } = visit;
      const texts = keyActionTexts[language];
      const back = <a href={keyPath(key)}>{keyTexts[language].backToKey}</a>;
      const body = (
        <>
          <KeyFacts language={language} credential={key} nowMs={nowMs} />
          {key.revokedAtMs === undefined ? (
            <form method="post" action={keyPath(key, 'revoke')}>
              <CsrfField visit={visit} />
              <p class="warning">{texts.revokeWarning}</p>
              <p class="actions">
                <button class="danger">{texts.revoke[key.kind]}</button>
                {back}
              </p>
            </form>
          ) : (
            <p>{back}</p>
          )}
        </>
      );
      return { kind: 'page', title: texts.revokeTitle[key.kind], body };
    },
    submit: async (visit, key) => {
      const entry = auditEntry(visit, `${key.kind}.revoked`, key.id);
      await accounts.revokeCredential(visit.accountId, key, visit.nowMs, entry);
      return { kind: 'redirect', to: withNotice(accountPath(visit, '/keys'), 'key-revoked') };
    },
  });
}
