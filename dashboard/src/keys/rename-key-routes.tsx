import { type Credential, isDisplayName } from '@jobs-delete/accounts/accounts';
import { useContext } from 'preact/hooks';
import type { Services } from '../services.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { CsrfField, KeptInput, TextField } from '../web/form.tsx';
import { withNotice } from '../web/notices.ts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { keyActionTexts } from './key-action-texts.ts';
import { keyPath } from './key-list.tsx';
import { keyFormRoutes } from './key-form-routes.ts';
import { isEnded } from './key-state.ts';
import { keyTexts } from './key-texts.ts';

/** The form that renames a key. It sends the name that it has shown, so it does not overwrite another rename. */
export function renameKeyRoutes({ accounts }: Pick<Services, 'accounts'>): readonly Route[] {
  return keyFormRoutes(accounts, {
    action: 'rename',
    isFor: (key, nowMs) => !isEnded(key, nowMs),
    keeps: ['name', 'old'],
    page: (visit, key) => renamePage(visit, key, { name: key.name ?? '' }),
    submit: async (visit, key, findAgain) => {
      const { accountId, form } = visit;
      const name = (form.get('name') ?? '').trim();
      const seen = (form.get('old') ?? '').slice(0, 200);
      if (!isDisplayName(name))
        return renamePage(visit, key, { name: name.slice(0, 200), old: seen, problem: 'name' });
      const from = seen === '' ? undefined : seen;
      const subject = `${key.id} (${from ?? '–'} → ${name})`;
      const entry = auditEntry(visit, `${key.kind}.renamed`, subject);
      const isNew = name !== key.name;
      if (isNew && (await accounts.changeCredential(accountId, key, { from, name }, entry)) !== 'changed') {
        const current = await findAgain();
        if (current === undefined) return { kind: 'not-found' };
        if (current.name !== name) return renamePage(visit, current, { name, problem: 'renamed' });
      }
      return { kind: 'redirect', to: withNotice(keyPath(key), 'key-renamed') };
    },
  });
}

interface RenameFields {
  readonly name: string;
  /** The name that the person has seen, if it may be another than the current one. */
  readonly old?: string;
  readonly problem?: 'name' | 'renamed';
}

function renamePage(visit: MemberVisit, key: Credential, { name, old, problem }: RenameFields): Reply {
  const texts = keyActionTexts[visit.language];
  const problems = {
    name: texts.nameProblem,
    renamed: texts.renamedMeanwhile(key.name ?? keyTexts[visit.language].unnamed),
  };
  const body = (
    <form method="post" action={keyPath(key, 'rename')}>
      <CsrfField visit={visit} />
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
      <p class="actions">
        <button>{texts.renameSubmit}</button>
        <a href={keyPath(key)}>{keyTexts[visit.language].backToKey}</a>
      </p>
    </form>
  );
  const status = problem === undefined ? 200 : problem === 'renamed' ? 409 : 422;
  return { kind: 'page', status, title: texts.renameTitle[key.kind], body };
}

function OldName({ name }: { readonly name: string }) {
  return <input type="hidden" name="old" value={useContext(KeptInput).get('old') ?? name} />;
}
