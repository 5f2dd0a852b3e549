import { type CredentialKind, isDisplayName } from '@jobs-delete/accounts/accounts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { CsrfField, SelectField, TextField } from '../web/form.tsx';
import { OnceField, openForm, sentOnce } from '../web/form-once.tsx';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { issueKey } from './issue-key.ts';
import { expiries, lifetimeOf, type Expiry } from './expiry-warning.tsx';
import { keyActionTexts } from './key-action-texts.ts';
import { readKind } from './key-state.ts';
import { formExpired, newKeyPage } from './new-key-page.tsx';

const path = '/keys/:kind/new';

/** The form that creates a key, and the page that shows it. */
export function createKeyRoutes(
  services: Pick<Services, 'accounts' | 'keys' | 'pepper' | 'apiUrl' | 'now'>,
): readonly Route[] {
  return [
    {
      method: 'GET',
      path,
      access: 'manager',
      recent: true,
      serve: (visit) => {
        const kind = readKind(visit.params.kind);
        if (kind === undefined) return Promise.resolve({ kind: 'not-found' });
        const once = openForm(services, visit);
        return Promise.resolve(createPage(visit, kind, { once, name: '', expiry: '90' }));
      },
    },
    {
      method: 'POST',
      path,
      access: 'manager',
      recent: true,
      keeps: ['name', 'expiry'],
      serve: async (visit) => {
        const kind = readKind(visit.params.kind);
        if (kind === undefined) return { kind: 'not-found' };
        const name = (visit.form.get('name') ?? '').trim();
        const expiry = expiries.find((each) => each === visit.form.get('expiry'));
        const fields = { once: sentOnce(visit.form), name: name.slice(0, 200), expiry };
        if (!isDisplayName(name) || expiry === undefined)
          return createPage(visit, kind, { ...fields, isNameWrong: !isDisplayName(name) });
        const issued = await issueKey(services, visit, kind, { name, lifetimeMs: lifetimeOf(expiry) });
        if (issued === 'expired') return formExpired(visit, kind);
        if (issued === 'too-many') return createPage(visit, kind, { ...fields, tooMany: true });
        return newKeyPage(visit, services.apiUrl, issued);
      },
    },
  ];
}

interface CreateFields {
  readonly once: string;
  readonly name: string;
  /** Undefined: the value was none of the list. */
  readonly expiry: Expiry | undefined;
  readonly isNameWrong?: boolean;
  readonly tooMany?: boolean;
}

function createPage(
  visit: MemberVisit,
  kind: CredentialKind,
  { once, name, expiry, isNameWrong = false, tooMany = false }: CreateFields,
): Reply {
  const texts = keyActionTexts[visit.language];
  const body = (
    <form method="post" action={accountPath(visit, `/keys/${kind}/new`)}>
      <CsrfField visit={visit} />
      <OnceField once={once} />
      {tooMany && (
        <p class="problem" role="alert">
          {texts.tooMany[kind]}
        </p>
      )}
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
      <button>{texts.submit[kind]}</button>
    </form>
  );
  const status = isNameWrong || tooMany || expiry === undefined ? 422 : 200;
  return { kind: 'page', status, title: texts.createTitle[kind], body };
}
