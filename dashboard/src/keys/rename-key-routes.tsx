import { type Credential, isDisplayName } from '@jobs-delete/accounts/accounts';
import { useContext } from 'preact/hooks';
import type { Services } from '../services.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { CsrfField, KeptInput, TextField } from '../web/form.tsx';
import { withNotice } from '../web/notices.ts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { keyActionTexts } from './key-action-texts.ts';
import { keyPath } from './key-list.tsx';
import { findKey, isEnded } from './key-state.ts';
import { keyTexts } from './key-texts.ts';

const path = '/keys/:kind/:id/rename';

/** The form that renames a key. It names the old name, so it never replaces one that its sender has not seen. */
export function renameKeyRoutes({ accounts }: Pick<Services, 'accounts'>): readonly Route[] {
  const find = async ({ accountId, params, nowMs }: MemberVisit) => {
    const key = await findKey(accounts, accountId, params);
    return key === undefined || isEnded(key, nowMs) ? undefined : key;
  };
  return [
    {
      method: 'GET',
      path,
      access: 'manager',
      recent: true,
      serve: async (visit) => {
        const key = await find(visit);
        return key === undefined ? { kind: 'not-found' } : renamePage(visit, key, { name: key.name ?? '' });
      },
    },
    {
      method: 'POST',
      path,
      access: 'manager',
      recent: true,
      keeps: ['name', 'old'],
      serve: async (visit) => {
        const { accountId, form } = visit;
        const key = await find(visit);
        if (key === undefined) return { kind: 'not-found' };
        const name = (form.get('name') ?? '').trim();
        const seen = (form.get('old') ?? '').slice(0, 200);
        if (!isDisplayName(name))
          return renamePage(visit, key, { name: name.slice(0, 200), old: seen, problem: 'name' });
        const from = seen === '' ? undefined : seen;
        const subject = `${key.id} (${from ?? '–'} → ${name})`;
        const entry = auditEntry(visit, `${key.kind}.renamed`, subject);
        const isNew = name !== key.name;
        if (isNew && (await accounts.changeCredential(accountId, key, { from, name }, entry)) !== 'changed') {
          const current = await find(visit);
          if (current === undefined) return { kind: 'not-found' };
          if (current.name !== name) return renamePage(visit, current, { name, problem: 'renamed' });
        }
        return { kind: 'redirect', to: withNotice(keyPath(key), 'key-renamed') };
      },
    },
  ];
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
