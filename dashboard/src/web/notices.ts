import type { AuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import { translated } from './language.ts';

/** Actions that end with a redirect. The next page shows the text of `?notice=` once, if a cookie names it too. */
export const noticeTexts = translated({
  en: {
    'only-key-changed': 'Only this key is changed: the other one has changed meanwhile.',
    'key-revoked': 'The key is revoked. It stops working within 5 seconds.',
    'key-revoked-already': 'This key is revoked already.',
    'key-expired-already': 'This key has expired.',
    'key-paused-already': 'This key is paused already.',
    'key-resumed-already': 'This key is not paused.',
    'key-renamed': 'The key is renamed.',
    'key-paused': 'The key is paused. It stops working within 5 seconds.',
    'keys-renamed': 'Both keys are renamed.',
    'keys-paused': 'Both keys are paused. They stop working within 5 seconds.',
    'keys-resumed': 'Both keys are resumed. They work again within 5 seconds.',
    'keys-revoked': 'Both keys are revoked. They stop working within 5 seconds.',
    'key-resumed': 'The key is resumed. It works again within 5 seconds.',
    'domain-allowed': 'The domain is allowed.',
    'domain-removed': 'The domain is removed.',
    'deletions-allowed': 'More deletions are allowed. That takes effect within a minute.',
    'allowance-ended': 'The additional jobs have ended. They are no longer added to the limit.',
    'limit-changed': 'The limit is changed. It takes effect within a minute.',
    'limit-allows-all': 'The limit is saved as you confirmed it. It lets requests delete every job.',
    'delay-changed': 'The delay is changed. It holds for requests that come 5 seconds later.',
    'rule-set': 'The rule already has this value.',
    'deletion-accepted': 'You have requested this deletion.',
    'deletion-sent': 'The form came more than once. It created this deletion once.',
    'deletion-cancelled': 'The deletion is cancelled. Its jobs stay.',
    'deletion-cancelled-already': 'Somebody else cancelled this deletion before you. Its jobs stay.',
    'deletion-cancelled-limit':
      'The deletion is cancelled. Its jobs stay, and count toward the limit until about 24 hours after it was accepted.',
    'invitation-withdrawn': 'The invitation is withdrawn. Its link no longer works.',
    'invitation-replaced': 'This link replaces an earlier one for this address, which no longer works.',
    'person-removed': 'The person is removed from the account.',
    'role-changed': 'The role is changed.',
    left: 'You are no longer a member of the other account.',
    joined: 'You are a member of the account now.',
    'signed-out': 'You are signed out.',
    'passkey-added': 'The passkey is added.',
    'passkey-removed': 'The passkey is removed. Remove it on your device too.',
    'session-ended': 'The session has ended.',
    'settings-saved': 'The settings are saved in this browser.',
  },
  fr: {
    'only-key-changed': 'Seule cette clé a été modifiée : l’autre a changé entre-temps.',
    'key-revoked': 'La clé a été révoquée. Elle cesse de fonctionner sous 5 secondes.',
    'key-revoked-already': 'Cette clé est déjà révoquée.',
    'key-expired-already': 'Cette clé a expiré.',
    'key-paused-already': 'Cette clé est déjà suspendue.',
    'key-resumed-already': 'Cette clé n’est pas suspendue.',
    'key-renamed': 'La clé a été renommée.',
    'key-paused': 'La clé a été suspendue. Elle cesse de fonctionner sous 5 secondes.',
    'keys-renamed': 'Les deux clés ont été renommées.',
    'keys-paused': 'Les deux clés ont été suspendues. Elles cessent de fonctionner sous 5 secondes.',
    'keys-resumed': 'Les deux clés ont été réactivées. Elles fonctionnent de nouveau sous 5 secondes.',
    'keys-revoked': 'Les deux clés ont été révoquées. Elles cessent de fonctionner sous 5 secondes.',
    'key-resumed': 'La clé a été réactivée. Elle fonctionne de nouveau sous 5 secondes.',
    'domain-allowed': 'Le domaine a été autorisé.',
    'domain-removed': 'Le domaine a été retiré.',
    'deletions-allowed': 'Davantage de suppressions sont autorisées. Cela prend effet dans la minute.',
    'allowance-ended': 'L’autorisation temporaire a pris fin. Ses offres ne s’ajoutent plus à la limite.',
    'limit-changed': 'La limite a été modifiée. Elle prend effet dans la minute.',
    'limit-allows-all':
      'La limite a été enregistrée telle que vous l’avez confirmée. Elle permet de supprimer toutes les offres.',
    'delay-changed':
      'Le délai a été modifié. Il s’applique aux requêtes reçues dans 5 secondes ou plus tard.',
    'rule-set': 'La règle a déjà cette valeur.',
    'deletion-accepted': 'Vous avez demandé cette suppression.',
    'deletion-sent': 'Le formulaire est arrivé plusieurs fois. Il a créé cette suppression une seule fois.',
    'deletion-cancelled': 'La suppression a été annulée. Ses offres sont conservées.',
    'deletion-cancelled-already':
      'Une autre personne a annulé cette suppression avant vous. Ses offres sont conservées.',
    'deletion-cancelled-limit':
      'La suppression a été annulée. Ses offres sont conservées. La part de la limite qu’elle a utilisée se libère environ 24 heures après son acceptation.',
    'invitation-withdrawn': 'L’invitation a été annulée. Son lien ne fonctionne plus.',
    'invitation-replaced': 'Ce lien remplace un lien précédent pour cette adresse, qui ne fonctionne plus.',
    'person-removed': 'La personne a été retirée du compte.',
    'role-changed': 'Le rôle a été modifié.',
    left: 'Vous n’êtes plus membre de l’autre compte.',
    joined: 'Vous êtes maintenant membre du compte.',
    'signed-out': 'Vous êtes déconnecté.',
    'passkey-added': 'La clé d’accès a été ajoutée.',
    'passkey-removed': 'La clé d’accès a été supprimée. Supprimez-la aussi sur votre appareil.',
    'session-ended': 'La session a pris fin.',
    'settings-saved': 'Les réglages sont enregistrés dans ce navigateur.',
  },
  es: {
    'only-key-changed': 'Solo se ha cambiado esta clave: la otra ha cambiado entretanto.',
    'key-revoked': 'Se ha revocado la clave. Dejará de funcionar en 5 segundos.',
    'key-revoked-already': 'Esta clave ya está revocada.',
    'key-expired-already': 'Esta clave ha caducado.',
    'key-paused-already': 'Esta clave ya está en pausa.',
    'key-resumed-already': 'Esta clave no está en pausa.',
    'key-renamed': 'Se ha renombrado la clave.',
    'key-paused': 'Se ha pausado la clave. Dejará de funcionar en 5 segundos.',
    'keys-renamed': 'Se han renombrado las dos claves.',
    'keys-paused': 'Se han pausado las dos claves. Dejarán de funcionar en 5 segundos.',
    'keys-resumed': 'Se han reanudado las dos claves. Volverán a funcionar en 5 segundos.',
    'keys-revoked': 'Se han revocado las dos claves. Dejarán de funcionar en 5 segundos.',
    'key-resumed': 'Se ha reanudado la clave. Volverá a funcionar en 5 segundos.',
    'domain-allowed': 'Se ha permitido el dominio.',
    'domain-removed': 'Se ha retirado el dominio.',
    'deletions-allowed': 'Se han permitido más eliminaciones. Tendrá efecto en menos de un minuto.',
    'allowance-ended': 'El permiso temporal ha terminado. Sus ofertas ya no se suman al límite.',
    'limit-changed': 'Se ha cambiado el límite. Tendrá efecto en menos de un minuto.',
    'limit-allows-all':
      'El límite se ha guardado como usted lo confirmó. Permite eliminar todas las ofertas.',
    'delay-changed':
      'Se ha cambiado el plazo. Se aplica a las solicitudes que lleguen dentro de 5 segundos o más tarde.',
    'rule-set': 'La regla ya tiene este valor.',
    'deletion-accepted': 'Ha solicitado esta eliminación.',
    'deletion-sent': 'El formulario llegó varias veces. Creó esta eliminación una sola vez.',
    'deletion-cancelled': 'Se ha cancelado la eliminación. Sus ofertas se conservan.',
    'deletion-cancelled-already':
      'Otra persona ha cancelado esta eliminación antes que usted. Sus ofertas se conservan.',
    'deletion-cancelled-limit':
      'Se ha cancelado la eliminación. Sus ofertas se conservan. La parte usada del límite queda libre unas 24 horas después de la aceptación.',
    'invitation-withdrawn': 'Se ha anulado la invitación. Su enlace ya no funciona.',
    'invitation-replaced': 'Este enlace sustituye a uno anterior para esta dirección, que ya no funciona.',
    'person-removed': 'Se ha retirado a la persona de la cuenta.',
    'role-changed': 'Se ha cambiado el rol.',
    left: 'Ya no es miembro de la otra cuenta.',
    joined: 'Ahora es miembro de la cuenta.',
    'signed-out': 'Ha cerrado la sesión.',
    'passkey-added': 'Se ha añadido la llave de acceso.',
    'passkey-removed': 'Se ha eliminado la llave de acceso. Elimínela también de su dispositivo.',
    'session-ended': 'Se ha cerrado la sesión.',
    'settings-saved': 'Los ajustes se han guardado en este navegador.',
  },
});

export type Notice = keyof typeof noticeTexts.en;
const notices = Object.keys(noticeTexts.en) as readonly Notice[];

/** The notice that a page shows. */
export interface ShownNotice {
  readonly name: Notice;
  /** The entry of the audit trail for the change. Another tab may have made the same kind of change since. */
  readonly entryId: string | undefined;
}

/** @param sent the cookie of the redirect: a link from elsewhere has none, so it can't claim that something was done */
export function readNotice(query: URLSearchParams, sent: string | undefined): ShownNotice | undefined {
  const text = query.get('notice');
  if (text === null || text !== sent) return undefined;
  const [name, entryId] = text.split('.');
  const known = notices.find((notice) => notice === name);
  return known && { name: known, entryId };
}

/** Returns the value of the cookie for a redirect to this path. Undefined: the path has no notice. */
export function noticeCookieOf(path: string): string | undefined {
  const query = new URLSearchParams(path.split('?')[1]);
  const text = query.get('notice') ?? undefined;
  return readNotice(query, text) && text;
}

/** @param entry the entry of the audit trail whose change the notice names */
export function withNotice(path: string, notice: Notice, entry?: Pick<AuditEntry, 'id'>): string {
  const text = entry === undefined ? notice : `${notice}.${entry.id}`;
  return `${path}${path.includes('?') ? '&' : '?'}notice=${text}`;
}
