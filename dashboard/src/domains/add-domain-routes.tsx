import { isIP } from 'node:net';
import {
  type AllowedDomain,
  formatAllowedDomain,
  originMatches,
  parseNewDomain,
} from '@jobs-delete/accounts/origins/allowed-domain';
import type { ComponentChild } from 'preact';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { CsrfField, TextField } from '../web/form.tsx';
import { withNotice } from '../web/notices.ts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { DomainWarnings } from './domain-list.tsx';
import { domainTexts } from './domain-texts.ts';
import { suspicionOf } from './suspicion.ts';

/** The gateway loads all domains of an account with each token. Concurrent forms may exceed it by their number. */
const maxDomains = 100;

/** The form that allows a domain. */
export function addDomainRoutes({ accounts }: Pick<Services, 'accounts'>): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/domains/new',
      access: 'manager',
      recent: true,
      serve: (visit) => addPage(visit, { text: (visit.query.get('domain') ?? '').trim().slice(0, 300) }),
    },
    {
      method: 'POST',
      path: '/domains/new',
      access: 'manager',
      recent: true,
      keeps: ['domain'],
      serve: async (visit) => {
        const { accountId, form } = visit;
        const text = (form.get('domain') ?? '').trim();
        const parsed = parseNewDomain(text);
        if (parsed === undefined) return addPage(visit, { text: text.slice(0, 300), problem: 'malformed' });
        const suspicion = suspicionOf(parsed);
        if (suspicion === 'public-suffix') return addPage(visit, { text, problem: 'publicSuffix' });
        if (suspicion === 'http' && form.get('confirm') !== 'yes')
          return addPage(visit, { text, problem: 'http' });

        const domain = formatAllowedDomain(parsed);
        const domains = await accounts.listDomains(accountId);
        if (!domains.includes(domain)) {
          if (domains.length >= maxDomains) return addPage(visit, { text, problem: 'tooMany' });
          const entry = auditEntry(visit, 'domain.allowed', domain);
          if ((await accounts.allowDomain(accountId, domain, entry)) !== 'allowed')
            throw new Error(`allowing a domain failed: there is no account ${accountId}`);
        }
        return { kind: 'redirect', to: withNotice(accountPath(visit, '/domains'), 'domain-allowed') };
      },
    },
  ];
}

interface AddFields {
  readonly text: string;
  readonly problem?: 'malformed' | 'publicSuffix' | 'http' | 'tooMany';
}

function addPage(visit: MemberVisit, fields: AddFields): Reply {
  const texts = domainTexts[visit.language];
  const body = (
    <AddDomain visit={visit} {...fields} back={<a href={accountPath(visit, '/domains')}>{texts.back}</a>} />
  );
  return { kind: 'page', status: fields.problem === undefined ? 200 : 422, title: texts.add, body };
}

interface AddDomainProps extends AddFields {
  readonly visit: MemberVisit;
  readonly back?: ComponentChild;
}

/** The form, and the spellings that a domain may have. */
export function AddDomain({ visit, text, problem, back }: AddDomainProps) {
  const texts = domainTexts[visit.language];
  return (
    <>
      <form method="post" action={accountPath(visit, '/domains/new')}>
        <CsrfField visit={visit} />
        <TextField
          name="domain"
          label={texts.domain}
          hint={texts.domainHint}
          problem={problem && texts.problems[problem]}
          value={text}
          required
          maxLength={300}
          autocomplete="off"
          preview="preview"
        />
        <div id="preview" role="status">
          {text !== '' && <Preview text={text} texts={texts} />}
        </div>
        {problem === 'http' && (
          <p>
            <label>
              <input type="checkbox" name="confirm" value="yes" /> {texts.confirmHttp}
            </label>
          </p>
        )}
        <p class="actions">
          <button>{texts.addSubmit}</button>
          {back}
        </p>
      </form>
      <details open={problem !== undefined}>
        <summary>{texts.formsHeading}</summary>
        <dl>
          {texts.forms.map(([form, meaning]) => (
            <>
              <dt>
                <code>{form}</code>
              </dt>
              <dd>{meaning}</dd>
            </>
          ))}
        </dl>
        <p>{texts.wildcardAdvice}</p>
      </details>
    </>
  );
}

/** What a domain would allow and refuse. The page's script asks for it again while somebody types. */
function Preview({ text, texts }: { readonly text: string; readonly texts: typeof domainTexts.en }) {
  const domain = parseNewDomain(text);
  if (domain === undefined) return <p>{texts.previewMalformed}</p>;
  return (
    <>
      <p>{texts.preview}</p>
      <ul>
        {sampleOrigins(domain).map((origin) => (
          <li>
            {originMatches(origin, [domain]) ? texts.passes : texts.refused} <code>{origin}</code>
          </li>
        ))}
      </ul>
      <DomainWarnings domain={domain} texts={texts} />
    </>
  );
}

/** Returns the origins that people most often expect a domain to allow. */
function sampleOrigins(domain: AllowedDomain): readonly string[] {
  if (domain.kind === 'wildcard') {
    const base = domain.suffix.slice(1);
    return [`https://www.${base}`, `https://a.b.${base}`, `https://${base}`, `http://www.${base}`];
  }
  const [first] = domain.origins;
  const { protocol, host } = new URL(first);
  const otherScheme = `${protocol === 'https:' ? 'http' : 'https'}://${host}`;
  const below =
    isIP(new URL(first).hostname.replace(/^\[|\]$/g, '')) === 0 ? [`${protocol}//www.${host}`] : [];
  return [...new Set([...domain.origins, otherScheme, ...below])];
}
