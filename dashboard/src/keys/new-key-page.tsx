import type { Credential } from '@jobs-delete/accounts/accounts';
import { accountPath } from '../web/account-path.ts';
import { CopyButton, Secret } from '../web/copyable.tsx';
import { FactGrid } from '../web/facts.tsx';
import type { Language } from '../web/language.ts';
import type { MemberVisit, Reply } from '../web/route.ts';
import { Tabs } from '../web/tabs.tsx';
import { Time } from '../web/time.tsx';
import type { IssuedKey } from './issue-key.ts';
import { keyActionTexts } from './key-action-texts.ts';
import { clientExample, examplesOf, placeholders, variables, type Example } from './key-examples.ts';
import { kinds } from './key-state.ts';
import { keyPath, SandboxBadge } from './key-view.tsx';
import { keyTexts } from './key-texts.ts';
import { keyUseTexts } from './key-use-texts.ts';

interface NewKeys {
  readonly keys: readonly IssuedKey[];
  readonly apiUrl: string;
  /** An origin that the account allows. */
  readonly origin: string | undefined;
  /** A job of the account. Undefined: none is known. */
  readonly jobId: string | undefined;
  /** The keys that the new ones replace. */
  readonly olds: readonly Credential[];
  /** Another valid key of the same kind has the same name. */
  readonly isNamedAlike: boolean;
}

/** The page after the form that created keys. */
export function newKeyPage(
  visit: MemberVisit,
  { keys, apiUrl, origin, jobId, olds, isNamedAlike }: NewKeys,
): Reply {
  const { language } = visit;
  const texts = keyActionTexts[language];
  const [only] = keys.length === 1 ? keys : [];
  const choice = only?.credential.kind ?? 'both';
  const factTexts = keyTexts[language];
  // Keys of one form have one name, lifetime and environment.
  const shared = keys[0]?.credential;
  const secrets = Object.fromEntries(keys.map(({ credential, secret }) => [credential.kind, secret]));
  const missing = kinds.filter((kind) => secrets[kind] === undefined);
  const toFillIn = missing.map((kind): string => placeholders[kind]);
  if (jobId === undefined) toFillIn.push(placeholders.job);
  const example = { apiUrl, origin, jobId };
  const client = { id: 'client', name: 'TypeScript', text: clientExample(example) };
  const clientHint = texts.clientHint(variables.token, variables['secret-key']);
  const tabs = [
    ...examplesOf({ ...example, secrets, language }).map((each) => ({
      name: each.name,
      panel: <ExamplePanel example={each} language={language} />,
    })),
    { name: client.name, panel: <ExamplePanel example={client} language={language} hint={clientHint} /> },
  ];
  const body = (
    <>
      <p class="warning" data-until-saved>
        {texts.shownHere[choice]}
      </p>
      {isNamedAlike && <p class="warning">{texts.namedAlike(shared?.name ?? '')}</p>}
      <FactGrid
        facts={[
          [factTexts.name, shared?.name ?? factTexts.unnamed],
          [
            keyUseTexts[language].environment,
            shared?.environment && <SandboxBadge language={language} credential={shared} />,
          ],
          [
            factTexts.expires,
            shared?.expiresAtMs === undefined ? (
              factTexts.never
            ) : (
              <Time ms={shared.expiresAtMs} language={language} />
            ),
          ],
        ]}
      />
      <section class="card secrets">
        {keys.map(({ credential: { kind }, secret }, index) => (
          <>
            <h2>{texts.secretHeading[kind]}</h2>
            <Secret
              id={kind}
              text={secret}
              button={texts.copySecret[kind]}
              language={language}
              onward={{ href: accountPath(visit, '/keys'), text: factTexts.back }}
              asks={index < keys.length - 1 ? 'nothing' : choice === 'both' ? 'both' : 'one'}
              more={
                choice === 'both' && (
                  <CopyButton id="env" text={envLines(keys)} button={texts.copyEnv} language={language} />
                )
              }
            />
          </>
        ))}
      </section>
      {olds.length > 0 && <NextSteps language={language} olds={olds} />}
      <h2 id="examples">{texts.examplesHeading}</h2>
      <p>{texts.examplesHint(new Intl.ListFormat(language).format(toFillIn), toFillIn.length)}</p>
      {origin === undefined && (
        <p>
          {texts.noDomain(placeholders.origin)} <a href={accountPath(visit, '/domains')}>{texts.toDomains}</a>
        </p>
      )}
      <Tabs id="example" heading="examples" tabs={tabs} />
    </>
  );
  return { kind: 'page', title: texts.createdTitle[choice], body };
}

function envLines(keys: NewKeys['keys']): string {
  return keys.map(({ credential: { kind }, secret }) => `${variables[kind]}=${secret}\n`).join('');
}

interface ExamplePanelProps {
  readonly example: Example;
  readonly language: Language;
  /** Default: how to run it. */
  readonly hint?: string;
}

function ExamplePanel({ example: { id, text, file, run }, language, hint }: ExamplePanelProps) {
  const texts = keyActionTexts[language];
  return (
    <>
      <div class="inline">
        <p>
          {hint ??
            (file === undefined ? (
              texts.runInShell
            ) : (
              <>
                {texts.saveAs} <code>{file}</code>. {texts.runWith} <code>{run}</code>
              </>
            ))}
        </p>
        <CopyButton id={id} button={texts.copy[id === 'curl' ? 'command' : 'program']} language={language} />
      </div>
      <pre>
        <code id={id}>{text}</code>
      </pre>
    </>
  );
}

function NextSteps({
  language,
  olds,
}: {
  readonly language: Language;
  readonly olds: readonly Credential[];
}) {
  const texts = keyActionTexts[language];
  const lastUsedAtMs = Math.max(...olds.map((old) => old.lastUsedAtMs ?? -Infinity));
  return (
    <section aria-labelledby="steps">
      <h2 id="steps">{texts.stepsHeading}</h2>
      <ol>
        <li>{texts.stepReplace}</li>
        <li>
          {texts.stepWatch}{' '}
          {lastUsedAtMs === -Infinity ? (
            keyTexts[language].never
          ) : (
            <Time ms={lastUsedAtMs} language={language} />
          )}
          .
        </li>
        {olds.map((old) => (
          <li>
            <a href={keyPath(old, 'revoke')}>{texts.stepRevoke[old.kind]}</a>.
          </li>
        ))}
      </ol>
    </section>
  );
}
