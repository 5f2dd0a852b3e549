import { translated } from '../web/language.ts';

/** Formatted values. */
interface SummaryFacts {
  readonly jobs: string;
  /** Starts with a space, or is empty. */
  readonly by: string;
  readonly at: string;
}

export const deletionTexts = translated({
  en: {
    titleOf: (jobs: string, at: string) => `Deletion of ${jobs} on ${at}`,
    life: 'Progress',
    copy: 'Copy the id',
    summary: {
      oneJob: '1 job',
      jobs: (count: string) => `${count} jobs`,
      by: (token: string) => ` by the token ${token}`,
      byPerson: (person: string) => ` by ${person} in the dashboard`,
      waiting: ({ jobs, by, at }: SummaryFacts, until: string) =>
        `${jobs}, accepted on ${at}${by}. The deletion waits until ${until}.`,
      running: ({ jobs, by, at }: SummaryFacts) =>
        `${jobs}, accepted on ${at}${by}. The deletion is in progress.`,
      completed: ({ jobs, by, at }: SummaryFacts, duration: string) =>
        `${jobs}: deletion completed on ${at}${by} in ${duration}.`,
      kept: (count: string) => `Kept, because they changed after the request: ${count}.`,
      cancelled: ({ jobs, by, at }: SummaryFacts, cancelledAt: string) =>
        `${jobs}, accepted on ${at}${by}. Cancelled on ${cancelledAt}: no job was deleted.`,
    },
    cancelledBy: 'See in the audit trail who cancelled it',
    state: 'State',
    jobs: 'Jobs',
    accepted: 'Accepted',
    removal: 'Removal from',
    cancelled: 'Cancelled',
    published: 'Started',
    completed: 'Completed',
    notYet: 'not yet',
    live: 'This part follows the deletion until it is completed.',
    reload: 'Reload',
    request: 'Request',
    token: 'Token',
    person: 'Person',
    origin: 'Origin',
    client: 'Client',
    technology: 'Technology',
    language: 'Language',
    requestId: 'Request-Id',
    ids: 'Job ids',
    firstIds: (shown: string, all: string) => `The first ${shown} of ${all} ids.`,
    download: 'Download all ids as text',
    back: 'All deletions',
    cancel: 'Cancel the deletion',
    cancelTitle: 'Cancel a deletion',
    cancelWarning:
      'The deletion is cancelled as a whole: none of its jobs is removed. They can be deleted again. The audit trail will name you.',
    notCancellable: 'The deletion can no longer be cancelled: its removal has begun.',
    toDeletion: 'Back to the deletion',
  },
  fr: {
    titleOf: (jobs, at) => `Suppression de ${jobs} le ${at}`,
    life: 'Avancement',
    copy: 'Copier l’identifiant',
    summary: {
      oneJob: '1 offre',
      jobs: (count) => `${count} offres`,
      by: (token) => ` avec le jeton ${token}`,
      byPerson: (person) => ` par ${person} dans le tableau de bord`,
      waiting: ({ jobs, by, at }, until) =>
        `${jobs} : suppression acceptée le ${at}${by}, en attente jusqu’au ${until}.`,
      running: ({ jobs, by, at }) => `${jobs} : suppression acceptée le ${at}${by}, en cours.`,
      completed: ({ jobs, by, at }, duration) =>
        `${jobs} : suppression terminée le ${at}${by}, en ${duration}.`,
      kept: (count) => `Conservées, car modifiées après la requête : ${count}.`,
      cancelled: ({ jobs, by, at }, cancelledAt) =>
        `${jobs} : suppression acceptée le ${at}${by}, annulée le ${cancelledAt}. Aucune offre n’a été supprimée.`,
    },
    cancelledBy: 'Voir dans le journal d’audit qui l’a annulée',
    state: 'État',
    jobs: 'Offres',
    accepted: 'Acceptée',
    removal: 'Suppression à partir du',
    cancelled: 'Annulée',
    published: 'Commencée',
    completed: 'Terminée',
    notYet: 'pas encore',
    live: 'Cette partie suit la suppression jusqu’à sa fin.',
    reload: 'Recharger',
    request: 'Requête',
    token: 'Jeton',
    person: 'Personne',
    origin: 'Origine',
    client: 'Client',
    technology: 'Technologie',
    language: 'Langue',
    requestId: 'Request-Id',
    ids: 'Identifiants des offres',
    firstIds: (shown, all) => `Les ${shown} premiers identifiants sur ${all}.`,
    download: 'Télécharger tous les identifiants en texte',
    back: 'Toutes les suppressions',
    cancel: 'Annuler la suppression',
    cancelTitle: 'Annuler une suppression',
    cancelWarning:
      'La suppression est annulée en entier : aucune de ses offres n’est supprimée. Elles peuvent être supprimées à nouveau. Le journal d’audit vous nommera.',
    notCancellable: 'La suppression ne peut plus être annulée : elle a commencé.',
    toDeletion: 'Revenir à la suppression',
  },
  es: {
    titleOf: (jobs, at) => `Eliminación de ${jobs} el ${at}`,
    life: 'Progreso',
    copy: 'Copiar el identificador',
    summary: {
      oneJob: '1 oferta',
      jobs: (count) => `${count} ofertas`,
      by: (token) => ` con el token ${token}`,
      byPerson: (person) => ` por ${person} en el panel`,
      waiting: ({ jobs, by, at }, until) =>
        `${jobs}: eliminación aceptada el ${at}${by}, en espera hasta el ${until}.`,
      running: ({ jobs, by, at }) => `${jobs}: eliminación aceptada el ${at}${by}, en curso.`,
      completed: ({ jobs, by, at }, duration) =>
        `${jobs}: eliminación completada el ${at}${by}, en ${duration}.`,
      kept: (count) => `Conservadas, porque cambiaron después de la solicitud: ${count}.`,
      cancelled: ({ jobs, by, at }, cancelledAt) =>
        `${jobs}: eliminación aceptada el ${at}${by}, cancelada el ${cancelledAt}. No se eliminó ninguna oferta.`,
    },
    cancelledBy: 'Ver en el registro de auditoría quién la canceló',
    state: 'Estado',
    jobs: 'Ofertas',
    accepted: 'Aceptada',
    removal: 'Eliminación a partir de',
    cancelled: 'Cancelada',
    published: 'Iniciada',
    completed: 'Completada',
    notYet: 'todavía no',
    live: 'Esta parte sigue la eliminación hasta que se completa.',
    reload: 'Recargar',
    request: 'Solicitud',
    token: 'Token',
    person: 'Persona',
    origin: 'Origen',
    client: 'Cliente',
    technology: 'Tecnología',
    language: 'Idioma',
    requestId: 'Request-Id',
    ids: 'Identificadores de las ofertas',
    firstIds: (shown, all) => `Los primeros ${shown} de ${all} identificadores.`,
    download: 'Descargar todos los identificadores como texto',
    back: 'Todas las eliminaciones',
    cancel: 'Cancelar la eliminación',
    cancelTitle: 'Cancelar una eliminación',
    cancelWarning:
      'La eliminación se cancela por completo: no se elimina ninguna de sus ofertas. Se pueden eliminar de nuevo. El registro de auditoría le nombrará.',
    notCancellable: 'La eliminación ya no se puede cancelar: ha comenzado.',
    toDeletion: 'Volver a la eliminación',
  },
});
