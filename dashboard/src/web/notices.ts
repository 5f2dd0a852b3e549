import type { Translated } from './language.ts';

/** Actions that end with a redirect. The next page shows the text of `?notice=`. */
export const notices = [
  'key-revoked',
  'domain-allowed',
  'domain-removed',
  'invitation-withdrawn',
  'person-removed',
  'role-changed',
  'joined',
  'signed-out',
  'passkey-added',
  'passkey-removed',
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
    'key-revoked': 'The key is revoked. It stops working within 5 seconds.',
    'domain-allowed': 'The domain is allowed.',
    'domain-removed': 'The domain is removed.',
    'invitation-withdrawn': 'The invitation is withdrawn. Its link no longer works.',
    'person-removed': 'The person is removed from the account.',
    'role-changed': 'The role is changed.',
    joined: 'You are a member of the account now.',
    'signed-out': 'You are signed out.',
    'passkey-added': 'The passkey is added.',
    'passkey-removed': 'The passkey is removed. Remove it on your device too.',
    'session-ended': 'The session has ended.',
  },
  fr: {
    'key-revoked': 'La clé a été révoquée. Elle cesse de fonctionner sous 5 secondes.',
    'domain-allowed': 'Le domaine a été autorisé.',
    'domain-removed': 'Le domaine a été retiré.',
    'invitation-withdrawn': 'L’invitation a été annulée. Son lien ne fonctionne plus.',
    'person-removed': 'La personne a été retirée du compte.',
    'role-changed': 'Le rôle a été modifié.',
    joined: 'Vous êtes maintenant membre du compte.',
    'signed-out': 'Vous êtes déconnecté.',
    'passkey-added': 'La clé d’accès a été ajoutée.',
    'passkey-removed': 'La clé d’accès a été supprimée. Supprimez-la aussi sur votre appareil.',
    'session-ended': 'La session a pris fin.',
  },
  es: {
    'key-revoked': 'Se ha revocado la clave. Dejará de funcionar en 5 segundos.',
    'domain-allowed': 'Se ha permitido el dominio.',
    'domain-removed': 'Se ha retirado el dominio.',
    'invitation-withdrawn': 'Se ha anulado la invitación. Su enlace ya no funciona.',
    'person-removed': 'Se ha retirado a la persona de la cuenta.',
    'role-changed': 'Se ha cambiado el rol.',
    joined: 'Ahora es miembro de la cuenta.',
    'signed-out': 'Ha cerrado la sesión.',
    'passkey-added': 'Se ha añadido la llave de acceso.',
    'passkey-removed': 'Se ha eliminado la llave de acceso. Elimínela también de su dispositivo.',
    'session-ended': 'Se ha cerrado la sesión.',
  },
};
