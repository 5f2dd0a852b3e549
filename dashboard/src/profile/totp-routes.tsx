import type { TotpSecret } from '@jobs-delete/accounts/people/people';
import type { Services } from '../services.ts';
import { CodeField } from '../sign-in/forms.tsx';
import { hashRecoveryCode, newRecoveryCodes } from '../sign-in/proof/recovery-codes.ts';
import { newTotpSecret, seal, stepOf, totpOf, unseal } from '../sign-in/proof/totp.ts';
import { recordForPerson } from '../sign-in/record-for-person.ts';
import { signInTexts } from '../sign-in/sign-in-texts.ts';
import { CsrfField } from '../web/form.tsx';
import { withNotice } from '../web/notices.ts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { profileTexts } from './profile-texts.ts';
import { QrCode } from './qr-code.tsx';
import { withProof } from './with-proof.ts';

type Needed = Pick<Services, 'accounts' | 'keys' | 'openId'>;

/** The authenticator app as a second factor, with its recovery codes. */
export function totpRoutes(services: Needed): readonly Route[] {
  const { accounts, keys } = services;
  return [
    {
      method: 'GET',
      path: '/profile/totp',
      access: 'viewer',
      serve: withProof(services, (visit) =>
        isOffered(visit) ? setUpPage(visit, keys.totp[0], newTotpSecret()) : toProfile,
      ),
    },
    {
      method: 'POST',
      path: '/profile/totp',
      access: 'viewer',
      serve: withProof(services, (visit) => (isOffered(visit) ? confirm(services, visit) : toProfile)),
    },
    {
      method: 'POST',
      path: '/profile/totp/remove',
      access: 'viewer',
      serve: withProof(services, async (visit) => {
        if (visit.person.totp === undefined) return toProfile;
        await accounts.setTotp(visit.person.id, null);
        await recordForPerson(accounts, visit, visit.person, 'second-factor.removed');
        return { kind: 'redirect', to: withNotice('/profile', 'second-factor-removed') };
      }),
    },
    {
      method: 'POST',
      path: '/profile/recovery-codes',
      access: 'viewer',
      serve: withProof(services, (visit) => {
        const { totp } = visit.person;
        return totp === undefined ? toProfile : setFactor(services, visit, totp, 'new-codes');
      }),
    },
  ];
}

const toProfile: Reply = { kind: 'redirect', to: '/profile' };

/** A passkey has a second factor already. A new app is set up only after the old one is removed. */
function isOffered({ person }: MemberVisit): boolean {
  return person.passwordHash !== undefined && person.totp === undefined;
}

/** The form carries the new secret. Only this session can use it, and only to set up the factor. */
function purposeOf({ session }: MemberVisit): string {
  return `pending ${session.id}`;
}

async function confirm(services: Needed, visit: MemberVisit): Promise<Reply> {
  const { keys } = services;
  const { form, person, language, nowMs } = visit;
  const sealed = Buffer.from(form.get('sealed') ?? '', 'base64url');
  const secret = unseal(keys.totp, sealed, purposeOf(visit));
  if (secret === undefined)
    return setUpPage(visit, keys.totp[0], newTotpSecret(), profileTexts[language].factor.expired);
  const step = stepOf(secret, (form.get('code') ?? '').replace(/\s/g, ''), nowMs);
  if (step === undefined) return setUpPage(visit, keys.totp[0], secret, signInTexts[language].code.wrong);
  const totp = { secret: seal(keys.totp[0], secret, person.id), lastStep: step };
  return setFactor(services, visit, totp, 'added');
}

/** Stores the factor with new recovery codes, and shows them once. */
async function setFactor(
  { accounts }: Needed,
  visit: MemberVisit,
  totp: TotpSecret,
  change: 'added' | 'new-codes',
): Promise<Reply> {
  const { person, language } = visit;
  const codes = newRecoveryCodes();
  const recoveryCodes = codes.map(hashRecoveryCode);
  await accounts.setTotp(person.id, { totp, recoveryCodes });
  if (change === 'added')
    await recordForPerson(accounts, visit, person, 'second-factor.added', 'authenticator app');
  else await recordForPerson(accounts, visit, person, 'recovery-codes.replaced');
  const texts = profileTexts[language].recovery;
  const body = (
    <>
      <p>{texts.text}</p>
      <pre id="recovery-codes">{codes.join('\n')}</pre>
      <a class="button" href="/profile">
        {texts.done}
      </a>
    </>
  );
  return { kind: 'page', title: texts.title, body };
}

function setUpPage(visit: MemberVisit, key: Buffer, secret: Buffer, problem?: string): Reply {
  const texts = profileTexts[visit.language].factor;
  const totp = totpOf(secret, visit.person.email);
  const body = (
    <>
      <p>{texts.scan}</p>
      <QrCode text={totp.toString()} label={texts.qr} />
      <dl>
        <dt>{texts.secret}</dt>
        <dd>
          <code id="totp-secret">{totp.secret.base32.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        </dd>
      </dl>
      <form method="post" action="/profile/totp" id="totp-form">
        <CsrfField visit={visit} />
        <input
          type="hidden"
          name="sealed"
          value={seal(key, secret, purposeOf(visit)).toString('base64url')}
        />
        <CodeField visit={visit} problem={problem} />
        <button>{signInTexts[visit.language].code.confirm}</button>
      </form>
    </>
  );
  return { kind: 'page', status: problem === undefined ? 200 : 422, title: texts.add, body };
}
