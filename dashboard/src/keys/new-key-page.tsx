import type { Credential, CredentialKind } from '@jobs-delete/accounts/accounts';
import { accountPath } from '../web/account-path.ts';
import { Copyable, Secret } from '../web/copyable.tsx';
import type { Language } from '../web/language.ts';
import type { MemberVisit, Reply } from '../web/route.ts';
import { Time } from '../web/time.tsx';
import type { IssuedKey } from './issue-key.ts';
import { keyActionTexts } from './key-action-texts.ts';
import { clientExample, curlExample, placeholders, variables } from './key-examples.ts';
import { KeyFacts } from './key-facts.tsx';
import { keyPath } from './key-list.tsx';
import { keyTexts } from './key-texts.ts';

export interface NewKey extends IssuedKey {
  /** The key that the new one replaces. */
  readonly old?: Credential;
}

/** The answer to the form that created a key. Only a reload of it shows the secret again. */
export function newKeyPage(
  visit: MemberVisit,
  apiUrl: string,
  { credential, secret, domains, old }: NewKey,
): Reply {
  const { language, nowMs } = visit;
  const { kind } = credential;
  const texts = keyActionTexts[language];
  const body = (
    <>
      <p class="warning">{texts.shownOnce[kind]}</p>
      <Secret id="secret" text={secret} button={texts.copy.secret} language={language} />
      <KeyFacts language={language} credential={credential} nowMs={nowMs} />
      {old && <NextSteps language={language} old={old} />}
      <h2>{texts.curlHeading}</h2>
      <p>
        {texts.curlHint(kind === 'token' ? placeholders['secret-key'] : placeholders.token, placeholders.job)}
      </p>
      {domains.length === 0 && (
        <p>
          {texts.noDomain(placeholders.origin)} <a href={accountPath(visit, '/domains')}>{texts.toDomains}</a>
        </p>
      )}
      <Copyable
        id="curl"
        text={curlExample({ kind, secret, apiUrl, domains, language })}
        button={texts.copy.curl}
        language={language}
      />
      <h2>{texts.clientHeading}</h2>
      <p>{texts.clientHint[kind](variables[kind])}</p>
      <Copyable
        id="client"
        text={clientExample({ apiUrl, domains })}
        button={texts.copy.client}
        language={language}
      />
      <p>
        <a href={accountPath(visit, '/keys')}>{keyTexts[language].back}</a>
      </p>
    </>
  );
  return { kind: 'page', title: texts.createdTitle[kind], body };
}

/** The answer to a form that has expired. Nothing is created, and no secret can be shown again. */
export function formExpired(visit: MemberVisit, kind: CredentialKind): Reply {
  const { language } = visit;
  const texts = keyActionTexts[language];
  const body = (
    <>
      <p>{texts.formExpired[kind]}</p>
      <p class="actions">
        <a href={accountPath(visit, '/keys')}>{keyTexts[language].back}</a>
        <a href={accountPath(visit, `/keys/${kind}/new`)}>{keyTexts[language].create[kind]}</a>
      </p>
    </>
  );
  return { kind: 'page', status: 409, title: texts.formExpiredTitle, body };
}

function NextSteps({ language, old }: { readonly language: Language; readonly old: Credential }) {
  const texts = keyActionTexts[language];
  const lastUsed =
    old.lastUsedAtMs === undefined ? (
      keyTexts[language].never
    ) : (
      <Time ms={old.lastUsedAtMs} language={language} />
    );
  return (
    <section aria-labelledby="steps">
      <h2 id="steps">{texts.stepsHeading}</h2>
      <ol>
        <li>{texts.stepReplace}</li>
        <li>
          {texts.stepWatch} {lastUsed}.
        </li>
        <li>
          {texts.stepRevoke} <a href={keyPath(old, 'revoke')}>{texts.oldKey[old.kind]}</a>
        </li>
      </ol>
    </section>
  );
}
