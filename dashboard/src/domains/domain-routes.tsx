import {
  matchingDomain,
  parseAllowedDomains,
  parseNewDomain,
  type AllowedDomain,
} from '@jobs-delete/accounts/origins/allowed-domain';
import type { AuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import type { Services } from '../services.ts';
import { accountPath, queryOf } from '../web/account-path.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { formRoutes } from '../web/form.tsx';
import { withNotice } from '../web/notices.ts';
import { isOpenForm, openForm, sentOnce, takeForm } from '../web/form-once.tsx';
import { pageOf, Pager } from '../web/table.tsx';
import { includesRole, type MemberVisit, type Reply, type Route } from '../web/route.ts';
import { AddDomainForm, type DomainInput, DomainList } from './domain-view.tsx';
import { OriginTrial } from './origin-trial.tsx';
import { removeDomainRoutes } from './remove-domain-routes.tsx';
import { domainTexts } from './domain-texts.ts';
import { acceptanceOf, refusalOf, risksToAccept } from './suspicion.ts';

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
      keeps: ['domain', 'back'],
      page: (visit) => show(visit),
      submit: async (visit) => {
        const { accountId, form } = visit;
        const text = (form.get('domain') ?? '').trim();
        const parsed = parseNewDomain(text);
        if (parsed === undefined) {
          const origin = originOf(text);
          if (origin !== undefined) return show(visit, { text: origin, problem: 'path' });
          return show(visit, { text: text.slice(0, 300), problem: 'malformed' });
        }
        const refusal = refusalOf(parsed);
        if (refusal !== undefined) return show(visit, { text, problem: refusal });
        const accepted = form.getAll('confirm');
        if (!risksToAccept(parsed).every((risk) => accepted.includes(acceptanceOf(risk, parsed))))
          return show(visit, { text, problem: 'unconfirmed', accepted });

        const listed = await accounts.listDomains(accountId);
        const done = (added?: AuditEntry): Reply => ({
          kind: 'redirect',
          to: withNotice(accountPath(visit, readBack(form) ?? '/domains'), 'domain-allowed', added),
        });
        const domain = parsed.text;
        const isRepeated = isOpenForm(services, visit) && !(await takeForm(services, visit, [domain]));
        // Such as the second of two clicks.
        if (isListed(parsed, listed)) return isRepeated ? done() : show(visit, { text, problem: 'listed' });
        if (listed.length >= maxDomains) return show(visit, { text, problem: 'tooMany' });
        const entry = auditEntry(visit, 'domain.allowed', domain);
        if ((await accounts.allowDomain(accountId, domain, entry)) !== 'allowed')
          throw new Error(`allowing a domain failed: there is no account ${accountId}`);
        return done(entry);
      },
    }),
    ...removeDomainRoutes({ accounts }),
  ];
}

/** Returns the origin of an address that has a path. Undefined if no entry can have it. */
function originOf(address: string): string | undefined {
  const origin = /^(?:https?:\/\/)?[^/?#@]+(?=[/?#])/i.exec(address)?.[0];
  return origin !== undefined && parseNewDomain(origin) !== undefined ? origin : undefined;
}

/** What the list of refused requests can be filtered by, and its page. */
const refusedFields = ['code', 'token', 'environment', 'cause', 'page'];

/** Returns the sandbox or the list of refused requests, if it led to the form. Undefined for any other page. */
function readBack(fields: URLSearchParams): `/${string}` | undefined {
  const [path, query = ''] = (fields.get('back') ?? '').split('?');
  if (path === '/sandbox') return path;
  if (path !== '/activity/refused') return undefined;
  const values = new URLSearchParams(query);
  const kept = refusedFields.map((name) => [name, values.get(name) ?? undefined] as const);
  return `/activity/refused${queryOf(Object.fromEntries(kept))}`;
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
  // A form that was answered `listed` has been taken: it would be `done` when it is sent again.
  const sent = input.problem === 'listed' ? '' : sentOnce(visit.form);
  const once = sent || openForm(services, visit);
  const back = readBack(query) ?? readBack(visit.form);
  const page = pageOf(uses, query, pageSize);
  const mayChange = includesRole(role, 'manager');
  const origin = query.get('origin')?.trim().slice(0, 300);
  // On a narrow screen, a form with a domain comes before the list.
  const form = mayChange && <AddDomainForm {...{ visit, once, back, domains }} {...input} />;
  const body = (
    <>
      <p>{texts.intro}</p>
      <div class="sides listed">
        {input.text !== '' && form}
        <section>
          <h2 id="list">
            {texts.title} ({uses.length})
          </h2>
          <DomainList visit={visit} uses={page.items} mayChange={mayChange} />
          <Pager page={page} path={accountPath(visit, '/domains')} language={language} />
        </section>
        {input.text === '' && form}
        <OriginTrial visit={visit} origin={origin} domains={domains} />
      </div>
    </>
  );
  const isValid = input.problem === undefined && origin !== '';
  return { kind: 'page', status: isValid ? 200 : 422, title: texts.title, body };
}
