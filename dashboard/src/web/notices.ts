import type { Translated } from './language.ts';

/** What was done before a redirect. The page after it shows the text of `?notice=`. */
export const notices = ['credential-revoked', 'domain-allowed', 'domain-removed', 'signed-out'] as const;
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
    'signed-out': 'You are signed out.',
  },
  fr: {
    'credential-revoked': 'L’identifiant est révoqué. Il cesse de fonctionner sous 5 secondes.',
    'domain-allowed': 'Le domaine est autorisé.',
    'domain-removed': 'Le domaine est retiré.',
    'signed-out': 'Vous êtes déconnecté.',
  },
  es: {
    'credential-revoked': 'La credencial está revocada. Deja de funcionar en 5 segundos.',
    'domain-allowed': 'El dominio está permitido.',
    'domain-removed': 'El dominio se ha retirado.',
    'signed-out': 'Ha cerrado la sesión.',
  },
};
