import type { Session } from '@jobs-delete/accounts/people/sessions';
import type { Services } from '../services.ts';
import { AddPasskey, NewPasswordForm, SignInScript } from '../sign-in/forms.tsx';
import { hasMethod } from '../sign-in/proof/methods.ts';
import { CsrfField } from '../web/form.tsx';
import type { MemberVisit, Reply } from '../web/route.ts';
import { PasskeyList } from './passkey-list.tsx';
import { profileTexts } from './profile-texts.ts';
import { SessionList } from './session-list.tsx';

export interface ProfilePageProps {
  readonly visit: MemberVisit;
  readonly sessions: readonly Session[];
  readonly openId: Services['openId'];
  /** Whether the last proof of identity is recent enough. */
  readonly mayChange: boolean;
  /** Whether passkeys work at the dashboard's address. */
  readonly hasPasskeys: boolean;
  readonly problems?: ProfileProblems;
}

export interface ProfileProblems {
  readonly password?: string;
  readonly addPasskey?: string;
  readonly removePasskey?: string;
}

/** How a person signs in, and where they are signed in. */
export function profilePage(props: ProfilePageProps): Reply {
  const { visit, sessions, openId, mayChange, problems } = props;
  const texts = profileTexts[visit.language];
  const body = (
    <>
      <p>{visit.person.email}</p>
      {!hasMethod(visit.person) && openId === undefined && <p class="warning">{texts.noMethod}</p>}
      {!mayChange && (
        <p class="warning">
          {texts.confirmFirst}{' '}
          <a class="button" href="/sign-in/again?next=%2Fprofile">
            {texts.confirm}
          </a>
        </p>
      )}
      <PasskeySection {...props} />
      <PasswordSection {...props} />
      <FactorSection {...props} />
      <SessionList visit={visit} sessions={sessions} />
      <SignInScript />
    </>
  );
  return { kind: 'page', status: problems === undefined ? 200 : 422, title: texts.title, body };
}

function PasskeySection({ visit, mayChange, hasPasskeys, problems }: ProfilePageProps) {
  const texts = profileTexts[visit.language].passkeys;
  return (
    <section>
      <h2 id="passkeys">{texts.title}</h2>
      {problems?.removePasskey && (
        <p class="problem" role="alert">
          {problems.removePasskey}
        </p>
      )}
      {visit.person.passkeys.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <PasskeyList visit={visit} mayChange={mayChange} />
      )}
      {!hasPasskeys && <p>{texts.ipAddress}</p>}
      {hasPasskeys && mayChange && (
        <AddPasskey visit={visit} action="/profile/passkeys" problem={problems?.addPasskey} />
      )}
    </section>
  );
}

function PasswordSection({ visit, mayChange, problems }: ProfilePageProps) {
  const texts = profileTexts[visit.language].password;
  const { person } = visit;
  return (
    <section>
      <h2>{texts.title}</h2>
      <p>{person.passwordHash === undefined ? texts.none : texts.set}</p>
      {mayChange && (
        <NewPasswordForm
          visit={visit}
          action="/profile/password"
          email={person.email}
          problem={problems?.password}
        />
      )}
    </section>
  );
}

function FactorSection({ visit, mayChange }: ProfilePageProps) {
  const texts = profileTexts[visit.language].factor;
  const { passwordHash, totp, recoveryCodes } = visit.person;
  return (
    <section>
      <h2>{texts.title}</h2>
      <p>{texts.text}</p>
      {totp !== undefined && <p>{texts.set(recoveryCodes.length)}</p>}
      {totp === undefined && <p>{passwordHash === undefined ? texts.needsPassword : texts.none}</p>}
      {mayChange && totp === undefined && passwordHash !== undefined && (
        <a class="button" href="/profile/totp">
          {texts.add}
        </a>
      )}
      {mayChange && totp !== undefined && <FactorForms visit={visit} />}
    </section>
  );
}

function FactorForms({ visit }: Pick<ProfilePageProps, 'visit'>) {
  const texts = profileTexts[visit.language];
  return (
    <div class="actions">
      <form method="post" action="/profile/recovery-codes">
        <CsrfField visit={visit} />
        <button class="quiet">{texts.factor.newCodes}</button>
      </form>
      <form method="post" action="/profile/totp/remove">
        <CsrfField visit={visit} />
        <button class="danger">{texts.remove}</button>
      </form>
    </div>
  );
}
