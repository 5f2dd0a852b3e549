import type { Credential } from '@jobs-delete/accounts/accounts';
import type { Services } from '../services.ts';
import { CsrfField } from '../web/form.tsx';
import { OnceField, openForm, sentOnce } from '../web/form-once.tsx';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { issueKeys } from './issue-key.ts';
import { keyActionTexts } from './key-action-texts.ts';
import { KeyFacts } from './key-facts.tsx';
import { keyPath } from './key-list.tsx';
import { keyFormRoutes } from './key-form-routes.ts';
import { isValid } from './key-state.ts';
import { keyTexts } from './key-texts.ts';
import { formExpired, newKeyPage } from './new-key-page.tsx';

/** Creates a key with the name and the lifetime of another one, which stays valid until it is revoked. */
export function rotateKeyRoutes(
  services: Pick<Services, 'accounts' | 'keys' | 'pepper' | 'apiUrl' | 'now'>,
): readonly Route[] {
  const { accounts, apiUrl } = services;
  return keyFormRoutes(accounts, {
    action: 'rotate',
    isFor: isValid,
    page: (visit, old) => rotatePage(visit, old, { once: openForm(services, visit) }),
    submit: async (visit, old) => {
      const { expiresAtMs, createdAtMs, name } = old;
      const lifetimeMs = expiresAtMs === undefined ? undefined : expiresAtMs - createdAtMs;
      const issuance = await issueKeys(services, visit, { kinds: [old.kind], name, lifetimeMs, old });
      if (issuance.kind === 'expired') return formExpired(visit);
      if (issuance.kind === 'too-many')
        return rotatePage(visit, old, { once: sentOnce(visit.form), tooMany: true });
      const domains = await accounts.listDomains(visit.accountId);
      return newKeyPage(visit, { keys: issuance.keys, apiUrl, domains, old });
    },
  });
}

function rotatePage(
  visit: MemberVisit,
  old: Credential,
  { once, tooMany = false }: { readonly once: string; readonly tooMany?: boolean },
): Reply {
  const { language, nowMs } = visit;
  const texts = keyActionTexts[language];
  const body = (
    <>
      <p>{texts.rotateIntro[old.kind]}</p>
      <KeyFacts language={language} credential={old} nowMs={nowMs} />
      <form method="post" action={keyPath(old, 'rotate')}>
        <CsrfField visit={visit} />
        <OnceField once={once} />
        {tooMany && (
          <p class="problem" role="alert">
            {texts.tooMany[old.kind]}
          </p>
        )}
        <p class="actions">
          <button>{texts.submit[old.kind]}</button>
          <a href={keyPath(old)}>{keyTexts[language].backToKey}</a>
        </p>
      </form>
    </>
  );
  return { kind: 'page', status: tooMany ? 422 : 200, title: texts.rotateTitle[old.kind], body };
}
