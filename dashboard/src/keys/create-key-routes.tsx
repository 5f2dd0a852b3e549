import { type CredentialKind, isDisplayName } from '@jobs-delete/accounts/accounts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { CsrfField, RadioField, SelectField, TextField } from '../web/form.tsx';
import { OnceField, openForm, sentOnce } from '../web/form-once.tsx';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { issueKeys } from './issue-key.ts';
import { expiries, lifetimeOf, type Expiry } from './expiry-warning.tsx';
import { keyActionTexts } from './key-action-texts.ts';
import { choices, isEnded, type Choice } from './key-state.ts';
import { keyTexts } from './key-texts.ts';
import { formExpired, newKeyPage } from './new-key-page.tsx';

const path = '/keys/new';

/** The form that creates a token, a secret key or both, and the page that shows them. */
export function createKeyRoutes(
  services: Pick<Services, 'accounts' | 'keys' | 'pepper' | 'apiUrl' | 'now'>,
): readonly Route[] {
  const { accounts, apiUrl } = services;
  return [
    {
      method: 'GET',
      path,
      access: 'manager',
      recent: true,
      serve: async (visit) => {
        const create = await likelyChoice(services, visit);
        return createPage(visit, { once: openForm(services, visit), create, name: '', expiry: '90' });
      },
    },
    {
      method: 'POST',
      path,
      access: 'manager',
      recent: true,
      keeps: ['create', 'name', 'expiry'],
      serve: async (visit) => {
        const { form } = visit;
        const create = choices.find((each) => each === form.get('create'));
        const name = (form.get('name') ?? '').trim();
        const expiry = expiries.find((each) => each === form.get('expiry'));
        const fields = { once: sentOnce(form), create, name: name.slice(0, 200), expiry };
        if (!isDisplayName(name) || expiry === undefined || create === undefined)
          return createPage(visit, { ...fields, isNameWrong: !isDisplayName(name) });
        const kinds = create === 'both' ? (['token', 'secret-key'] as const) : [create];
        const issuance = await issueKeys(services, visit, { kinds, name, lifetimeMs: lifetimeOf(expiry) });
        if (issuance.kind === 'expired') return formExpired(visit);
        if (issuance.kind === 'too-many') return createPage(visit, { ...fields, tooMany: issuance.of });
        const domains = await accounts.listDomains(visit.accountId);
        return newKeyPage(visit, { keys: issuance.keys, apiUrl, domains });
      },
    },
  ];
}

/** Returns the kind that an account lacks beside the other one. */
async function likelyChoice(
  { accounts }: Pick<Services, 'accounts'>,
  { accountId, nowMs }: MemberVisit,
): Promise<Choice> {
  const has = async (kind: CredentialKind) =>
    (await accounts.listCredentials(kind, accountId)).some((key) => !isEnded(key, nowMs));
  const [hasToken, hasSecretKey] = await Promise.all([has('token'), has('secret-key')]);
  if (hasToken === hasSecretKey) return 'both';
  return hasToken ? 'secret-key' : 'token';
}

interface CreateFields {
  readonly once: string;
  /** Undefined: the value was none of the list. */
  readonly create: Choice | undefined;
  readonly name: string;
  /** Undefined: the value was none of the list. */
  readonly expiry: Expiry | undefined;
  readonly isNameWrong?: boolean;
  readonly tooMany?: CredentialKind;
}

function createPage(
  visit: MemberVisit,
  { once, create, name, expiry, isNameWrong = false, tooMany }: CreateFields,
): Reply {
  const texts = keyActionTexts[visit.language];
  const body = (
    <form method="post" action={accountPath(visit, path)}>
      <CsrfField visit={visit} />
      <OnceField once={once} />
      {tooMany && (
        <p class="problem" role="alert">
          {texts.tooMany[tooMany]}
        </p>
      )}
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
      <SelectField
        name="expiry"
        label={texts.expiry}
        hint={texts.expiryHint}
        problem={expiry === undefined ? texts.expiryProblem : undefined}
        options={expiries.map((value) => ({ value, text: texts.expiries[value] }))}
        value={expiry ?? '90'}
      />
      <p class="actions">
        <button>{texts.createSubmit}</button>
        <a href={accountPath(visit, '/keys')}>{keyTexts[visit.language].back}</a>
      </p>
    </form>
  );
  const isWrong = [create, expiry].includes(undefined) || isNameWrong || tooMany !== undefined;
  return { kind: 'page', status: isWrong ? 422 : 200, title: texts.createTitle, body };
}
