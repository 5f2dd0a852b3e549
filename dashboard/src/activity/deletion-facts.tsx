import type { Deletion } from '../deleter/deletion.ts';
import { accountPath } from '../web/account-path.ts';
import type { Language } from '../web/language.ts';
import { formatDuration, Time } from '../web/time.tsx';
import { StateBadge } from './state-badge.tsx';
import { deletionTexts } from './deletion-texts.ts';

export interface DeletionProps {
  readonly language: Language;
  readonly deletion: Deletion;
}

export interface LifeProps extends DeletionProps {
  /** Shows the way to cancel a deletion that waits. */
  readonly mayCancel: boolean;
}

/** How far a deletion is. The page replaces it at each event. Only an unfinished one has `data-unfinished`. */
export function Life({ language, deletion, mayCancel }: LifeProps) {
  const texts = deletionTexts[language];
  const { id, state, jobCount, keptJobCount, acceptedAtMs, publishedAtMs, completedAtMs } = deletion;
  const format = new Intl.NumberFormat(language);
  const time = (ms: number | undefined, absent: string) =>
    ms === undefined ? absent : <Time ms={ms} language={language} withSeconds />;
  const { removalAtMs, cancelledAtMs } = deletion;
  const isCompleted = state === 'completed';
  return (
    <>
      <dl>
        <dt>{texts.state}</dt>
        <dd>
          <StateBadge language={language} state={state} />
        </dd>
        <dt>{texts.jobs}</dt>
        <dd>{format.format(jobCount)}</dd>
        {keptJobCount > 0 && (
          <>
            <dt>{texts.kept}</dt>
            <dd>
              {format.format(keptJobCount)} ({texts.keptHint})
            </dd>
          </>
        )}
        <dt>{texts.accepted}</dt>
        <dd>{time(acceptedAtMs, '')}</dd>
        {removalAtMs !== undefined && (
          <>
            <dt>{texts.removal}</dt>
            <dd>{time(removalAtMs, '')}</dd>
          </>
        )}
        {cancelledAtMs === undefined ? (
          <>
            {(publishedAtMs !== undefined || !isCompleted) && (
              <>
                <dt>{texts.published}</dt>
                <dd>{time(publishedAtMs, texts.notYet)}</dd>
              </>
            )}
            <dt>{texts.completed}</dt>
            <dd>{time(completedAtMs, texts.notYet)}</dd>
          </>
        ) : (
          <>
            <dt>{texts.cancelled}</dt>
            <dd>
              {time(cancelledAtMs, '')} ({texts.noneDeleted})
            </dd>
          </>
        )}
        {completedAtMs !== undefined && (
          <>
            <dt>{texts.duration}</dt>
            <dd>{formatDuration(completedAtMs - (removalAtMs ?? acceptedAtMs), language)}</dd>
          </>
        )}
      </dl>
      {mayCancel && state === 'waiting' && (
        <p>
          <a class="button" href={accountPath(deletion, `/activity/${id}/cancel`)}>
            {texts.cancel}
          </a>
        </p>
      )}
      {!isCompleted && state !== 'cancelled' && (
        <p data-unfinished="">
          {texts.live} <a href={accountPath(deletion, `/activity/${id}`)}>{texts.reload}</a>
        </p>
      )}
    </>
  );
}

export interface RequestFactsProps extends DeletionProps {
  readonly tokenNames: ReadonlyMap<string, string>;
}

/** Who asked for a deletion. */
export function RequestFacts({ language, deletion, tokenNames }: RequestFactsProps) {
  const texts = deletionTexts[language];
  const { tokenId, webOrigin, userAgent, clientTechnology, requestId, ...origin } = deletion.origin;
  const name = tokenNames.get(tokenId);
  const facts = [
    [texts.token, name === undefined ? tokenId : `${name} (${tokenId})`],
    [texts.origin, webOrigin],
    [texts.client, userAgent.slice(0, 1_000)],
    [texts.technology, clientTechnology],
    [texts.language, origin.language],
    [texts.requestId, requestId],
  ];
  return (
    <dl>
      {facts.map(([term, fact]) => (
        <>
          <dt>{term}</dt>
          <dd>{fact === '' ? texts.unknown : fact}</dd>
        </>
      ))}
    </dl>
  );
}
