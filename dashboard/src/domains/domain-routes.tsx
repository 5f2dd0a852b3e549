import type { Accounts } from '@jobs-delete/accounts/accounts';
import {
  matchingDomain,
  parseAllowedDomains,
  parseNewDomain,
  type AllowedDomain,
} from '@jobs-delete/accounts/origins/allowed-domain';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { formPage, formRoutes } from '../web/form.tsx';
import { type Notice, withNotice } from '../web/notices.ts';
import { openForm, readFormId, sentOnce } from '../web/form-once.tsx';
import { pageOf, Pager } from '../web/table.tsx';
import { includesRole, type MemberVisit, type Reply, type Route } from '../web/route.ts';
import { AddDomainForm, DomainFacts, type DomainInput, DomainList, RemovalEffect } from './domain-view.tsx';
import { OriginTrial } from './origin-trial.tsx';
import { domainTexts } from './domain-texts.ts';
import { suspicionOf } from './suspicion.ts';

const pageSize = 50;

/** The gateway loads all domains of an account with each token. Concurrent forms may exceed it by their number. */
const maxDomains = 100;

/** The page of allowed domains, with the form that allows another, and the form that removes one. */
export function domainRoutes(services: Pick<Services, 'accounts' | 'keys'>): readonly Route[] {
  const { accounts } = services;
  const show = (visit: MemberVisit, input?: DomainInput) => domainsPage(visit, services, input);
  return [
    { method: 'GET', path: '/domains', access: 'viewer', serve: (visit) => show(visit) },
    ...formRoutes({
      path: '/domains/new',
      access: 'manager',
      keeps: ['domain'],
      page: (visit) => show(visit),
      submit: async (visit) => {
        const { accountId, form } = visit;
        const text = (form.get('domain') ?? '').trim();
        const parsed = parseNewDomain(text);
        if (parsed === undefined) return show(visit, { text: text.slice(0, 300), problem: 'malformed' });
        const suspicion = suspicionOf(parsed);
        const isConfirmed = suspicion === 'http' && form.get('confirm') === 'yes';
        if (suspicion !== undefined && !isConfirmed) return show(visit, { text, problem: suspicion });

        const listed = await accounts.listDomains(accountId);
        const toList = (notice: Notice): Reply => {
          return { kind: 'redirect', to: withNotice(accountPath(visit, '/domains'), notice) };
        };
        const domain = parsed.text;
        const id = readFormId(services, visit, [domain]);
        const isDone = id !== undefined && (await hasEntry(accounts, accountId, id));
        if (isListed(parsed, listed))
          return isDone ? toList('domain-allowed') : show(visit, { text, problem: 'listed' });
        if (listed.length >= maxDomains) return show(visit, { text, problem: 'tooMany' });
        const entry = auditEntry(visit, 'domain.allowed', domain);
        // After a removal, the same form may allow the domain again.
        const known = id === undefined || isDone ? entry : { ...entry, id };
        if ((await accounts.allowDomain(accountId, domain, known)) !== 'allowed')
          throw new Error(`allowing a domain failed: there is no account ${accountId}`);
        return toList('domain-allowed');
      },
    }),
    ...removeDomainRoutes({ accounts }),
  ];
}

/** Returns whether the trail has the entry among its latest, such as by the first of two clicks. */
async function hasEntry(
  accounts: Pick<Accounts, 'listActions'>,
  accountId: string,
  entryId: string,
): Promise<boolean> {
  const latest = await accounts.listActions({ accountId, pageSize: 50 });
  return latest.some(({ id }) => id === entryId);
}

/** Returns whether the list has the domain, perhaps in another spelling: `example.com` means `https://example.com`. */
function isListed(domain: AllowedDomain, listed: readonly string[]): boolean {
  const entries = parseAllowedDomains(listed);
  return domain.kind === 'wildcard'
    ? listed.includes(domain.text)
    : domain.origins.every((origin) => matchingDomain(origin, entries)?.kind === 'exact');
}

/** @param input default: `?domain=`, with which the script of the page asks for the preview of what is typed */
async function domainsPage(
  visit: MemberVisit,
  services: Pick<Services, 'accounts' | 'keys'>,
  input: DomainInput = { text: (visit.query.get('domain') ?? '').trim().slice(0, 300) },
): Promise<Reply> {
  const { accountId, language, query, role } = visit;
  const texts = domainTexts[language];
  const uses = await services.accounts.listDomainUses(accountId);
  const domains = uses.map(({ domain }) => domain);
  const once = sentOnce(visit.form) || openForm(services, visit);
  const page = pageOf(uses, query, pageSize);
  const mayChange = includesRole(role, 'manager');
  const origin = query.get('origin')?.trim().slice(0, 300);
  const body = (
    <>
      <p>{texts.intro}</p>
      <div class="columns">
        {mayChange && <AddDomainForm visit={visit} once={once} domains={domains} {...input} />}
        <OriginTrial visit={visit} origin={origin} domains={domains} />
      </div>
      <h2 id="list">{texts.listHeading}</h2>
      <DomainList visit={visit} uses={page.items} mayChange={mayChange} />
      <Pager page={page} path={accountPath(visit, '/domains')} language={language} />
    </>
  );
  return { kind: 'page', status: input.problem === undefined ? 200 : 422, title: texts.title, body };
}

function removeDomainRoutes({ accounts }: Pick<Services, 'accounts'>): readonly Route[] {
  return formRoutes({
    path: '/domains/remove',
    access: 'manager',
    page: async (visit) => {
      const { accountId, language, query } = visit;
      const domain = query.get('domain');
      // An expired form leads here without it.
      if (domain === null) return { kind: 'redirect', to: accountPath(visit, '/domains') };
      const uses = await accounts.listDomainUses(accountId);
      const use = uses.find((each) => each.domain === domain);
      if (use === undefined) return { kind: 'not-found' };
      const texts = domainTexts[language];
      const others = uses.filter((each) => each !== use).map((each) => each.domain);
      const fields = (
        <>
          <input type="hidden" name="domain" value={domain} />
          <DomainFacts visit={visit} use={use} />
          <RemovalEffect visit={visit} use={use} others={others} />
        </>
      );
      return formPage(visit, {
        title: texts.removeTitle(domain),
        action: accountPath(visit, '/domains/remove'),
        fields,
        submit: texts.removeSubmit,
        isDanger: true,
        back: <a href={accountPath(visit, '/domains')}>{texts.back}</a>,
      });
    },
    submit: async (visit) => {
      const domain = visit.form.get('domain') ?? '';
      // A repeated form finds the domain removed, which is what its sender wants.
      const entry = auditEntry(visit, 'domain.removed', domain);
      await accounts.removeDomain(visit.accountId, domain, entry);
      return { kind: 'redirect', to: withNotice(accountPath(visit, '/domains'), 'domain-removed') };
    },
  });
}
