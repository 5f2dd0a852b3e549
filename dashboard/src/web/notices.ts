import type { Translated } from './language.ts';

/** What was done before a redirect. The page after it shows the text of `?notice=`. */
export const notices = [
  'credential-revoked',
  'domain-allowed',
  'domain-removed',
  'person-removed',
  'role-changed',
  'signed-out',
  'password-changed',
  'passkey-added',
  'passkey-removed',
  'second-factor-removed',
  'session-ended',
] as const;
export type Notice = (typeof notices)[number];

export function readNotice(query: URLSearchParams): Notice | undefined {
  return notices.find((notice) => notice === query.get('notice'));
}

export function withNotice(path: string, notice: Notice): string {
  return `${path}${path.includes('?') ? '&' : '?'}notice=${notice}`;
}

export const noticeTexts: Translated<Readonly<Record<Notice, string>>> = {
  en: {
    'credential-revoked': 'The credential is revoked. It stops working within 5 seconds.',
    'domain-allowed': 'The domain is allowed.',
    'domain-removed': 'The domain is removed.',
    'person-removed': 'The person is removed from the account.',
    'role-changed': 'The role is changed.',
    'signed-out': 'You are signed out.',
    'password-changed': 'The password is changed. Your other sessions have ended.',
    'passkey-added': 'The passkey is added.',
    'passkey-removed': 'The passkey is removed. Remove it on your device too.',
    'second-factor-removed': 'The second factor is removed.',
    'session-ended': 'The session has ended.',
  },
  fr: {
    'credential-revoked': 'L’identifiant est révoqué. Il cesse de fonctionner sous 5 secondes.',
    'domain-allowed': 'Le domaine est autorisé.',
    'domain-removed': 'Le domaine est retiré.',
    'person-removed': 'La personne est retirée du compte.',
    'role-changed': 'Le rôle est modifié.',
    'signed-out': 'Vous êtes déconnecté.',
    'password-changed': 'Le mot de passe est changé. Vos autres sessions ont pris fin.',
    'passkey-added': 'La clé d’accès est ajoutée.',
    'passkey-removed': 'La clé d’accès est supprimée. Supprimez-la aussi sur votre appareil.',
    'second-factor-removed': 'Le second facteur est supprimé.',
    'session-ended': 'La session a pris fin.',
  },
  es: {
    'credential-revoked': 'La credencial está revocada. Deja de funcionar en 5 segundos.',
    'domain-allowed': 'El dominio está permitido.',
    'domain-removed': 'El dominio se ha retirado.',
    'person-removed': 'La persona se ha retirado de la cuenta.',
    'role-changed': 'La función se ha cambiado.',
    'signed-out': 'Ha cerrado la sesión.',
    'password-changed': 'La contraseña se ha cambiado. Sus demás sesiones han terminado.',
    'passkey-added': 'La llave de acceso se ha añadido.',
    'passkey-removed': 'La llave de acceso se ha quitado. Quítela también de su dispositivo.',
    'second-factor-removed': 'El segundo factor se ha quitado.',
    'session-ended': 'La sesión ha terminado.',
  },
};
