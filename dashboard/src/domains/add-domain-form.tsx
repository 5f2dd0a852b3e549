import { isIP } from 'node:net';
import {
  type AllowedDomain,
  originMatches,
  parseNewDomain,
} from '@jobs-delete/accounts/origins/allowed-domain';
import { accountPath } from '../web/account-path.ts';
import { CsrfField, TextField } from '../web/form.tsx';
import type { MemberVisit } from '../web/route.ts';
import { DomainWarnings } from './domain-list.tsx';
import { domainTexts } from './domain-texts.ts';
import { suspicionOf } from './suspicion.ts';

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
