import {
  type Credential,
  type CredentialKind,
  type Environment,
  environments,
  isDisplayName,
} from '@jobs-delete/accounts/accounts';
import { findSomeJobs } from '../deleter/answer-to.ts';
import type { Services } from '../services.ts';
import { originsOf } from '../web/docs-url.ts';
import { accountPath, queryOf } from '../web/account-path.ts';
import { whatNext } from '../web/aside.tsx';
import { RadioField, SelectField, TextField, formPage, formRoutes } from '../web/form.tsx';
import { OnceField, openForm, sentOnce } from '../web/form-once.tsx';
import { ShortId, shortId } from '../web/marks.tsx';
import { withNotice } from '../web/notices.ts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { findIssuedKeys, type Issuance, issueKeys, problemOf } from './issue-key.ts';
import { keyActionTexts } from './key-action-texts.ts';
import { isOpen, isValid, kinds, listBothKinds, partnerOf } from './key-state.ts';
import { keyTexts } from './key-texts.ts';
import { keyUseTexts } from './key-use-texts.ts';
import { aboutKey, BackToKey, ifOpen, keyPath } from './key-view.tsx';
import { Lifetimes } from './lifetimes.tsx';
import { newKeyPage } from './new-key-page.tsx';
import { findIncluded, PairField, pairFields, PairSubmit } from './pair-field.tsx';
import { dayMs } from '../web/time.tsx';

type Needed = Pick<Services, 'accounts' | 'deleter' | 'keys' | 'pepper' | 'apiUrl' | 'now'>;

const path = '/keys/new';
const issuedPath = '/keys/issued';

const choices = ['both', 'token', 'secret-key'] as const;
type Choice = (typeof choices)[number];

/** In days. */
const expiries = ['30', '90', '180', '365', 'never'] as const;
type Expiry = (typeof expiries)[number];

/** The form that creates a token, a secret key or both, and the page that shows new keys, also those of a rotation. */
export function createKeyRoutes(services: Needed): readonly Route[] {
  const formOfKeys = formRoutes({
    path,
    access: 'manager',
    keeps: ['create', 'name', 'expiry', 'environment'],
    page: async (visit) => {
      const create = await likelyChoice(services, visit);
      const once = openForm(services, visit);
      return createPage(visit, { once, create, name: '', environment: 'live', expiry: '90' });
    },
    submit: async (visit) => {
      const { form } = visit;
      const create = choices.find((each) => each === form.get('create'));
      const name = (form.get('name') ?? '').trim();
      const expiry = expiries.find((each) => each === form.get('expiry'));
      const environment = environments.find((each) => each === form.get('environment'));
      const fields = { once: sentOnce(form), create, name: name.slice(0, 200), environment, expiry };
      if (!isDisplayName(name) || !create || !environment || !expiry)
        return createPage(visit, { ...fields, isNameWrong: !isDisplayName(name) });
      const lifetimeMs = expiry === 'never' ? undefined : Number(expiry) * dayMs;
      const request = {
        kinds: create === 'both' ? kinds : [create],
        name,
        lifetimeMs,
        environment: environment === 'sandbox' ? environment : undefined,
      };
      const issuance = await issueKeys(services, visit, request);
      const problem = problemOf(visit.language, issuance);
      return issuance.kind === 'issued'
        ? toIssued(visit)
        : createPage(visit, { ...fields, once: onceAfter(services, visit, issuance), problem });
    },
  });
  const serve = (visit: MemberVisit) => issuedPage(services, visit);
  return [...formOfKeys, { method: 'GET', path: issuedPath, access: 'manager', serve }];
}

