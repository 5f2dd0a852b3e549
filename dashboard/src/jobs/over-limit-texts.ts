import { translated } from '../web/language.ts';

export const overLimitTexts = translated({
  en: {
    sum: (jobs: string, free: string, more: string) =>
      `${jobs}, but the limit still allows ${free}: ${more} too many. Nothing was deleted.`,
    none: (jobs: string) => `${jobs}, but the limit allows none now. Nothing was deleted.`,
    limit: 'Limit in 24 hours',
    limitWith: (added: string) => `Limit in 24 hours, with ${added} allowed in addition`,
    used: 'Counted already',
    title: (more: string) => `${more} above the limit`,
    who: 'An owner can',
    you: 'You can also',
    change: 'change the limit',
    missing: 'Above the limit',
    allow: (more: string) => `Allow ${more} more, and preview`,
    allowedSoon:
      'Nothing was deleted. The limit now allows these jobs, but this takes effect only in a few seconds. Then preview them again.',
    isMore: 'More jobs are needed than you allowed, so none is allowed yet.',
  },
  fr: {
    sum: (jobs, free, more) =>
      `${jobs}, mais la limite n’en autorise plus que ${free} : ${more} de trop. Rien n’a été supprimé.`,
    none: (jobs) => `${jobs}, mais la limite n’en autorise aucune pour le moment. Rien n’a été supprimé.`,
    limit: 'Limite en 24 heures',
    limitWith: (added) => `Limite en 24 heures, dont ${added} en plus`,
    used: 'Déjà comptées',
    title: (more) => `${more} au-dessus de la limite`,
    who: 'Un propriétaire peut',
    you: 'Vous pouvez aussi',
    change: 'changer la limite',
    missing: 'Au-dessus de la limite',
    allow: (more) => `En autoriser ${more} de plus et voir l’aperçu`,
    allowedSoon:
      'Rien n’a été supprimé. La limite autorise désormais ces offres, mais cela ne prend effet que dans quelques secondes. Affichez alors de nouveau l’aperçu.',
    isMore: 'Il en faut plus que vous n’en avez autorisé : aucune n’est encore autorisée.',
  },
  es: {
    sum: (jobs, free, more) =>
      `${jobs}, pero el límite aún permite ${free}: ${more} de más. No se ha eliminado nada.`,
    none: (jobs) => `${jobs}, pero el límite no permite ninguna por ahora. No se ha eliminado nada.`,
    limit: 'Límite en 24 horas',
    limitWith: (added) => `Límite en 24 horas, con ${added} más`,
    used: 'Ya contadas',
    title: (more) => `${more} por encima del límite`,
    who: 'Un propietario puede',
    you: 'También puede',
    change: 'cambiar el límite',
    missing: 'Por encima del límite',
    allow: (more) => `Permitir ${more} más y ver la vista previa`,
    allowedSoon:
      'No se ha eliminado nada. El límite ya permite estas ofertas, pero surte efecto solo dentro de unos segundos. Abra entonces de nuevo la vista previa.',
    isMore: 'Hacen falta más de las que ha permitido: aún no se permite ninguna.',
  },
});
