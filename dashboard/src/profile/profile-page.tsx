import type { Session } from '@jobs-delete/accounts/people/people';
import type { ComponentChild } from 'preact';
import { NewPasskey, SignInScript } from '../sign-in/forms.tsx';
import { signInTexts } from '../sign-in/sign-in-texts.ts';
import { accountPath, signInAgainPath } from '../web/account-path.ts';
import { describeBrowser } from '../web/describe-browser.ts';
import { Alert, CsrfField, Form } from '../web/form.tsx';
import { recentMs, type MemberVisit, type Reply } from '../web/route.ts';
import { Table } from '../web/table.tsx';
import { Time } from '../web/time.tsx';
import { profileTexts } from './profile-texts.ts';
import { SettingsForm } from './settings-forms.tsx';

interface ProfilePageProps {
  readonly visit: MemberVisit;
  readonly sessions: readonly Session[];
  /** False: people sign in at a provider. */
  readonly hasPasskeys: boolean;
  readonly problems?: ProfileProblems;
}

export interface ProfileProblems {
  readonly addPasskey?: string;
  readonly removePasskey?: string;
  readonly zone?: string;
}

/** How a person signs in, and where they are signed in. */
export function profilePage({ visit, sessions, hasPasskeys, problems }: ProfilePageProps): Reply {
  const texts = profileTexts[visit.language];
  const mayChange = visit.nowMs - visit.session.provenAtMs < recentMs;
  const body = (
    <>
      <p>{visit.email}</p>
      {hasPasskeys && !mayChange && (
        <p class="warning">
          {texts.confirmFirst}{' '}
          <a class="button" href={signInAgainPath(visit, accountPath(visit, '/profile'))}>
            {texts.confirm}
          </a>
        </p>
      )}
      {hasPasskeys ? (
        <PasskeySection visit={visit} mayChange={mayChange} problems={problems} />
      ) : (
        <p>{texts.withProvider}</p>
      )}
      <SessionList visit={visit} sessions={sessions} />
      <section class="setting" id="settings">
        <div>
          <h2>{texts.settings.title}</h2>
          <p class="muted">{texts.settings.intro}</p>
        </div>
        <div>
          <SettingsForm visit={visit} problem={problems?.zone} />
        </div>
      </section>
      <SignInScript />
    </>
  );
  return { kind: 'page', status: problems === undefined ? 200 : 422, title: texts.title, body };
}

interface NoPasskeyProps {
  readonly visit: MemberVisit;
  /** Where a passkey is added. Undefined: here. */
  readonly href?: string;
}

/** Says that the next sign-in needs another link. */
export function NoPasskey({ visit, href }: NoPasskeyProps) {
  if (visit.person.passkeys.length > 0) return null;
  const { title, text } = profileTexts[visit.language].passkeys.none;
  return (
    <p class="warning">
      <strong>{title}</strong> {text}{' '}
      {href !== undefined && <a href={href}>{signInTexts[visit.language].passkey.add}</a>}
    </p>
  );
}

interface PasskeySectionProps {
  readonly visit: MemberVisit;
  /** Whether the last proof of identity is recent enough. */
  readonly mayChange: boolean;
  readonly problems: ProfileProblems | undefined;
}

function PasskeySection({ visit, mayChange, problems }: PasskeySectionProps) {
  const texts = profileTexts[visit.language].passkeys;
  const count = visit.person.passkeys.length;
  return (
    <section class="setting">
      <h2 id="passkeys">{texts.title}</h2>
      <div>
        <Alert problem={problems?.removePasskey} />
        {count === 0 ? <NoPasskey visit={visit} /> : <PasskeyList visit={visit} mayChange={mayChange} />}
        {count === 1 && <p class="warning">{texts.addAnother}</p>}
        {mayChange && (
          <NewPasskey
            visit={visit}
            action={accountPath(visit, '/profile/passkeys')}
            options={accountPath(visit, '/profile/passkeys/options')}
            button={signInTexts[visit.language].passkey.add}
            problem={problems?.addPasskey}
          />
        )}
      </div>
    </section>
  );
}

function PasskeyList({ visit, mayChange }: Pick<PasskeySectionProps, 'visit' | 'mayChange'>) {
  const { language, person, nowMs } = visit;
  const texts = profileTexts[language];
  // The last one stays.
  const mayRemove = mayChange && person.passkeys.length > 1;
  return (
    <Table
      heading="passkeys"
      columns={[{ header: texts.name }, texts.created, texts.lastUsed, mayRemove && { aside: texts.action }]}
      rows={person.passkeys.map(({ id, name, createdAtMs, lastUsedAtMs }) => [
        name,
        <Time ms={createdAtMs} language={language} nowMs={nowMs} />,
        lastUsedAtMs === undefined ? (
          texts.never
        ) : (
          <Time ms={lastUsedAtMs} language={language} nowMs={nowMs} />
        ),
        <Form method="post" action={accountPath(visit, '/profile/passkeys/remove')}>
          <CsrfField visit={visit} />
          <input type="hidden" name="passkey" value={id} />
          <button class="danger quiet" aria-label={`${texts.remove}: ${name}`}>
            {texts.remove}
          </button>
        </Form>,
      ])}
    />
  );
}

/** Where a person is signed in. */
function SessionList({ visit, sessions }: Pick<ProfilePageProps, 'visit' | 'sessions'>) {
  const texts = profileTexts[visit.language];
  return (
    <section class="setting">
      <div>
        <h2 id="sessions">{texts.sessions.title}</h2>
        <p class="muted">{texts.sessions.intro}</p>
      </div>
      <div>
        <Table
          heading="sessions"
          columns={[
            { header: texts.sessions.browser },
            { plain: texts.sessions.network },
            texts.created,
            texts.sessions.lastSeen,
            { aside: texts.action },
          ]}
          rows={sessions.map((session) => cellsOf(visit, session))}
        />
        {sessions.length > 1 && (
          <Form method="post" action={accountPath(visit, '/profile/sessions/end-others')} class="inline">
            <CsrfField visit={visit} />
            <button class="danger quiet">{texts.sessions.endOthers}</button>
          </Form>
        )}
      </div>
    </section>
  );
}

function cellsOf(visit: MemberVisit, session: Session): readonly ComponentChild[] {
  const { language, nowMs } = visit;
  const texts = profileTexts[language].sessions;
  const browser = describeBrowser(session.userAgent) ?? texts.unknown;
  const isOwn = session.id === visit.session.id;
  return [
    <>
      {browser} {isOwn && <span class="muted">({texts.current})</span>}
    </>,
    session.network ?? '–',
    <Time ms={session.createdAtMs} language={language} nowMs={nowMs} />,
    <Time ms={session.lastSeenAtMs} language={language} nowMs={nowMs} />,
    <Form method="post" action={accountPath(visit, '/profile/sessions/end')}>
      <CsrfField visit={visit} />
      <input type="hidden" name="session" value={session.id} />
      <button class={isOwn ? 'quiet' : 'danger quiet'} aria-label={`${texts.end}: ${browser}`}>
        {texts.end}
      </button>
    </Form>,
  ];
}