/** Rotates a key, and its partner if the form says so. The old keys stay valid until they are revoked. */
export function rotateKeyRoutes(services: Needed): readonly Route[] {
  const ifValid = (serve: (visit: MemberVisit, key: Credential) => Reply | Promise<Reply>) =>
    ifOpen(services, (visit, key) =>
      // A stale page may offer it for a paused key.
      isValid(key, visit.nowMs)
        ? serve(visit, key)
        : { kind: 'redirect', to: withNotice(keyPath(key), 'key-paused-already') },
    );
  return formRoutes({
    path: '/keys/:kind/:id/rotate',
    access: 'manager',
    keeps: pairFields,
    page: ifValid((visit, old) => rotatePage(services, visit, old, { once: openForm(services, visit) })),
    submit: ifValid(async (visit, old) => {
      const partner = await findIncluded(services.accounts, visit, old);
      const isIncluded = partner !== undefined && hindranceOf(old, partner) === undefined;
      const olds = isIncluded ? pairOf(old, partner) : [old];
      const { name, environment } = old;
      const kept = { name, environment, lifetimeMs: lifetimeOf(old) };
      const request = { ...kept, kinds: olds.map(({ kind }) => kind), olds };
      const issuance = await issueKeys(services, visit, request);
      const problem = problemOf(visit.language, issuance);
      return issuance.kind === 'issued'
        ? toIssued(visit)
        : rotatePage(services, visit, old, { once: onceAfter(services, visit, issuance), problem });
    }),
  });
}

function toIssued(visit: MemberVisit): Reply {
  const query = queryOf({ once: sentOnce(visit.form) });
  return { kind: 'redirect', to: accountPath(visit, `${issuedPath}${query}`) };
}

/** Returns the token first, as a form that creates both. */
function pairOf(one: Credential, other: Credential): readonly Credential[] {
  return one.kind === 'token' ? [one, other] : [other, one];
}

/** Returns undefined for a key that never expires. */
function lifetimeOf({ expiresAtMs, createdAtMs }: Credential): number | undefined {
  return expiresAtMs === undefined ? undefined : expiresAtMs - createdAtMs;
}

/** Keys of one form are created some milliseconds apart. */
function lastsAsLong(one: Credential, other: Credential): boolean {
  const [first = Infinity, second = Infinity] = [lifetimeOf(one), lifetimeOf(other)];
  return first === second || Math.abs(first - second) < dayMs / 24;
}

/** Returns why a rotation leaves out the open partner of a key. */
function hindranceOf(old: Credential, partner: Credential): 'paused' | 'lifetime' | undefined {
  if (partner.pausedAtMs !== undefined) return 'paused';
  return lastsAsLong(old, partner) ? undefined : 'lifetime';
}

/** Returns the field `once` of a form that is shown again: its own, so that it still creates one key, unless it has expired. */
function onceAfter(services: Needed, visit: MemberVisit, { kind }: Issuance): string {
  return kind === 'expired' ? openForm(services, visit) : sentOnce(visit.form);
}

/**
 * Shows what a form has created. A page of its own: a reload and Back of the browser send nothing again. It asks for no recent sign-in:
 * that would begin another session, which cannot draw the secrets.
 */
async function issuedPage({ accounts, deleter, apiUrl, keys }: Needed, visit: MemberVisit): Promise<Reply> {
  const { accountId } = visit;
  const issued = await findIssuedKeys({ accounts, keys }, visit);
  if (issued.length === 0) return { kind: 'redirect', to: accountPath(visit, '/keys') };
  const [uses, jobs, alike, olds] = await Promise.all([
    accounts.listDomainUses(accountId),
    findSomeJobs(deleter, accountId),
    Promise.all(issued.map(({ credential }) => isNamedAlike(accounts, visit, credential))),
    Promise.all(
      issued.map(async ({ credential: { kind, replacesId } }) =>
        replacesId === undefined ? undefined : accounts.findCredential({ kind, id: replacesId }),
      ),
    ),
  ]);
  const [origin] = originsOf(uses);
  return newKeyPage(visit, {
    keys: issued,
    apiUrl,
    origin,
    jobId: jobs?.jobIds[0],
    olds: olds.flatMap((old) => (old && isOpen(old, visit.nowMs) ? old : [])),
    isNamedAlike: alike.includes(true),
  });
}

/** Returns whether another valid key of the kind has the name of this one. */
async function isNamedAlike(
  accounts: Needed['accounts'],
  { accountId, nowMs }: MemberVisit,
  { kind, id, name, replacesId }: Credential,
): Promise<boolean> {
  // A rotation keeps the name.
  if (replacesId !== undefined) return false;
  const keys = await accounts.listCredentials(kind, accountId);
  return keys.some((key) => key.id !== id && key.name === name && isValid(key, nowMs));
}

