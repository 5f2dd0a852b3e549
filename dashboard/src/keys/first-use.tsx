import type { Credential } from '@jobs-delete/accounts/accounts';
import type { Services } from '../services.ts';
import { findSomeJobs } from '../deleter/answer-to.ts';
import { accountPath } from '../web/account-path.ts';
import { Copyable } from '../web/copyable.tsx';
import { originsOf } from '../web/docs-url.ts';
import { FactGrid } from '../web/facts.tsx';
import { ShortId } from '../web/marks.tsx';
import type { MemberVisit } from '../web/route.ts';
import { keyActionTexts } from './key-action-texts.ts';
import { examplesOf } from './key-examples.ts';
import { keyTexts } from './key-texts.ts';
import { keyUseTexts } from './key-use-texts.ts';
import { keyPath } from './key-view.tsx';

interface FirstUseProps {
  readonly visit: MemberVisit;
  readonly credential: Credential;
  readonly partner: Credential | undefined;
  readonly apiUrl: string;
  /** Origins that the account allows, the first one for the example. */
  readonly origins: readonly string[];
  /** A job of the account. Undefined: none is known. */
  readonly jobId: string | undefined;
}

/** Resolves to what a new key can do, and how to try it. */
export async function readFirstUse(
  { accounts, deleter, apiUrl }: Pick<Services, 'accounts' | 'deleter' | 'apiUrl'>,
  fields: Pick<FirstUseProps, 'visit' | 'credential' | 'partner'>,
): Promise<FirstUseProps> {
  const { accountId } = fields.visit;
  const [uses, jobs] = await Promise.all([
    accounts.listDomainUses(accountId),
    findSomeJobs(deleter, accountId),
  ]);
  return { ...fields, apiUrl, origins: originsOf(uses), jobId: jobs?.jobIds[0] };
}

export function FirstUse({ visit, credential, partner, apiUrl, origins, jobId }: FirstUseProps) {
  const { kind, environment } = credential;
  const isLive = environment === undefined;
  const { language } = visit;
  const texts = keyUseTexts[language];
  const [first, ...others] = origins;
  const [command] = examplesOf({ secrets: {}, apiUrl, origin: first, jobId, language });
  return (
    <section class="card first-use">
      <h2>{texts.unused}</h2>
      {isLive && <p>{texts.willHave[kind]}</p>}
      <FactGrid
        facts={[
          [texts.deletes, isLive ? texts.anyJob : texts.nothing],
          [
            texts.goesWith,
            partner ? (
              <a href={keyPath(partner)}>
                {keyTexts[language].kindOf[partner.kind]} <ShortId id={partner.id} />
              </a>
            ) : (
              texts.anyOther[kind]
            ),
          ],
          [
            texts.worksFrom,
            <a href={accountPath(visit, '/domains')}>
              {first === undefined
                ? texts.nowhere
                : `${first}${others.length === 0 ? '' : ` +${String(others.length)}`}`}
            </a>,
            true,
          ],
        ]}
      />
      <h3>{texts.tryItHeading}</h3>
      <p>{texts.tryIt}</p>
      <p class="actions">
        <a class="button" href={accountPath(visit, '/sandbox')}>
          {texts.toSandbox}
        </a>
      </p>
      {command && (
        <>
          <p>{texts.orRun}</p>
          <Copyable
            id="command"
            text={command.text}
            button={keyActionTexts[language].copy.command}
            language={language}
          />
        </>
      )}
    </section>
  );
}
