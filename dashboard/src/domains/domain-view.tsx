import { isIP } from 'node:net';
import type { DomainUse } from '@jobs-delete/accounts/accounts';
import {
  type AllowedDomain,
  allowsSeveral,
  matchingDomain,
  parseAllowedDomain,
  parseAllowedDomains,
  originMatches,
  parseNewDomain,
} from '@jobs-delete/accounts/origins/allowed-domain';
import type { ComponentChild } from 'preact';
import { accountPath } from '../web/account-path.ts';
import { Facts } from '../web/facts.tsx';
import { Badge } from '../web/marks.tsx';
import type { MemberVisit } from '../web/route.ts';
import { Blank, Table } from '../web/table.tsx';
import { Time } from '../web/time.tsx';
import { DomainName, domainText } from './domain-name.tsx';
import { domainTexts } from './domain-texts.ts';
import {
  acceptanceOf,
  lookalikeOf,
  refusalOf,
  risksToAccept,
  suspicionOf,
  type AcceptableRisk,
  type Lookalike,
  type Refusal,
} from './suspicion.ts';
import { Alert, CsrfField, Form, TextField } from '../web/form.tsx';
import { OnceField } from '../web/form-once.tsx';

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
  const risks = uses.map(({ domain }) => risksOf(domain, texts));
  return (
    <Table
      heading="list"
      look="domains"
      columns={[
        { header: texts.domain },
        risks.some((each) => each.length > 0) && { aside: texts.risk },
        texts.lastUsed,
        mayChange && { plain: texts.actions },
      ]}
      rows={uses.map(({ domain, lastUsedAtMs }, row) => [
        <>
          <DomainName domain={domain} />
          {allowsSeveral(parseAllowedDomain(domain)) && (
            <span class="second one-line">{meaningOf(domain, texts)}</span>
          )}
        </>,
        risks[row]?.map(({ name, text }) => (
          <details>
            <summary>
              <Badge tone="attention" text={name} />
            </summary>
            <p>{text}</p>
          </details>
        )),
        <LastUse visit={visit} ms={lastUsedAtMs} />,
        <a
          class="danger"
          href={accountPath(visit, `/domains/remove?domain=${encodeURIComponent(domain)}`)}
          aria-label={`${texts.remove} ${domain}`}
        >
          {texts.remove}
        </a>,
      ])}
    />
  );
}

export function LastUse({ visit, ms }: { readonly visit: MemberVisit; readonly ms: number | undefined }) {
  const { language, nowMs } = visit;
  if (ms === undefined) return <span class="muted">{domainTexts[language].never}</span>;
  return <Time ms={ms} language={language} nowMs={nowMs} />;
}

/** Returns another entry that allows every origin of an entry. Undefined for a wildcard. */
export function otherEntryFor(text: string, others: readonly string[]): string | undefined {
  const domain = parseAllowedDomain(text);
  if (domain?.kind !== 'exact') return undefined;
  const entries = parseAllowedDomains(others);
  return entries.find((entry) => domain.origins.every((origin) => matchingDomain(origin, [entry])))?.text;
}

export function meaningOf(text: string, texts: typeof domainTexts.en): string {
  const domain = parseAllowedDomain(text);
  if (domain === undefined) return '–';
  return domain.kind === 'wildcard' ? texts.wildcard(domain.suffix.slice(1)) : domain.origins.join(', ');
}

interface Risk {
  readonly name: string;
  readonly text: ComponentChild;
}

/** Returns why an entry of the list may let outsiders in, or allows nothing. */
export function risksOf(text: string, texts: typeof domainTexts.en): readonly Risk[] {
  const domain = parseAllowedDomain(text);
  if (domain === undefined) return [texts.risks.unreadable];
  const risks: Risk[] = [];
  const suspicion = suspicionOf(domain);
  if (suspicion !== undefined) risks.push(texts.risks[suspicion]);
  if (lookalikeOf(domain) !== undefined)
    risks.push({
      name: texts.risks.lookalike.name,
      text: <LookalikeText domain={domain} texts={texts} />,
    });
  return risks;
}

interface EntryProps {
  readonly domain: AllowedDomain;
  readonly texts: typeof domainTexts.en;
}

/** Names both spellings of a lookalike. */
function LookalikeText({ domain, texts }: EntryProps) {
  const lookalike = lookalikeOf(domain);
  return (
    <>
      {texts.risks.lookalike.text} {lookalike && <Spellings {...lookalike} />}
    </>
  );
}

