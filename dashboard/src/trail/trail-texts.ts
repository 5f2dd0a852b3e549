import type { AuditAction } from '@jobs-delete/accounts/people/audit-trail';
import type { Translated } from '../web/language.ts';

interface TrailTexts {
  readonly title: string;
  readonly intro: string;
  readonly entries: string;
  readonly none: string;
  readonly noneRead: string;
  readonly time: string;
  readonly action: string;
  readonly allActions: string;
  readonly filter: string;
  readonly actor: string;
  readonly operator: string;
  readonly subject: string;
  readonly network: string;
  readonly older: string;
  readonly newest: string;
  readonly exportAll: string;
  readonly actions: Readonly<Record<AuditAction, string>>;
}

export const trailTexts: Translated<TrailTexts> = {
  en: {
    title: 'Audit trail',
    intro:
      'Every change of keys, domains, people and sign-ins, the newest first. Nobody can change an entry.',
    entries: 'Entries',
    none: 'There is no such entry.',
    noneRead: 'None of these 5,000 entries matches. Older ones may.',
    time: 'Time',
    action: 'Action',
    allActions: 'All actions',
    filter: 'Filter',
    actor: 'By',
    operator: 'Operator of the service',
    subject: 'Subject',
    network: 'Network',
    older: 'Older entries',
    newest: 'Newest entries',
    exportAll: 'Export all entries as CSV',
    actions: {
      'token.created': 'Token created',
      'token.rotated': 'Token rotated',
      'token.revoked': 'Token revoked',
      'secret-key.created': 'Secret key created',
      'secret-key.rotated': 'Secret key rotated',
      'secret-key.revoked': 'Secret key revoked',
      'domain.allowed': 'Domain allowed',
      'domain.removed': 'Domain removed',
      'person.invited': 'Person invited',
      'invitation.withdrawn': 'Invitation withdrawn',
      'person.joined': 'Person joined',
      'person.role-changed': 'Role changed',
      'person.removed': 'Person removed',
      'passkey.added': 'Passkey added',
      'passkey.removed': 'Passkey removed',
      'session.ended': 'Session ended',
      'signed-in': 'Signed in',
      'signed-out': 'Signed out',
    },
  },
  fr: {
    title: 'Journal d’audit',
    intro:
      'Tous les changements de clés, de domaines, de membres et de connexions, les plus récents d’abord. Personne ne peut modifier une entrée.',
    entries: 'Entrées',
    none: 'Aucune entrée ne correspond.',
    noneRead: 'Aucune de ces 5 000 entrées ne correspond. De plus anciennes peuvent correspondre.',
    time: 'Date',
    action: 'Action',
    allActions: 'Toutes les actions',
    filter: 'Filtrer',
    actor: 'Par',
    operator: 'Exploitant du service',
    subject: 'Objet',
    network: 'Réseau',
    older: 'Entrées plus anciennes',
    newest: 'Entrées les plus récentes',
    exportAll: 'Exporter toutes les entrées en CSV',
    actions: {
      'token.created': 'Jeton créé',
      'token.rotated': 'Jeton remplacé',
      'token.revoked': 'Jeton révoqué',
      'secret-key.created': 'Clé secrète créée',
      'secret-key.rotated': 'Clé secrète remplacée',
      'secret-key.revoked': 'Clé secrète révoquée',
      'domain.allowed': 'Domaine autorisé',
      'domain.removed': 'Domaine retiré',
      'person.invited': 'Personne invitée',
      'invitation.withdrawn': 'Invitation annulée',
      'person.joined': 'Nouveau membre',
      'person.role-changed': 'Rôle modifié',
      'person.removed': 'Membre retiré',
      'passkey.added': 'Clé d’accès ajoutée',
      'passkey.removed': 'Clé d’accès supprimée',
      'session.ended': 'Session terminée',
      'signed-in': 'Connexion',
      'signed-out': 'Déconnexion',
    },
  },
  es: {
    title: 'Registro de auditoría',
    intro:
      'Todos los cambios de claves, dominios, miembros e inicios de sesión, primero los más recientes. Nadie puede cambiar una entrada.',
    entries: 'Entradas',
    none: 'No hay ninguna entrada que coincida.',
    noneRead: 'Ninguna de estas 5000 entradas coincide. Puede que coincidan otras anteriores.',
    time: 'Fecha',
    action: 'Acción',
    allActions: 'Todas las acciones',
    filter: 'Filtrar',
    actor: 'Por',
    operator: 'Operador del servicio',
    subject: 'Objeto',
    network: 'Red',
    older: 'Entradas anteriores',
    newest: 'Entradas más recientes',
    exportAll: 'Exportar todas las entradas como CSV',
    actions: {
      'token.created': 'Token creado',
      'token.rotated': 'Token renovado',
      'token.revoked': 'Token revocado',
      'secret-key.created': 'Clave secreta creada',
      'secret-key.rotated': 'Clave secreta renovada',
      'secret-key.revoked': 'Clave secreta revocada',
      'domain.allowed': 'Dominio permitido',
      'domain.removed': 'Dominio retirado',
      'person.invited': 'Persona invitada',
      'invitation.withdrawn': 'Invitación anulada',
      'person.joined': 'Nuevo miembro',
      'person.role-changed': 'Rol cambiado',
      'person.removed': 'Miembro retirado',
      'passkey.added': 'Llave de acceso añadida',
      'passkey.removed': 'Llave de acceso eliminada',
      'session.ended': 'Sesión cerrada',
      'signed-in': 'Inicio de sesión',
      'signed-out': 'Cierre de sesión',
    },
  },
};
