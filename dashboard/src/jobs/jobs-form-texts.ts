import { translated } from '../web/language.ts';

export const jobsFormTexts = translated({
  en: {
    earlier: { text: 'This preview is from earlier. Jobs may have changed since.', again: 'Preview again' },
    accepted: { text: 'This deletion was accepted.', open: 'Open it' },
    facts: {
      heading: 'This deletion',
      jobs: 'Jobs to delete',
      share: 'Share of all jobs',
      shareOfRest: 'Share of the active jobs',
      of: (percent: string, rest: string) => `${percent} of ${rest}`,
      left: 'Left afterwards',
      leftOut: 'Ids left out',
      removal: 'Removal',
      atOnce: 'At once, permanent',
      after: (delay: string) => `In ${delay}`,
      limit: 'Limit',
      limitLeft: (free: string, most: string) => `${free} of ${most} jobs left in 24 hours`,
    },
  },
  fr: {
    earlier: {
      text: 'Cet aperçu est plus ancien. Les offres ont pu changer depuis.',
      again: 'Nouvel aperçu',
    },
    accepted: { text: 'Cette suppression a été acceptée.', open: 'L’ouvrir' },
    facts: {
      heading: 'Cette suppression',
      jobs: 'Offres à supprimer',
      share: 'Part de toutes les offres',
      shareOfRest: 'Part des offres actives',
      of: (percent, rest) => `${percent} sur ${rest}`,
      left: 'Resteraient',
      leftOut: 'Identifiants écartés',
      removal: 'Suppression',
      atOnce: 'Aussitôt, définitive',
      after: (delay) => `Dans ${delay}`,
      limit: 'Limite',
      limitLeft: (free, most) => `${free} offres restantes sur ${most} en 24 heures`,
    },
  },
  es: {
    earlier: {
      text: 'Esta vista previa es anterior. Las ofertas pueden haber cambiado.',
      again: 'Nueva vista previa',
    },
    accepted: { text: 'Esta eliminación fue aceptada.', open: 'Abrirla' },
    facts: {
      heading: 'Esta eliminación',
      jobs: 'Ofertas por eliminar',
      share: 'Parte de todas las ofertas',
      shareOfRest: 'Parte de las ofertas activas',
      of: (percent, rest) => `${percent} de ${rest}`,
      left: 'Quedarían',
      leftOut: 'Identificadores omitidos',
      removal: 'Eliminación',
      atOnce: 'Enseguida, permanente',
      after: (delay) => `Dentro de ${delay}`,
      limit: 'Límite',
      limitLeft: (free, most) => `${free} de ${most} ofertas restantes en 24 horas`,
    },
  },
});
