import type { Accounts } from '@jobs-delete/accounts/accounts';
import {
  formatAllowedDomain,
  parseNewDomain,
  type AllowedDomain,
  type OriginMismatch,
  explainMismatch,
  originMatches,
  parseAllowedDomain,
} from '@jobs-delete/accounts/origins/allowed-domain';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { formPage, formRoutes, TextField } from '../web/form.tsx';
import { withNotice } from '../web/notices.ts';
import { pageOf, Pager } from '../web/table.tsx';
import { includesRole, type MemberVisit, type Reply, type Route } from '../web/route.ts';
import { AddDomainForm, type DomainInput, DomainList } from './domain-view.tsx';
import { formatDistance } from '../web/time.tsx';
import { domainTexts } from './domain-texts.ts';
import { suspicionOf } from './suspicion.ts';

const pageSize = 50;

/** The gateway loads all domains of an account with each token. Concurrent forms may exceed it by their number. */
const maxDomains = 100;

/** The page of allowed domains, with the form that allows another, and the form that removes one. */
export function domainRoutes({ accounts }: Pick<Services, 'accounts'>): readonly Route[] {
  const show = (visit: MemberVisit, input?: DomainInput) => domainsPage(visit, accounts, input);
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
        if (suspicion === 'public-suffix') return show(visit, { text, problem: 'publicSuffix' });
        if (suspicion === 'http' && form.get('confirm') !== 'yes')
          return show(visit, { text, problem: 'http' });

        const domain = formatAllowedDomain(parsed);
        const domains = await accounts.listDomains(accountId);
        if (!domains.includes(domain)) {
          if (domains.length >= maxDomains) return show(visit, { text, problem: 'tooMany' });
          const entry = auditEntry(visit, 'domain.allowed', domain);
          if ((await accounts.allowDomain(accountId, domain, entry)) !== 'allowed')
            throw new Error(`allowing a domain failed: there is no account ${accountId}`);
        }
        return { kind: 'redirect', to: withNotice(accountPath(visit, '/domains'), 'domain-allowed') };
      },
    }),
    ...removeDomainRoutes({ accounts }),
  ];
}

/** @param input default: `?domain=`, with which the script of the page asks for the preview of what is typed */
async function domainsPage(
  visit: MemberVisit,
  accounts: Pick<Accounts, 'listDomainUses'>,
  input: DomainInput = { text: (visit.query.get('domain') ?? '').trim().slice(0, 300) },
): Promise<Reply> {
  const { accountId, language, query, role } = visit;
  const texts = domainTexts[language];
  const uses = await accounts.listDomainUses(accountId);
  const page = pageOf(uses, query, pageSize);
  const mayChange = includesRole(role, 'manager');
  const origin = query.get('origin')?.trim().slice(0, 300);
  const body = (
    <>
      <p>{texts.intro}</p>
      <div class="columns">
        {mayChange && <AddDomainForm visit={visit} {...input} />}
        <OriginTrial visit={visit} origin={origin} domains={uses.map(({ domain }) => domain)} />
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
      const { accountId, language, nowMs, query } = visit;
      const domain = query.get('domain');
      // An expired form leads here without it.
      if (domain === null) return { kind: 'redirect', to: accountPath(visit, '/domains') };
      const use = (await accounts.listDomainUses(accountId)).find((each) => each.domain === domain);
      if (use === undefined) return { kind: 'not-found' };
      const texts = domainTexts[language];
      const fields = (
        <>
          <input type="hidden" name="domain" value={domain} />
          <p class="warning">
            {use.lastUsedAtMs !== undefined && (
              <strong>{texts.inUse(formatDistance(use.lastUsedAtMs - nowMs, language))} </strong>
            )}
            {texts.removeWarning}
          </p>
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

interface OriginTrialProps {
  readonly visit: MemberVisit;
  /** What somebody has typed. Undefined: the form was not sent yet. */
  readonly origin: string | undefined;
  readonly domains: readonly string[];
}

/** A form that checks an Origin header, and its result. It changes nothing, so it works for every member. */
function OriginTrial({ visit, origin, domains }: OriginTrialProps) {
  const texts = domainTexts[visit.language];
  return (
    <form method="get" action={accountPath(visit, '/domains#trial')} id="trial">
      <h2>{texts.trialHeading}</h2>
      {origin !== undefined && <TrialResult visit={visit} origin={origin} domains={domains} />}
      <TextField
        name="origin"
        label={texts.trialLabel}
        hint={texts.trialHint}
        value={origin}
        required
        maxLength={300}
        autocomplete="off"
      />
      <button class="quiet">{texts.trialSubmit}</button>
    </form>
  );
}

function TrialResult({ visit, origin, domains }: OriginTrialProps & { readonly origin: string }) {
  const texts = domainTexts[visit.language];
  const trial = tryOrigin(origin, domains);
  return (
    <div class={trial.kind === 'passes' ? 'notice' : 'warning'} role="status">
      <p>
        <strong>{trial.kind === 'passes' ? texts.passes : texts.refused}</strong> <code>{origin}</code>
      </p>
      <p>{trial.kind === 'passes' ? texts.matches(trial.domain) : texts.mismatch(trial.mismatch)}</p>
    </div>
  );
}

type TrialOutcome =
  | { readonly kind: 'passes'; readonly domain: string }
  | { readonly kind: 'refused'; readonly mismatch: OriginMismatch };

/** Returns what the gateway decides about an Origin header with this text, and why. */
function tryOrigin(text: string, allowed: readonly string[]): TrialOutcome {
  const domains = allowed
    .map(parseAllowedDomain)
    .filter((domain): domain is AllowedDomain => domain !== undefined);
  // Node hands out the bytes of a header as Latin-1.
  const header = Buffer.from(text).toString('latin1');
  const match = domains.find((domain) => originMatches(header, [domain]));
  return match === undefined
    ? { kind: 'refused', mismatch: explainMismatch(text, domains) }
    : { kind: 'passes', domain: match.text };
}
