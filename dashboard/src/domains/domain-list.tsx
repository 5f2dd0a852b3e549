import type { DomainUse } from '@jobs-delete/accounts/accounts';
import { type AllowedDomain, parseAllowedDomain } from '@jobs-delete/accounts/origins/allowed-domain';
import { accountPath } from '../web/account-path.ts';
import type { MemberVisit } from '../web/route.ts';
import { Blank, Table } from '../web/table.tsx';
import { Time } from '../web/time.tsx';
import { domainTexts } from './domain-texts.ts';
import { lookalikeOf, suspicionOf } from './suspicion.ts';

export interface DomainListProps {
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

export interface DomainWarningsProps {
  readonly domain: AllowedDomain;
  readonly texts: typeof domainTexts.en;
}

/** Says why a domain may let outsiders in. */
export function DomainWarnings({ domain, texts }: DomainWarningsProps) {
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
