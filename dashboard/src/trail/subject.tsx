import type { Credential } from '@jobs-delete/accounts/accounts';
import { parseDuration } from '@jobs-delete/accounts/credentials/credential';
import { parseCredentialSubject, type AuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import { roles } from '@jobs-delete/accounts/people/people';
import type { ComponentChild } from 'preact';
import { isDeletionId } from '@jobs-delete/proto/ids';
import { jobsText } from '../activity/deletion-facts.tsx';
import { DomainName } from '../domains/domain-name.tsx';
import { keyPath } from '../keys/key-view.tsx';
import { peopleTexts } from '../people/people-texts.ts';
import { accountPath } from '../web/account-path.ts';
import type { Language } from '../web/language.ts';
import { ShortId } from '../web/marks.tsx';
import type { MemberVisit } from '../web/route.ts';
import { formatDuration, Time } from '../web/time.tsx';
import { trailTexts } from './trail-texts.ts';

interface SubjectProps {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language'>;
  readonly entry: Pick<AuditEntry, 'action' | 'subject'>;
  /** The subject of the entry for the other key of a pair, which the row shows too. */
  readonly also?: string | undefined;
  /** The account's keys by their id, with today's names. */
  readonly keys: ReadonlyMap<string, Credential>;
}

/** The subject in the language of the reader, with names beside ids, links to what has a page, and readable times. */
export function Subject({ visit, keys, also, entry: { action, subject = '–' } }: SubjectProps) {
  const { language } = visit;
  if (/^(?:deletion|cancellation)\./.test(action)) {
    const [, id = subject, jobs] = /^(\S+) \((\d{1,12}) jobs?\)$/.exec(subject) ?? [];
    return (
      <>
        {action === 'deletion.refused' ? <ShortId id={id} /> : readableId(id, visit)}
        {jobs !== undefined && ` (${jobsText(Number(jobs), language)})`}
      </>
    );
  }
  if (/^(?:token|secret-key)\./.test(action)) return <KeySubject {...{ subject, also, keys }} />;
  const [, rule] = /^(limit|delay)\./.exec(action) ?? [];
  if (rule !== undefined)
    return <>{wordsOf(subject, (word) => readableRule(word === 'off' ? `${rule} off` : word, language))}</>;
  if (/^(?:person|invitation)\./.test(action)) return <>{withRole(subject, language)}</>;
  if (/^(?:session\.ended|signed-in)$/.test(action))
    return <>{fixedText(subject, language) ?? readableId(subject, visit)}</>;
  if (action.startsWith('domain.')) return <DomainName domain={subject} />;
  return <>{subject}</>;
}

/** The group keeps the spaces among the words. */
function wordsOf(subject: string, read: (word: string) => ComponentChild): ComponentChild[] {
  return subject.split(/( )/).map(read);
}

interface KeySubjectProps extends Pick<SubjectProps, 'keys' | 'also'> {
  readonly subject: string;
}

/** The key's name at the time of the change, or both names of a renaming, and its id. An earlier entry has no name: it shows today's. */
function KeySubject({ subject, also = '', keys }: KeySubjectProps) {
  const parsed = parseCredentialSubject(subject);
  if (parsed === undefined) return <>{subject}</>;
  const { id, oldId } = parsed;
  const name = parsed.name ?? keys.get(id)?.name ?? (oldId && keys.get(oldId)?.name);
  const other = parseCredentialSubject(also);
  const ids = (
    <>
      <KeyIds {...parsed} keys={keys} />
      {other && (
        <>
          , <KeyIds {...other} keys={keys} />
        </>
      )}
    </>
  );
  if (name === undefined) return ids;
  return (
    <>
      {name} ({ids})
    </>
  );
}

interface KeyIdsProps extends Pick<SubjectProps, 'keys'> {
  readonly id: string;
  readonly oldId?: string | undefined;
}

function KeyIds({ id, oldId, keys }: KeyIdsProps) {
  // A rotation links only if both keys are on record.
  const linked = oldId === undefined || (keys.has(oldId) && keys.has(id)) ? keys : new Map();
  return (
    <>
      {oldId !== undefined && (
        <>
          <KeyId id={oldId} keys={linked} /> →{' '}
        </>
      )}
      <KeyId id={id} keys={linked} />
    </>
  );
}

/** The id of a key, which leads to its page. One that is no longer on record has none. */
function KeyId({ id, keys }: { readonly id: string } & Pick<SubjectProps, 'keys'>) {
  const key = keys.get(id);
  if (key === undefined) return <ShortId id={id} />;
  return (
    <a href={keyPath(key)}>
      <ShortId id={id} />
    </a>
  );
}

/** The id of a deletion, which leads to its page, or of a session. */
function readableId(text: string, visit: SubjectProps['visit']) {
  if (isDeletionId(text))
    return (
      <a href={accountPath(visit, `/activity/${text}`)}>
        <ShortId id={text} />
      </a>
    );
  return /^[0-9a-f]{24}$/.test(text) ? <ShortId id={text} /> : text;
}

/** A limit such as `5000` jobs or `20%` of them, a delay such as `24h`, a time, or a word between them. */
function readableRule(word: string, language: Language) {
  const [, digits, percent] = /^(\d{1,12})(%?)$/.exec(word) ?? [];
  if (digits !== undefined)
    return percent === '%'
      ? new Intl.NumberFormat(language, { style: 'percent' }).format(Number(digits) / 100)
      : jobsText(Number(digits), language);
  const durationMs = parseDuration(word);
  if (durationMs !== undefined) return formatDuration(durationMs, language);
  const ms = /^\d{4}-\d\d-\d\dT/.test(word) ? Date.parse(word) : NaN;
  return Number.isNaN(ms) ? (fixedText(word, language) ?? word) : <Time ms={ms} language={language} />;
}

const roleSubject = new RegExp(`^(.*): (?:(${roles.join('|')}) → )?(${roles.join('|')})$`);

function withRole(subject: string, language: Language): string {
  const [, email, was, is] = roleSubject.exec(subject) ?? [];
  if (email === undefined) return subject;
  const texts = peopleTexts[language].roles;
  const names = [was, is].flatMap((text) => roles.filter((role) => role === text).map((role) => texts[role]));
  return `${email} (${names.join(' → ')})`;
}

/** Returns the translation of a text that is the same in every trail. */
function fixedText(text: string, language: Language): string | undefined {
  const { fixed } = trailTexts[language];
  return Object.hasOwn(fixed, text) ? fixed[text as keyof typeof fixed] : undefined;
}
