import { parseDuration } from '@jobs-delete/accounts/credentials/credential';
import type { AuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import { roles } from '@jobs-delete/accounts/people/people';
import type { ComponentChild } from 'preact';
import { isDeletionId } from '@jobs-delete/proto/ids';
import { jobsText } from '../activity/deletion-facts.tsx';
import { peopleTexts } from '../people/people-texts.ts';
import { accountPath } from '../web/account-path.ts';
import type { Language } from '../web/language.ts';
import { ShortId } from '../web/marks.tsx';
import type { MemberVisit } from '../web/route.ts';
import { formatDuration, Time } from '../web/time.tsx';
import { trailTexts } from './trail-texts.ts';

export interface SubjectProps {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language'>;
  readonly entry: Pick<AuditEntry, 'action' | 'subject'>;
  /** Today's names of the account's keys by their id. */
  readonly names: ReadonlyMap<string, string>;
}

/** The subject in the language of the reader, with today's names beside ids, links to deletions, and readable times. */
export function Subject({ visit, names, entry: { action, subject = '–' } }: SubjectProps) {
  const { language } = visit;
  if (action.endsWith('.rotated')) return <Rotation subject={subject} names={names} />;
  if (/^(?:token|secret-key|deletion|cancellation)\./.test(action)) {
    // The subject of a renaming has both names already.
    const added = action.endsWith('.renamed') ? undefined : names;
    return <>{wordsOf(subject, (word) => readableId(word, visit, added))}</>;
  }
  const [, rule] = /^(limit|delay)\./.exec(action) ?? [];
  if (rule !== undefined)
    return <>{wordsOf(subject, (word) => readableRule(word === 'off' ? `${rule} off` : word, language))}</>;
  if (/^(?:person|invitation)\./.test(action)) return <>{withRole(subject, language)}</>;
  if (/^(?:session\.ended|signed-in)$/.test(action))
    return <>{fixedText(subject, language) ?? readableId(subject, visit, names)}</>;
  return <>{subject}</>;
}

/** The group keeps the spaces among the words. */
function wordsOf(subject: string, read: (word: string) => ComponentChild): ComponentChild[] {
  return subject.split(/( )/).map(read);
}

/** Both keys have one name, so their ids tell them apart. */
function Rotation({ subject, names }: { readonly subject: string } & Pick<SubjectProps, 'names'>) {
  const [from = '', to = ''] = subject.split(' → ');
  const name = names.get(to) ?? names.get(from);
  return (
    <>
      {name !== undefined && `${name}: `}
      <ShortId id={from} /> → <ShortId id={to} />
    </>
  );
}

function readableId(word: string, visit: SubjectProps['visit'], names?: SubjectProps['names']) {
  const name = names?.get(word);
  if (name !== undefined)
    return (
      <>
        {name} (<ShortId id={word} />)
      </>
    );
  if (isDeletionId(word))
    return (
      <a href={accountPath(visit, `/activity/${word}`)}>
        <ShortId id={word} />
      </a>
    );
  return /^[0-9a-f]{24}$/.test(word) ? <ShortId id={word} /> : word;
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
