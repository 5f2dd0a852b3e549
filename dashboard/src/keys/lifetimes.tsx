import type { Credential } from '@jobs-delete/accounts/accounts';
import { Facts } from '../web/facts.tsx';
import { translated } from '../web/language.ts';
import type { MemberVisit } from '../web/route.ts';
import { formatTime } from '../web/time.tsx';

interface LifetimesProps {
  readonly visit: MemberVisit;
  readonly old: Credential;
  /** Undefined: the new key does not expire. */
  readonly newUntilMs: number | undefined;
}

/** Until when the new and the old key of a rotation work. */
export function Lifetimes({ visit: { language, zone }, old, newUntilMs }: LifetimesProps) {
  const { newKey, oldKey } = texts[language];
  const timeAt = (ms: number | undefined) => (ms === undefined ? undefined : formatTime(ms, language, zone));
  return (
    <Facts
      facts={[
        [newKey[old.kind], newKey.lasts(timeAt(newUntilMs))],
        [oldKey[old.kind], oldKey.lasts(timeAt(old.expiresAtMs))],
      ]}
    />
  );
}

const texts = translated({
  en: {
    newKey: {
      token: 'New token',
      'secret-key': 'New secret key',
      lasts: (until: string | undefined) =>
        until === undefined ? 'Works at once, and never expires' : `Works at once, until ${until}`,
    },
    oldKey: {
      token: 'Old token',
      'secret-key': 'Old secret key',
      lasts: (until: string | undefined) =>
        `Works until you revoke it${until === undefined ? '' : `, at the latest until ${until}`}`,
    },
  },
  fr: {
    newKey: {
      token: 'Nouveau jeton',
      'secret-key': 'Nouvelle clé secrète',
      lasts: (until) =>
        until === undefined
          ? 'Fonctionne tout de suite, sans expiration'
          : `Fonctionne tout de suite, jusqu’au ${until}`,
    },
    oldKey: {
      token: 'Ancien jeton',
      'secret-key': 'Ancienne clé secrète',
      lasts: (until) =>
        `Fonctionne jusqu’à sa révocation${until === undefined ? '' : `, au plus tard jusqu’au ${until}`}`,
    },
  },
  es: {
    newKey: {
      token: 'Token nuevo',
      'secret-key': 'Clave secreta nueva',
      lasts: (until) =>
        until === undefined ? 'Funciona enseguida y no caduca' : `Funciona enseguida, hasta el ${until}`,
    },
    oldKey: {
      token: 'Token antiguo',
      'secret-key': 'Clave secreta antigua',
      lasts: (until) =>
        `Funciona hasta su revocación${until === undefined ? '' : `, como muy tarde hasta el ${until}`}`,
    },
  },
});
