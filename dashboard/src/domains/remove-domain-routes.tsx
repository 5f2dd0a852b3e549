import type { DomainUse } from '@jobs-delete/accounts/accounts';
import { parseAllowedDomain } from '@jobs-delete/accounts/origins/allowed-domain';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { details } from '../web/aside.tsx';
import { auditEntry } from '../web/audit-entry.ts';
import { FactGrid, type GridFact } from '../web/facts.tsx';
import { formPage, formRoutes } from '../web/form.tsx';
import { Badge } from '../web/marks.tsx';
import { withNotice } from '../web/notices.ts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { formatDistance } from '../web/time.tsx';
import { isNameTyped, TypedName, wasUsedLately } from '../web/typed-name.tsx';
import { domainText } from './domain-name.tsx';
import { domainTexts } from './domain-texts.ts';
import { LastUse, meaningOf, otherEntryFor, risksOf } from './domain-view.tsx';

/** The form that removes a domain. It asks for the name of a domain in use, unless another entry allows the same. */
export function removeDomainRoutes({ accounts }: Pick<Services, 'accounts'>): readonly Route[] {
  return formRoutes({
    path: '/domains/remove',
    access: 'manager',
    page: async (visit) => {
      const { accountId, query } = visit;
      const domain = query.get('domain');
      // An expired form leads here without it.
      if (domain === null) return { kind: 'redirect', to: accountPath(visit, '/domains') };
      const removal = removalOf(domain, await accounts.listDomainUses(accountId));
      return removal === undefined ? { kind: 'not-found' } : removalPage(visit, removal);
    },
    submit: async (visit) => {
      const { accountId, form, nowMs } = visit;
      const domain = form.get('domain') ?? '';
      const removal = removalOf(domain, await accounts.listDomainUses(accountId));
      if (removal !== undefined && asksForName(removal, nowMs) && !isDomainTyped(form, domain))
        return removalPage(visit, removal, form.get('name'));
      // A repeated form finds the domain removed, which is what its sender wants.
      const entry = auditEntry(visit, 'domain.removed', domain);
      await accounts.removeDomain(accountId, domain, entry);
      return { kind: 'redirect', to: withNotice(accountPath(visit, '/domains'), 'domain-removed', entry) };
    },
  });
}

interface Removal {
  readonly use: DomainUse;
  /** The account has no other entry. */
  readonly isLast: boolean;
  /** Another entry that allows the same: then no request is refused. */
  readonly other: string | undefined;
}

/** Returns undefined for a domain that is not in the list. */
function removalOf(domain: string, uses: readonly DomainUse[]): Removal | undefined {
  const use = uses.find((each) => each.domain === domain);
  if (use === undefined) return undefined;
  const others = uses.filter((each) => each !== use).map((each) => each.domain);
  return { use, isLast: others.length === 0, other: otherEntryFor(domain, others) };
}

function asksForName({ use, other }: Removal, nowMs: number): boolean {
  return other === undefined && wasUsedLately(use, nowMs);
}

/** Returns whether the form has the domain, perhaps in capitals or in Unicode. */
function isDomainTyped(form: URLSearchParams, domain: string): boolean {
  const typed = (form.get('name') ?? '').trim();
  return isNameTyped(form, domain) || parseAllowedDomain(typed)?.text === domain;
}

/** @param wrongName as `typed` of `TypedName` */
function removalPage(visit: MemberVisit, removal: Removal, wrongName?: string | null): Reply {
  const { language, nowMs } = visit;
  const texts = domainTexts[language];
  const { domain } = removal.use;
  return formPage(visit, {
    title: texts.removeTitle(domainText(domain)),
    status: wrongName === undefined ? 200 : 422,
    action: accountPath(visit, '/domains/remove'),
    fields: (
      <>
        <input type="hidden" name="domain" value={domain} />
        <RemovalEffect visit={visit} removal={removal} />
        {asksForName(removal, nowMs) && (
          <TypedName language={language} label={texts.domain} name={domain} typed={wrongName} />
        )}
      </>
    ),
    submit: texts.removeSubmit,
    isDanger: true,
    back: <a href={accountPath(visit, '/domains')}>{texts.back}</a>,
    aside: details(language, <DomainFacts visit={visit} use={removal.use} />),
  });
}

interface DomainFactsProps {
  readonly visit: MemberVisit;
  readonly use: DomainUse;
}

/** What is known about one domain. */
function DomainFacts({ visit, use: { domain, lastUsedAtMs } }: DomainFactsProps) {
  const texts = domainTexts[visit.language];
  return (
    <FactGrid
      facts={[
        [texts.meaning, meaningOf(domain, texts), true],
        [texts.lastUsed, <LastUse visit={visit} ms={lastUsedAtMs} />],
        ...risksOf(domain, texts).map(({ name }): GridFact => [
          texts.risk,
          <Badge tone="attention" text={name} />,
        ]),
      ]}
    />
  );
}

interface RemovalEffectProps {
  readonly visit: MemberVisit;
  readonly removal: Removal;
}

/** Says which requests the API refuses without a domain. */
function RemovalEffect({ visit: { language, nowMs }, removal: { use, isLast, other } }: RemovalEffectProps) {
  const texts = domainTexts[language];
  if (other !== undefined) return <p class="notice">{texts.allowedByOther(other)}</p>;
  return (
    <p class="warning">
      {use.lastUsedAtMs !== undefined && (
        <strong>{texts.inUse(formatDistance(use.lastUsedAtMs - nowMs, language))} </strong>
      )}
      {isLast ? texts.removesLast : texts.removeWarning}
    </p>
  );
}
