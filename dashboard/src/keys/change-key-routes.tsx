import { type Credential, isDisplayName } from '@jobs-delete/accounts/accounts';
import { credentialSubject } from '@jobs-delete/accounts/people/audit-trail';
import { useContext } from 'preact/hooks';
import type { Services } from '../services.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { KeptInput, TextField, formPage, formRoutes } from '../web/form.tsx';
import { shortId } from '../web/marks.tsx';
import { type Notice, withNotice } from '../web/notices.ts';
import { ifFound, type MemberVisit, type Reply, type Route } from '../web/route.ts';
import { formatDistance } from '../web/time.tsx';
import { isNameTyped, TypedName, wasUsedLately } from '../web/typed-name.tsx';
import { keyActionTexts } from './key-action-texts.ts';
import { findKey, isOpen, isValid, listBothKinds } from './key-state.ts';
import { keyTexts } from './key-texts.ts';
import { aboutKey, BackToKey, ifOpen, KeyLink, keyPath } from './key-view.tsx';
import { findIncluded, PairField, pairFields, PairSubmit, partnerFor } from './pair-field.tsx';
import { readWaiting, WaitingDeletions } from './token-use.tsx';

type Needed = Pick<Services, 'accounts' | 'deleter'>;

const pastOf = { pause: 'paused', resume: 'resumed', revoke: 'revoked' } as const;

/**
 * The forms that rename, pause, resume and revoke a key, or it and its partner. A repeated POST changes only what a crash
 * left out.
 */
export function changeKeyRoutes(services: Needed): readonly Route[] {
  const find = (visit: MemberVisit) => findKey(services, visit);
  return [
    ...formRoutes({
      path: '/keys/:kind/:id/rename',
      access: 'manager',
      keeps: ['name', 'old', ...pairFields],
      page: ifOpen(services, (visit, key) => renamePage(services, visit, key, { name: key.name ?? '' })),
      submit: ifOpen(services, (visit, key) => rename(services, visit, key)),
    }),
    ...(['pause', 'resume'] as const).flatMap((action) =>
      formRoutes({
        path: `/keys/:kind/:id/${action}`,
        access: 'manager',
        keeps: pairFields,
        page: ifOpen(services, (visit, key) => confirmPage(services, visit, key, action)),
        submit: ifOpen(services, (visit, key) => pauseOrResume(services, visit, key, action)),
      }),
    ),
    ...formRoutes({
      path: '/keys/:kind/:id/revoke',
      access: 'manager',
      keeps: pairFields,
      page: ifFound(find, (visit, key) => confirmPage(services, visit, key, 'revoke'), 'noKey'),
      submit: ifFound(find, (visit, key) => revoke(services, visit, key), 'noKey'),
    }),
  ];
}

/** The form sends the name that it has shown, so it does not overwrite another rename. */
async function rename(services: Needed, visit: MemberVisit, key: Credential): Promise<Reply> {
  const { accountId, form } = visit;
  const name = (form.get('name') ?? '').trim();
  const seen = (form.get('old') ?? '').slice(0, 200);
  if (!isDisplayName(name))
    return renamePage(services, visit, key, { name: name.slice(0, 200), old: seen, problem: 'name' });
  const from = seen === '' ? undefined : seen;
  const renameOne = async (one: Credential) => {
    const subject = credentialSubject({ id: one.id, name: `${from ?? '–'} → ${name}` });
    const entry = auditEntry(visit, `${one.kind}.renamed`, subject);
    if (name === one.name) return true;
    return (await services.accounts.changeCredential(accountId, one, { from, name }, entry)) === 'changed';
  };
  const renamed = async (): Promise<Reply> => {
    const also = await findIncluded(services.accounts, visit, key);
    const notice = also && (await renameOne(also)) ? 'keys-renamed' : aloneOr(visit, 'key-renamed');
    return { kind: 'redirect', to: withNotice(keyPath(key), notice) };
  };
  if (await renameOne(key)) return renamed();
  const again = ifOpen(services, (_, current) =>
    current.name === name ? renamed() : renamePage(services, visit, current, { name, problem: 'renamed' }),
  );
  return again(visit);
}

interface RenameFields {
  readonly name: string;
  /** The name that the person has seen, if it may be another than the current one. */
  readonly old?: string;
  readonly problem?: 'name' | 'renamed';
}

async function renamePage(
  { accounts }: Needed,
  visit: MemberVisit,
  key: Credential,
  { name, old, problem }: RenameFields,
): Promise<Reply> {
  const { language, nowMs } = visit;
  const all = await listBothKinds(accounts, key.accountId);
  const partner = partnerFor('rename', key, all, nowMs);
  const texts = keyActionTexts[language];
  const problems = {
    name: texts.nameProblem,
    renamed: texts.renamedMeanwhile(key.name ?? keyTexts[language].unnamed),
  };
  return formPage(visit, {
    title: texts.renameTitle[key.kind](key.name ?? shortId(key.id)),
    status: problem === undefined ? 200 : problem === 'renamed' ? 409 : 422,
    action: keyPath(key, 'rename'),
    fields: (
      <>
        <OldName name={old ?? key.name ?? ''} />
        <TextField
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          problem={problem && problems[problem]}
          value={name}
          required
          maxLength={100}
          autocomplete="off"
        />
        <PairField visit={visit} partner={partner} action="rename" />
      </>
    ),
    submit: <PairSubmit {...{ language, partner, alone: texts.renameSubmit }} action="rename" />,
    back: <BackToKey language={language} credential={key} />,
    aside: aboutKey({ language, credential: key, all, nowMs }),
  });
}

function OldName({ name }: { readonly name: string }) {
  return <input type="hidden" name="old" value={useContext(KeptInput).get('old') ?? name} />;
}

