import { isIP } from 'node:net';
import type { DomainUse } from '@jobs-delete/accounts/accounts';
import {
  type AllowedDomain,
  parseAllowedDomain,
  originMatches,
  parseNewDomain,
} from '@jobs-delete/accounts/origins/allowed-domain';
import { accountPath } from '../web/account-path.ts';
import type { MemberVisit } from '../web/route.ts';
import { Blank, Table } from '../web/table.tsx';
import { Time } from '../web/time.tsx';
import { domainTexts } from './domain-texts.ts';
import { lookalikeOf, suspicionOf } from './suspicion.ts';
import { CsrfField, TextField } from '../web/form.tsx';

interface DomainListProps {
  readonly visit: MemberVisit;
  readonly uses: readonly DomainUse[];
  readonly mayChange: boolean;
}

/** A table of the allowed domains with what each of them allows. */
export function DomainList({ visit, uses, mayChange }: DomainListProps) {
  const texts = domainTexts[visit.language];
  if (uses.length === 0)
    return (
      <Blank icon="domains">
        <p>{texts.none}</p>
      </Blank>
    );
  return (
    <Table
      heading="list"
      columns={[
        { header: texts.domain },
        { plain: texts.meaning },
        texts.lastUsed,
        mayChange && { plain: texts.actions },
      ]}
      rows={uses.map(({ domain, lastUsedAtMs }) => [
        <code>{domain}</code>,
        meaningOf(domain, texts),
        lastUsedAtMs === undefined ? (
          texts.never
        ) : (
          <Time ms={lastUsedAtMs} language={visit.language} nowMs={visit.nowMs} />
        ),
        <a
          href={accountPath(visit, `/domains/remove?domain=${encodeURIComponent(domain)}`)}
          aria-label={`${texts.remove} ${domain}`}
        >
          {texts.remove}
        </a>,
      ])}
    />
  );
}

function meaningOf(text: string, texts: typeof domainTexts.en) {
  const domain = parseAllowedDomain(text);
  if (domain === undefined) return texts.unreadable;
  return (
    <>
      {domain.kind === 'wildcard' ? texts.wildcard(domain.suffix.slice(1)) : domain.origins.join(', ')}
      <DomainWarnings domain={domain} texts={texts} />
    </>
  );
}

interface DomainWarningsProps {
  readonly domain: AllowedDomain;
  readonly texts: typeof domainTexts.en;
}

/** Says why a domain may let outsiders in. */
function DomainWarnings({ domain, texts }: DomainWarningsProps) {
  const suspicion = suspicionOf(domain);
  const lookalike = lookalikeOf(domain);
  return (
    <>
      {suspicion && <p class="problem">{texts.suspicions[suspicion]}</p>}
      {lookalike && (
        <p class="problem">
          {texts.lookalike} <bdi>{lookalike.unicode}</bdi> = <code>{lookalike.ascii}</code>
        </p>
      )}
    </>
  );
}

export interface DomainInput {
  readonly text: string;
  readonly problem?: 'malformed' | 'publicSuffix' | 'http' | 'tooMany';
}

interface AddDomainProps extends DomainInput {
  readonly visit: MemberVisit;
}

/** The form, and the spellings that a domain may have. */
export function AddDomainForm({ visit, text, problem }: AddDomainProps) {
  const texts = domainTexts[visit.language];
  return (
    <form method="post" action={accountPath(visit, '/domains/new')}>
      <h2>{texts.add}</h2>
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
        {text !== '' && (problem === undefined || problem === 'http') && (
          <Preview text={text} texts={texts} />
        )}
      </div>
      {problem === 'http' && (
        <p>
          <label>
            <input type="checkbox" name="confirm" value="yes" /> {texts.confirmHttp}
          </label>
        </p>
      )}
      <p>
        <button>{texts.addSubmit}</button>
      </p>
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
    </form>
  );
}

/** What a domain would allow and refuse. The page's script asks for it again while somebody types. */
function Preview({ text, texts }: { readonly text: string; readonly texts: typeof domainTexts.en }) {
  const domain = parseNewDomain(text);
  if (domain === undefined) return <p>{texts.previewMalformed}</p>;
  if (suspicionOf(domain) === 'public-suffix') return <p class="problem">{texts.problems.publicSuffix}</p>;
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
  const { protocol, host, hostname } = new URL(first);
  const otherScheme = `${protocol === 'https:' ? 'http' : 'https'}://${host}`;
  const below = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? [`${protocol}//www.${host}`] : [];
  return [...new Set([...domain.origins, otherScheme, ...below])];
}