/** Returns the kind that an account lacks beside the other one, for live requests. */
async function likelyChoice({ accounts }: Needed, { accountId, nowMs }: MemberVisit): Promise<Choice> {
  const has = async (kind: CredentialKind) =>
    (await accounts.listCredentials(kind, accountId)).some(
      (key) => isOpen(key, nowMs) && key.environment === undefined,
    );
  const [hasToken, hasSecretKey] = await Promise.all([has('token'), has('secret-key')]);
  if (hasToken === hasSecretKey) return 'both';
  return hasToken ? 'secret-key' : 'token';
}

interface CreateFields {
  readonly once: string;
  readonly name: string;
  /** Undefined, as the next two: the value was none of the list. */
  readonly create: Choice | undefined;
  readonly environment: Environment | undefined;
  readonly expiry: Expiry | undefined;
  readonly isNameWrong?: boolean;
  /** The keys can't be created. */
  readonly problem?: string | undefined;
}

function createPage(
  visit: MemberVisit,
  { once, create, name, environment, expiry, isNameWrong = false, problem }: CreateFields,
): Reply {
  const { language } = visit;
  const texts = keyActionTexts[language];
  const isWrong = [create, environment, expiry].includes(undefined) || isNameWrong || problem !== undefined;
  return formPage(visit, {
    title: texts.createTitle,
    status: isWrong ? 422 : 200,
    problem,
    action: accountPath(visit, path),
    fields: (
      <>
        <OnceField once={once} />
        <RadioField
          name="create"
          label={texts.choice}
          problem={create === undefined ? texts.choiceProblem : undefined}
          options={choices.map((value) => ({ value, text: texts.choices[value] }))}
          value={create ?? 'both'}
        />
        <TextField
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          problem={isNameWrong ? texts.nameProblem : undefined}
          value={name}
          required
          maxLength={100}
          autocomplete="off"
        />
        <RadioField
          name="environment"
          label={keyUseTexts[language].environment}
          problem={environment === undefined ? keyUseTexts[language].environmentProblem : undefined}
          options={environments.map((value) => ({ value, text: keyUseTexts[language].environments[value] }))}
          value={environment ?? 'live'}
        />
        <SelectField
          name="expiry"
          label={texts.expiry}
          hint={texts.expiryHint}
          problem={expiry === undefined ? texts.expiryProblem : undefined}
          options={expiries.map((value) => ({ value, text: texts.expiries[value] }))}
          value={expiry ?? '90'}
        />
      </>
    ),
    submit: texts.createSubmit,
    back: <a href={accountPath(visit, '/keys')}>{keyTexts[language].back}</a>,
    aside: whatNext(language, keyTexts[language].next),
  });
}

async function rotatePage(
  { accounts }: Needed,
  visit: MemberVisit,
  old: Credential,
  { once, problem }: Pick<CreateFields, 'once' | 'problem'>,
): Promise<Reply> {
  const { language, nowMs } = visit;
  const texts = keyActionTexts[language];
  const all = await listBothKinds(accounts, old.accountId);
  const lifetimeMs = lifetimeOf(old);
  const partner = partnerOf(old, all, nowMs);
  const hindrance = partner && hindranceOf(old, partner);
  const offered = hindrance === undefined ? partner : undefined;
  return formPage(visit, {
    title: texts.rotateTitle[old.kind](old.name ?? shortId(old.id)),
    status: problem === undefined ? 200 : 422,
    problem,
    action: keyPath(old, 'rotate'),
    fields: (
      <>
        <OnceField once={once} />
        <Lifetimes visit={visit} old={old} newUntilMs={lifetimeMs && nowMs + lifetimeMs} />
        {partner && hindrance && (
          <p class="warning">
            {keyTexts[language].leftOut[partner.kind][hindrance]}{' '}
            <a href={keyPath(partner)}>
              <ShortId id={partner.id} />
            </a>
          </p>
        )}
        <PairField visit={visit} partner={offered} action="rotate" />
      </>
    ),
    submit: <PairSubmit {...{ language, partner: offered, alone: texts.submit[old.kind] }} action="rotate" />,
    back: <BackToKey language={language} credential={old} />,
    aside: aboutKey({ language, credential: old, all, nowMs }),
  });
}