async function pauseOrResume(
  services: Needed,
  visit: MemberVisit,
  key: Credential,
  action: 'pause' | 'resume',
): Promise<Reply> {
  const done = pastOf[action];
  const pausedAtMs = action === 'pause' ? visit.nowMs : null;
  const changeOne = async (one: Credential) => {
    const entry = auditEntry(visit, `${one.kind}.${done}`, credentialSubject(one));
    const outcome = await services.accounts.changeCredential(visit.accountId, one, { pausedAtMs }, entry);
    return outcome === 'changed';
  };
  const isKeyChanged = await changeOne(key);
  const also = await findIncluded(services.accounts, visit, key);
  if (also && (await changeOne(also)))
    return { kind: 'redirect', to: withNotice(keyPath(key), `keys-${done}`) };
  if (isKeyChanged) return { kind: 'redirect', to: withNotice(keyPath(key), aloneOr(visit, `key-${done}`)) };
  const already = ifOpen(services, () => ({
    kind: 'redirect',
    to: withNotice(keyPath(key), `key-${done}-already`),
  }));
  return already(visit);
}

/** Keys in use need the key's name typed once. */
async function revoke(services: Needed, visit: MemberVisit, key: Credential): Promise<Reply> {
  const also = await findIncluded(services.accounts, visit, key);
  const keys = also === undefined ? [key] : [key, also];
  if (keys.some((one) => asksForName(one, visit.nowMs)) && !isNameTyped(visit.form, nameOf(key)))
    return confirmPage(services, visit, key, 'revoke', visit.form.get('name'));
  const outcomes = [];
  for (const one of keys) {
    const entry = auditEntry(visit, `${one.kind}.revoked`, credentialSubject(one));
    outcomes.push(await services.accounts.revokeCredential(visit.accountId, one, visit.nowMs, entry));
  }
  const isAlsoRevoked = outcomes[1] === 'revoked';
  const wasRevoked = outcomes[0] === 'already_revoked';
  const alone = wasRevoked ? 'key-revoked-already' : aloneOr(visit, 'key-revoked');
  return { kind: 'redirect', to: withNotice(keyPath(key), isAlsoRevoked ? 'keys-revoked' : alone) };
}

/** Returns the notice of a change of one key. The form may have included a partner that could not be changed. */
function aloneOr({ form }: MemberVisit, notice: Notice): Notice {
  return form.has('also') ? 'only-key-changed' : notice;
}

/** Returns whether programs may still use the key: then a revocation needs its name too. */
function asksForName(key: Credential, nowMs: number): boolean {
  return isValid(key, nowMs) && wasUsedLately(key, nowMs);
}

function nameOf({ name, id }: Credential): string {
  return name ?? id;
}

/**
 * The form of the action, beside the facts of the key. Redirects to the page of the key if it has happened.
 * @param wrongName as `typed` of `TypedName`
 */
async function confirmPage(
  services: Needed,
  visit: MemberVisit,
  key: Credential,
  action: 'pause' | 'resume' | 'revoke',
  wrongName?: string | null,
): Promise<Reply> {
  const { language, nowMs } = visit;
  const texts = keyActionTexts[language];
  const name = key.name ?? shortId(key.id);
  const hasHappened =
    action === 'revoke'
      ? key.revokedAtMs !== undefined
      : (key.pausedAtMs !== undefined) === (action === 'pause');
  if (hasHappened) return { kind: 'redirect', to: withNotice(keyPath(key), `key-${pastOf[action]}-already`) };
  const all = await listBothKinds(services.accounts, key.accountId);
  const mayPause = action === 'revoke' && key.pausedAtMs === undefined && isOpen(key, nowMs);
  const partner = partnerFor(action, key, all, nowMs);
  const token = [key, partner].find((one) => one?.kind === 'token');
  const waiting = token && action !== 'resume' ? await readWaiting(services, token) : undefined;
  const waitingNote = token && waiting !== undefined && waiting.deletions.length > 0 && (
    <WaitingDeletions language={language} token={token} page={waiting} />
  );
  const isInUse = asksForName(key, nowMs);
  const isPartnerInUse = partner !== undefined && asksForName(partner, nowMs);
  const usedAtMs = key.lastUsedAtMs ?? partner?.lastUsedAtMs;
  const inUse = key.lastUsedAtMs === undefined ? texts.otherInUse : texts.inUse;
  return formPage(visit, {
    title: texts[`${action}Title`][key.kind](name),
    status: wrongName === undefined ? 200 : 422,
    action: keyPath(key, action),
    fields: (
      <>
        <p class="warning">
          {action !== 'resume' && usedAtMs !== undefined && (
            <strong>{inUse(formatDistance(usedAtMs - nowMs, language))} </strong>
          )}
          {texts[`${action}Warning`]}
        </p>
        {token === key && waitingNote}
        {mayPause && <p>{texts.pauseHint}</p>}
        <PairField visit={visit} partner={partner} action={action} />
        {token !== key && waitingNote}
        {action === 'revoke' && (isInUse || isPartnerInUse) && (
          <TypedName
            language={language}
            label={texts.name}
            name={nameOf(key)}
            typed={wrongName}
            isOfOther={!isInUse}
          />
        )}
      </>
    ),
    submit: <PairSubmit {...{ language, partner, action, alone: texts[action][key.kind] }} />,
    isDanger: action === 'revoke',
    back: (
      <>
        {mayPause && (
          <KeyLink credential={key} action="pause" text={texts.pauseInstead} class="button quiet" />
        )}
        <BackToKey language={language} credential={key} />
      </>
    ),
    aside: aboutKey({ language, credential: key, all, nowMs }),
  });
}
