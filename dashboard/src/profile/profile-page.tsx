import type { Session } from '@jobs-delete/accounts/people/sessions';
import { AddPasskey, NewPasswordForm, SignInScript } from '../sign-in/forms.tsx';
import { hasMethod, mayChangeMethods } from '../sign-in/proof/methods.ts';
import { CsrfField } from '../web/form.tsx';
import type { MemberVisit, Reply } from '../web/route.ts';
import { PasskeyList } from './passkey-list.tsx';
import { profileTexts } from './profile-texts.ts';
import { SessionList } from './session-list.tsx';

export interface ProfilePageProps {
  readonly visit: MemberVisit;
  readonly sessions: readonly Session[];
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
  const { visit, sessions, problems } = props;
  const texts = profileTexts[visit.language];
  const body = (
    <>
      <p>{visit.person.email}</p>
      {!hasMethod(visit.person) && <p class="warning">{texts.noMethod}</p>}
      {!mayChangeMethods(visit) && (
        <p class="warning">
          {texts.confirmFirst}{' '}
          <a class="button" href="/sign-in/again?next=%2Fprofile">
            {texts.confirm}
          </a>
        </p>
      )}
      <PasskeySection {...props} />
      <PasswordSection {...props} />
      <FactorSection visit={visit} />
      <SessionList visit={visit} sessions={sessions} />
      <SignInScript />
    </>
  );
  return { kind: 'page', status: problems === undefined ? 200 : 422, title: texts.title, body };
}

function PasskeySection({ visit, hasPasskeys, problems }: ProfilePageProps) {
  const texts = profileTexts[visit.language].passkeys;
  return (
    <section>
      <h2 id="passkeys">{texts.title}</h2>
      {problems?.removePasskey && (
        <p class="problem" role="alert">
          {problems.removePasskey}
        </p>
      )}
      {visit.person.passkeys.length === 0 ? <p>{texts.none}</p> : <PasskeyList visit={visit} />}
      {!hasPasskeys && <p>{texts.ipAddress}</p>}
      {hasPasskeys && mayChangeMethods(visit) && (
        <AddPasskey visit={visit} action="/profile/passkeys" problem={problems?.addPasskey} />
      )}
    </section>
  );
}

function PasswordSection({ visit, problems }: ProfilePageProps) {
  const texts = profileTexts[visit.language].password;
  const { person } = visit;
  return (
    <section>
      <h2>{texts.title}</h2>
      <p>{person.passwordHash === undefined ? texts.none : texts.set}</p>
      {mayChangeMethods(visit) && (
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

function FactorSection({ visit }: Pick<ProfilePageProps, 'visit'>) {
  const texts = profileTexts[visit.language].factor;
  const { passwordHash, totp, recoveryCodes } = visit.person;
  return (
    <section>
      <h2>{texts.title}</h2>
      <p>{texts.text}</p>
      {totp !== undefined && <p>{texts.set(recoveryCodes.length)}</p>}
      {totp === undefined && <p>{passwordHash === undefined ? texts.needsPassword : texts.none}</p>}
      {mayChangeMethods(visit) && totp === undefined && passwordHash !== undefined && (
        <a class="button" href="/profile/totp">
          {texts.add}
        </a>
      )}
      {mayChangeMethods(visit) && totp !== undefined && <FactorForms visit={visit} />}
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
