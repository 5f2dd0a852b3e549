import { domainToUnicode } from 'node:url';
import type { Credential } from '@jobs-delete/accounts/accounts';
import { parseDuration } from '@jobs-delete/accounts/credentials/credential';
import type { AuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import { roles } from '@jobs-delete/accounts/people/people';
import type { ComponentChild } from 'preact';
import { isDeletionId } from '@jobs-delete/proto/ids';
import { jobsText } from '../activity/deletion-facts.tsx';
import { Spellings } from '../domains/domain-view.tsx';
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
  /** The account's keys by their id, with today's names. */
  readonly keys: ReadonlyMap<string, Credential>;
}

/** The subject in the language of the reader, with today's names beside ids, links to what has a page, and readable times. */
export function Subject({ visit, keys, entry: { action, subject = '–' } }: SubjectProps) {
  const { language } = visit;
  const [, deletionId, jobs] = /^(\S+) \((\d{1,12}) jobs?\)$/.exec(subject) ?? [];
  if (deletionId !== undefined && /^(?:deletion|cancellation)\./.test(action))
    return (
      <>
        {readableId(deletionId, { visit, keys, isNamed: false })} ({jobsText(Number(jobs), language)})
      </>
    );
  if (action.endsWith('.rotated')) return <Rotation subject={subject} keys={keys} />;
  if (/^(?:token|secret-key|deletion|cancellation)\./.test(action)) {
    // The subject of a renaming has both names already.
    const isNamed = !action.endsWith('.renamed');
    return <>{wordsOf(subject, (word) => readableId(word, { visit, keys, isNamed }))}</>;
  }
  const [, rule] = /^(limit|delay)\./.exec(action) ?? [];
  if (rule !== undefined)
    return <>{wordsOf(subject, (word) => readableRule(word === 'off' ? `${rule} off` : word, language))}</>;
  if (/^(?:person|invitation)\./.test(action)) return <>{withRole(subject, language)}</>;
  if (/^(?:session\.ended|signed-in)$/.test(action))
    return <>{fixedText(subject, language) ?? readableId(subject, { visit, keys, isNamed: true })}</>;
  if (action.startsWith('domain.')) return <DomainEntry text={subject} />;
  return <>{subject}</>;
}

/** An entry of the list of domains. One with letters beyond ASCII has both spellings. */
function DomainEntry({ text }: { readonly text: string }) {
  const unicode = text.replace(/xn--[a-z0-9-]+/g, (label) => domainToUnicode(label) || label);
  return unicode === text ? <>{text}</> : <Spellings unicode={unicode} ascii={text} />;
}

/** The group keeps the spaces among the words. */
function wordsOf(subject: string, read: (word: string) => ComponentChild): ComponentChild[] {
  return subject.split(/( )/).map(read);
}

/** Both keys have one name, so their ids tell them apart. They are links only if both keys are on record. */
function Rotation({ subject, keys }: { readonly subject: string } & Pick<SubjectProps, 'keys'>) {
  const [from = '', to = ''] = subject.split(' → ');
  const name = keys.get(to)?.name ?? keys.get(from)?.name;
  const linked = keys.has(from) && keys.has(to) ? keys : new Map<string, Credential>();
  return (
    <>
      {name !== undefined && `${name}: `}
      <KeyId id={from} keys={linked} /> → <KeyId id={to} keys={linked} />
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

interface WordContext extends Pick<SubjectProps, 'visit' | 'keys'> {
  /** Puts the name of a key before its id. */
  readonly isNamed: boolean;
}

function readableId(word: string, { visit, keys, isNamed }: WordContext) {
  const name = isNamed ? keys.get(word)?.name : undefined;
  if (name !== undefined)
    return (
      <>
        {name} (<KeyId id={word} keys={keys} />)
      </>
    );
  if (isDeletionId(word))
    return (
      <a href={accountPath(visit, `/activity/${word}`)}>
        <ShortId id={word} />
      </a>
    );
  return keys.has(word) || /^[0-9a-f]{24}$/.test(word) ? <KeyId id={word} keys={keys} /> : word;
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

function withRole(subject: string, language: Language): string {
  const role = roles.find((each) => subject.endsWith(`: ${each}`));
  if (role === undefined) return subject;
  return `${subject.slice(0, -role.length - 2)} (${peopleTexts[language].roles[role]})`;
}

/** Returns the translation of a text that is the same in every trail. */
function fixedText(text: string, language: Language): string | undefined {
  const { fixed } = trailTexts[language];
  return Object.hasOwn(fixed, text) ? fixed[text as keyof typeof fixed] : undefined;
}
