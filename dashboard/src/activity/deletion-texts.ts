import type { Translated } from '../web/language.ts';

interface DeletionTexts {
  readonly title: string;
  readonly life: string;
  readonly state: string;
  readonly jobs: string;
  readonly kept: string;
  readonly keptHint: string;
  readonly accepted: string;
  readonly published: string;
  readonly publishedSoon: string;
  readonly completed: string;
  readonly notYet: string;
  readonly duration: string;
  readonly live: string;
  readonly reload: string;
  readonly request: string;
  readonly token: string;
  readonly origin: string;
  readonly client: string;
  readonly technology: string;
  readonly language: string;
  readonly requestId: string;
  readonly unknown: string;
  readonly ids: string;
  readonly firstIds: (shown: string, all: string) => string;
  readonly download: string;
  readonly back: string;
}

export const deletionTexts: Translated<DeletionTexts> = {
  en: {
    title: 'Deletion',
    life: 'Progress',
    state: 'State',
    jobs: 'Jobs',
    kept: 'Kept jobs',
    keptHint: 'changed after the request, so they were kept',
    accepted: 'Accepted',
    published: 'Started',
    publishedSoon: 'within a few seconds',
    completed: 'Completed',
    notYet: 'not yet',
    duration: 'Duration',
    live: 'This part follows the deletion until it is completed.',
    reload: 'Reload',
    request: 'Request',
    token: 'Token',
    origin: 'Origin',
    client: 'Client',
    technology: 'Technology',
    language: 'Language',
    requestId: 'Request-Id',
    unknown: 'not known',
    ids: 'Job ids',
    firstIds: (shown, all) => `The first ${shown} of ${all} ids.`,
    download: 'Download all ids as text',
    back: 'All deletions',
  },
  fr: {
    title: 'Suppression',
    life: 'Avancement',
    state: 'État',
    jobs: 'Offres',
    kept: 'Offres conservées',
    keptHint: 'modifiées après la requête, donc conservées',
    accepted: 'Acceptée',
    published: 'Commencée',
    publishedSoon: 'en quelques secondes',
    completed: 'Terminée',
    notYet: 'pas encore',
    duration: 'Durée',
    live: 'Cette partie suit la suppression jusqu’à sa fin.',
    reload: 'Recharger',
    request: 'Requête',
    token: 'Jeton',
    origin: 'Origine',
    client: 'Client',
    technology: 'Technologie',
    language: 'Langue',
    requestId: 'Request-Id',
    unknown: 'inconnu',
    ids: 'Identifiants des offres',
    firstIds: (shown, all) => `Les ${shown} premiers identifiants sur ${all}.`,
    download: 'Télécharger tous les identifiants en texte',
    back: 'Toutes les suppressions',
  },
  es: {
    title: 'Eliminación',
    life: 'Progreso',
    state: 'Estado',
    jobs: 'Ofertas',
    kept: 'Ofertas conservadas',
    keptHint: 'cambiaron después de la solicitud, por lo que se conservaron',
    accepted: 'Aceptada',
    published: 'Iniciada',
    publishedSoon: 'en unos segundos',
    completed: 'Completada',
    notYet: 'todavía no',
    duration: 'Duración',
    live: 'Esta parte sigue la eliminación hasta que se completa.',
    reload: 'Recargar',
    request: 'Solicitud',
    token: 'Token',
    origin: 'Origen',
    client: 'Cliente',
    technology: 'Tecnología',
    language: 'Idioma',
    requestId: 'Request-Id',
    unknown: 'desconocido',
    ids: 'Identificadores de las ofertas',
    firstIds: (shown, all) => `Los primeros ${shown} de ${all} identificadores.`,
    download: 'Descargar todos los identificadores como texto',
    back: 'Todas las eliminaciones',
  },
};