/** Both spellings of a lookalike. */
function Spellings({ unicode, ascii }: Lookalike) {
  return (
    <>
      <bdi>{unicode}</bdi> = <code>{ascii}</code>
    </>
  );
}

export interface DomainInput {
  readonly text: string;
  readonly problem?: 'malformed' | 'path' | 'listed' | 'tooMany' | 'unconfirmed' | Refusal;
  /** The ticks of an `unconfirmed` form. */
  readonly accepted?: readonly string[];
}

interface AddDomainProps extends DomainInput {
  readonly visit: MemberVisit;
  readonly once: string;
  readonly back: string | undefined;
  /** Those that the account allows. */
  readonly domains: readonly string[];
}

/** The form, and the spellings that a domain may have. */
export function AddDomainForm({ visit, once, back, domains, text, problem, accepted }: AddDomainProps) {
  const texts = domainTexts[visit.language];
  return (
    <Form method="post" action={accountPath(visit, '/domains/new')}>
      <h2>{texts.add}</h2>
      <CsrfField visit={visit} />
      <OnceField once={once} />
      {back && <input type="hidden" name="back" value={back} />}
      <TextField
        name="domain"
        label={texts.domain}
        hint={texts.domainHint}
        problem={problem && problem !== 'unconfirmed' ? texts.problems[problem] : undefined}
        value={text}
        required
        maxLength={300}
        autocomplete="off"
        preview="preview"
      />
      <div id="preview" role="status">
        {text !== '' && (problem === undefined || problem === 'unconfirmed') && (
          <Preview {...{ text, texts, domains, accepted }} />
        )}
      </div>
      <p>
        <button>{texts.addSubmit}</button>
      </p>
      <details open={problem === 'malformed'}>
        <summary>{texts.formsHeading}</summary>
        <Facts facts={texts.forms.map(([form, meaning]) => [<code>{form}</code>, meaning])} />
        <p>{texts.wildcardAdvice}</p>
      </details>
    </Form>
  );
}

interface PreviewProps extends Pick<AddDomainProps, 'domains' | 'text'> {
  /** Undefined: no form was refused for a missing tick. */
  readonly accepted: readonly string[] | undefined;
  readonly texts: typeof domainTexts.en;
}

/** What a domain would allow and refuse, and the risks to accept. The page's script asks for it again while somebody types. */
function Preview({ text, texts, domains, accepted }: PreviewProps) {
  const domain = parseNewDomain(text);
  if (domain === undefined) return <p>{texts.previewMalformed}</p>;
  const refusal = refusalOf(domain);
  if (refusal !== undefined) return <p class="problem">{texts.problems[refusal]}</p>;
  const other = otherEntryFor(text, domains);
  const ticks = risksToAccept(domain).map((risk) => ({ risk, value: acceptanceOf(risk, domain) }));
  const missing = accepted && ticks.find(({ value }) => !accepted.includes(value));
  return (
    <>
      {other !== undefined && <p>{texts.covered(domainText(other))}</p>}
      <p>{texts.preview}</p>
      <ul class="verdicts">
        {sampleOrigins(domain).map((origin) => {
          const passes = originMatches(origin, [domain]);
          return (
            <li>
              <span class={passes ? 'passes' : 'refused'}>{passes ? texts.passes : texts.refused}</span>{' '}
              <code>{origin}</code>
            </li>
          );
        })}
      </ul>
      {ticks.map((tick) => (
        <RiskField
          {...{ ...tick, domain, texts }}
          checked={accepted?.includes(tick.value)}
          isMissing={tick === missing}
        />
      ))}
    </>
  );
}

interface RiskFieldProps extends EntryProps {
  readonly risk: AcceptableRisk;
  /** The value of its tick. */
  readonly value: string;
  readonly checked: boolean | undefined;
  /** It is the first tick without which the form was refused. */
  readonly isMissing: boolean;
}

/** Names a risk. Without its tick, the form is shown again. */
function RiskField({ risk, value, checked, isMissing, domain, texts }: RiskFieldProps) {
  const id = `${risk}-problem`;
  return (
    <div class="field">
      <p class="problem" id={id}>
        {risk === 'http' ? texts.problems.http : <LookalikeText domain={domain} texts={texts} />}
      </p>
      <Alert problem={isMissing ? texts.problems.unconfirmed : undefined} />
      <label class="choice">
        <input
          type="checkbox"
          name="confirm"
          value={value}
          required
          checked={checked}
          aria-describedby={id}
          aria-invalid={isMissing ? 'true' : undefined}
          autofocus={isMissing}
        />{' '}
        {risk === 'http' ? texts.acceptHttp : texts.acceptLookalike}
      </label>
    </div>
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
