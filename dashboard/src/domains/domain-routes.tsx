import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { CsrfField } from '../web/form.tsx';
import { withNotice } from '../web/notices.ts';
import { pageOf, Pager } from '../web/pager.tsx';
import { includesRole, type Route } from '../web/route.ts';
import { AddDomain, addDomainRoutes } from './add-domain-routes.tsx';
import { DomainList } from './domain-list.tsx';
import { domainTexts } from './domain-texts.ts';
import { OriginTrial } from './origin-trial.tsx';

const pageSize = 50;

/** The pages of allowed domains. */
export function domainRoutes({ accounts }: Pick<Services, 'accounts'>): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/domains',
      access: 'viewer',
      serve: async (visit) => {
        const { accountId, language, query, role } = visit;
        const texts = domainTexts[language];
        const uses = await accounts.listDomainUses(accountId);
        const page = pageOf(uses, query, pageSize);
        const mayChange = includesRole(role, 'manager');
        // The script of the page asks for the preview of what is typed.
        const text = mayChange ? (query.get('domain') ?? '').trim().slice(0, 300) : '';
        const origin = query.get('origin')?.trim().slice(0, 300);
        const body = (
          <>
            <p>{texts.intro}</p>
            <div class="columns">
              {mayChange && (
                <details class="card" open={origin === undefined}>
                  <summary>{texts.add}</summary>
                  <AddDomain visit={visit} text={text} />
                </details>
              )}
              <OriginTrial visit={visit} origin={origin} domains={uses.map(({ domain }) => domain)} />
            </div>
            <h2 id="list">{texts.listHeading}</h2>
            <DomainList visit={visit} uses={page.items} mayChange={mayChange} />
            <Pager page={page} path={accountPath(visit, '/domains')} language={language} />
          </>
        );
        return { kind: 'page', title: texts.title, body };
      },
    },
    ...addDomainRoutes({ accounts }),
    ...removeDomainRoutes({ accounts }),
  ];
}

function removeDomainRoutes({ accounts }: Pick<Services, 'accounts'>): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/domains/remove',
      access: 'manager',
      recent: true,
      serve: async (visit) => {
        const domain = visit.query.get('domain') ?? '';
        const domains = await accounts.listDomains(visit.accountId);
        if (!domains.includes(domain)) return { kind: 'not-found' };
        const texts = domainTexts[visit.language];
        const body = (
          <form method="post" action={accountPath(visit, '/domains/remove')}>
            <CsrfField visit={visit} />
            <input type="hidden" name="domain" value={domain} />
            <p class="warning">
              {texts.removeWarning} <code>{domain}</code>
            </p>
            <p class="actions">
              <button class="danger">{texts.removeSubmit}</button>
              <a href={accountPath(visit, '/domains')}>{texts.back}</a>
            </p>
          </form>
        );
        return { kind: 'page', title: texts.removeTitle, body };
      },
    },
    {
      method: 'POST',
      path: '/domains/remove',
      access: 'manager',
      recent: true,
      serve: async (visit) => {
        const domain = visit.form.get('domain') ?? '';
        // A repeated form finds the domain removed, which is what its sender wants.
        const entry = auditEntry(visit, 'domain.removed', domain);
        await accounts.removeDomain(visit.accountId, domain, entry);
        return { kind: 'redirect', to: withNotice(accountPath(visit, '/domains'), 'domain-removed') };
      },
    },
  ];
}
