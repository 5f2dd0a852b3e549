import { findTitles } from '../deleter/answer-to.ts';
import type { JobTitles } from '../deleter/deleter-calls.ts';
import { isFinal, type Deletion } from '../deleter/deletion.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { JobIds } from '../web/marks.tsx';
import type { Language } from '../web/language.ts';
import { ifFound, includesRole, type MemberVisit, type Reply, type Route } from '../web/route.ts';
import { DeletionHead, Life, Outcome, RequestFacts, titleOf } from './deletion-facts.tsx';
import { deletionTexts } from './deletion-texts.ts';
import { findTokenNames, type TokenNames } from '../keys/key-state.ts';

/** How many ids are shown of those that do not fit. Only the file has the others. */
const firstIds = 50;
/** The most bytes of ids in the page, which has at most 80 kB. */
const maxIdBytes = 65_000;
const idsPerChunk = 1_000;

/** The page of a deletion, and its ids as a text file. */
export function deletionRoutes({
  accounts,
  deleter,
  publicUrl,
}: Pick<Services, 'accounts' | 'deleter' | 'publicUrl'>): readonly Route[] {
  const findWithIds = async ({ accountId, params }: MemberVisit) => {
    const { id = '' } = params;
    return deleter.getDeletion(accountId, id, { includeJobIds: true });
  };
  return [
    {
      method: 'GET',
      path: '/activity/:id',
      access: 'viewer',
      serve: async (visit) => {
        const deletion = await findWithIds(visit);
        // The trail also leads to deletions that were refused.
        if (deletion === undefined) return { kind: 'not-found', problem: 'noDeletion' };
        const { accountId } = deletion;
        const [names, titles] = await Promise.all([
          findTokenNames(accounts, deletion),
          // The titles go with the jobs. Those of a cancelled deletion stay.
          deletion.state === 'completed' ? new Map() : findTitles(deleter, accountId, shownOf(deletion)),
        ]);
        return deletionPage(visit, deletion, { ...names, titles, publicUrl });
      },
    },
    {
      method: 'GET',
      path: '/activity/:id/ids.txt',
      access: 'viewer',
      serve: ifFound(findWithIds, (_visit, { id, jobIds = [] }) => ({
        kind: 'file',
        name: `deletion-${id}.txt`,
        chunks: linesOf(jobIds),
      })),
    },
  ];
}

function deletionPage(
  { language, role, zone, nowMs, notice }: MemberVisit,
  deletion: Deletion,
  { titles, publicUrl, ...names }: TokenNames & { readonly titles: JobTitles; readonly publicUrl: string },
): Reply {
  const texts = deletionTexts[language];
  const events = isFinal(deletion) ? undefined : accountPath(deletion, `/activity/${deletion.id}/events`);
  const outcome = <Outcome {...{ language, deletion }} />;
  const isAnswer = notice?.name === 'deletion-accepted';
  const body = (
    <>
      {/* The notice of a cancellation says it too. */}
      {!isAnswer && !notice?.name.startsWith('deletion-cancelled') && <p>{outcome}</p>}
      <p class="on-paper">{publicUrl + accountPath(deletion, `/activity/${deletion.id}`)}</p>
      <div class="sides">
        <section>
          <h2 id="life-heading">{texts.life}</h2>
          <div
            id="life"
            class="card"
            role="region"
            aria-labelledby="life-heading"
            aria-live="polite"
            data-events={events}
          >
            <Life {...{ language, deletion, nowMs, ...names }} />
          </div>
        </section>
        <IdSection {...{ language, deletion, titles }} />
        <section class="card beside">
          <h2>{texts.request}</h2>
          <RequestFacts language={language} deletion={deletion} tokenName={names.tokenName} />
        </section>
      </div>
    </>
  );
  const action = <DeletionHead {...{ language, deletion }} mayCancel={includesRole(role, 'manager')} />;
  return {
    kind: 'page',
    title: titleOf(deletion, { language, zone }),
    notice: isAnswer ? outcome : undefined,
    action,
    body,
  };
}

interface IdSectionProps {
  readonly language: Language;
  readonly deletion: Deletion;
  readonly titles: JobTitles;
}

function IdSection({ language, deletion, titles }: IdSectionProps) {
  const texts = deletionTexts[language];
  const { id, accountId, jobIds = [] } = deletion;
  const { format } = new Intl.NumberFormat(language);
  const shown = shownOf(deletion, titles);
  return (
    <section>
      <div class="heading">
        <h2>{texts.ids}</h2>
        <a href={accountPath(deletion, `/activity/${id}/ids.txt`)}>{texts.download}</a>
      </div>
      {deletion.state === 'completed' && <p class="muted">{texts.withoutTitles}</p>}
      {shown.length < jobIds.length && (
        <p class="muted">{texts.firstIds(format(shown.length), format(jobIds.length))}</p>
      )}
      <JobIds {...{ language, accountId, titles }} jobIds={shown} />
    </section>
  );
}

/** Returns all ids if they fit with these titles, otherwise the first. */
function shownOf(deletion: Deletion, titles: JobTitles = new Map()): readonly string[] {
  const { jobIds = [] } = deletion;
  return bytesOf(deletion, titles) <= maxIdBytes ? jobIds : jobIds.slice(0, firstIds);
}

/** Returns the approximate size of all ids with their links and titles. */
function bytesOf({ accountId, jobIds = [] }: Deletion, titles: JobTitles): number {
  const ofIds = jobIds.reduce((sum, jobId) => sum + 50 + accountId.length + 2 * jobId.length, 0);
  return [...titles.values()].reduce((sum, title) => sum + 35 + 2 * Buffer.byteLength(title), ofIds);
}

async function* linesOf(jobIds: readonly string[]): AsyncGenerator<string> {
  for (let first = 0; first < jobIds.length; first += idsPerChunk)
    yield await Promise.resolve(`${jobIds.slice(first, first + idsPerChunk).join('\n')}\n`);
}
