import { translated } from '../web/language.ts';

export const activityTexts = translated({
  en: {
    title: 'Activity',
    intro: 'All days are in UTC. Each time names its zone.',
    find: {
      heading: 'Find a deletion',
      id: 'Deletion-Id',
      open: 'Open',
      unknown: 'Your account has no deletion with this id.',
    },
    filter: {
      heading: 'Filter',
      state: 'State',
      all: 'All',
      from: 'From',
      to: 'To',
      token: 'Token',
      period: 'Period',
      lastDays: (days: string) => `Last ${days} days`,
      clear: 'Clear filters',
      apply: 'Apply',
      problems: {
        'not-a-day': 'Enter a day such as 2026-01-31.',
        'ends-before-start': 'Enter a day that is not before the first one.',
      },
    },
    list: {
      heading: 'Deletions',
      none: 'There is no such deletion.',
      nothing: 'Nothing has been deleted yet.',
      firstStep:
        'The first deletion appears here, with a chart of each day. Try a request first: the sandbox runs every check and deletes nothing.',
      noneHere: 'None of the deletions that were searched fits the filter. Older ones may.',
      by: 'By',
      next: 'Older deletions',
      first: 'Newest deletions',
      export: 'Export these deletions as CSV',
    },
    states: {
      waiting: 'Waiting',
      accepted: 'Accepted',
      published: 'In progress',
      completed: 'Completed',
      cancelled: 'Cancelled',
    },
    chart: {
      heading: 'Jobs deleted per day',
      summary: (total: string, from: string, to: string) =>
        `${total} jobs deleted from ${from} to ${to}, by the day of the request.`,
      most: (count: string, day: string) => `Most on one day: ${count}, on ${day}.`,
      headingOf: (state: string) => `Jobs per day: ${state}`,
      summaryOf: (total: string, from: string, to: string) =>
        `${total} jobs in these deletions, requested from ${from} to ${to}.`,
      refusedSummary: (count: string, from: string, to: string) =>
        `${count} requests refused from ${from} to ${to}, without those to the sandbox.`,
      kept: (days: string) =>
        `Deletions are kept for ${days} ${days === '1' ? 'day' : 'days'} after their end. Earlier days show fewer.`,
      cut: (days: string) => `A chart has up to ${days} days: these are the last ones of the filter.`,
      filtered:
        'The chart shows only deletions with this state and token. The refused requests are those of the whole account.',
      counting: 'The jobs are still being counted.',
      reload: 'Load the page again',
      table: 'Show as a table',
      day: 'Day',
      deletions: 'Deletions',
      removed: 'Jobs deleted',
      jobs: 'Jobs',
      refused: 'Refused requests',
    },
    refusals: {
      heading: 'Refused requests of the last 30 days',
      none: 'No request was refused.',
      code: 'Code',
      count: 'Requests',
      sandbox: 'To the sandbox',
      lastDay: 'Last day',
      each: 'See each refused request of the last 7 days',
    },
  },
  fr: {
    title: 'Activité',
    intro: 'Tous les jours sont en UTC. Chaque heure indique son fuseau.',
    find: {
      heading: 'Trouver une suppression',
      id: 'Deletion-Id',
      open: 'Ouvrir',
      unknown: 'Votre compte n’a aucune suppression avec cet identifiant.',
    },
    filter: {
      heading: 'Filtrer',
      state: 'État',
      all: 'Tous',
      from: 'Du',
      to: 'Au',
      token: 'Jeton',
      period: 'Période',
      lastDays: (days) => `${days} derniers jours`,
      clear: 'Effacer les filtres',
      apply: 'Appliquer',
      problems: {
        'not-a-day': 'Saisissez un jour, par exemple 2026-01-31.',
        'ends-before-start': 'Saisissez un jour qui ne précède pas le premier.',
      },
    },
    list: {
      heading: 'Suppressions',
      none: 'Aucune suppression ne correspond.',
      nothing: 'Rien n’a encore été supprimé.',
      firstStep:
        'La première suppression apparaîtra ici, avec un graphique par jour. Essayez d’abord une requête : le bac à sable effectue tous les contrôles et ne supprime rien.',
      noneHere:
        'Aucune des suppressions parcourues ne correspond au filtre. De plus anciennes peuvent correspondre.',
      by: 'Par',
      next: 'Suppressions plus anciennes',
      first: 'Suppressions les plus récentes',
      export: 'Exporter ces suppressions en CSV',
    },
    states: {
      waiting: 'En attente',
      accepted: 'Acceptée',
      published: 'En cours',
      completed: 'Terminée',
      cancelled: 'Annulée',
    },
    chart: {
      heading: 'Offres supprimées par jour',
      summary: (total, from, to) =>
        `Offres supprimées du ${from} au ${to}, selon le jour de la requête : ${total}.`,
      most: (count, day) => `Maximum en un jour : ${count}, le ${day}.`,
      headingOf: (state) => `Offres par jour : ${state}`,
      summaryOf: (total, from, to) => `Offres de ces suppressions, demandées du ${from} au ${to} : ${total}.`,
      refusedSummary: (count, from, to) =>
        `Requêtes refusées du ${from} au ${to}, sans celles au bac à sable : ${count}.`,
      kept: (days) =>
        `Les suppressions sont conservées ${days} ${days === '1' ? 'jour' : 'jours'} après leur fin. Les jours précédents en montrent moins.`,
      cut: (days) => `Un graphique montre au plus ${days} jours : ce sont les derniers du filtre.`,
      filtered:
        'Le graphique montre seulement les suppressions de cet état et de ce jeton. Les requêtes refusées sont celles de tout le compte.',
      counting: 'Le comptage des offres est en cours.',
      reload: 'Recharger la page',
      table: 'Afficher sous forme de tableau',
      day: 'Jour',
      deletions: 'Suppressions',
      removed: 'Offres supprimées',
      jobs: 'Offres',
      refused: 'Requêtes refusées',
    },
    refusals: {
      heading: 'Requêtes refusées des 30 derniers jours',
      none: 'Aucune requête n’a été refusée.',
      code: 'Code',
      count: 'Requêtes',
      sandbox: 'Au bac à sable',
      lastDay: 'Dernier jour',
      each: 'Voir chaque requête refusée des 7 derniers jours',
    },
  },
  es: {
    title: 'Actividad',
    intro: 'Todos los días son en UTC. Cada hora indica su zona.',
    find: {
      heading: 'Buscar una eliminación',
      id: 'Deletion-Id',
      open: 'Abrir',
      unknown: 'Su cuenta no tiene ninguna eliminación con este identificador.',
    },
    filter: {
      heading: 'Filtrar',
      state: 'Estado',
      all: 'Todos',
      from: 'Desde',
      to: 'Hasta',
      token: 'Token',
      period: 'Periodo',
      lastDays: (days) => `Últimos ${days} días`,
      clear: 'Quitar los filtros',
      apply: 'Aplicar',
      problems: {
        'not-a-day': 'Introduzca un día, por ejemplo 2026-01-31.',
        'ends-before-start': 'Introduzca un día que no sea anterior al primero.',
      },
    },
    list: {
      heading: 'Eliminaciones',
      none: 'No hay ninguna eliminación que coincida.',
      nothing: 'Todavía no se ha eliminado nada.',
      firstStep:
        'La primera eliminación aparecerá aquí, con un gráfico por día. Pruebe antes una solicitud: el entorno de pruebas hace todas las comprobaciones y no elimina nada.',
      noneHere:
        'Ninguna de las eliminaciones revisadas coincide con el filtro. Puede que otras más antiguas sí.',
      by: 'Por',
      next: 'Eliminaciones más antiguas',
      first: 'Eliminaciones más recientes',
      export: 'Exportar estas eliminaciones como CSV',
    },
    states: {
      waiting: 'En espera',
      accepted: 'Aceptada',
      published: 'En curso',
      completed: 'Completada',
      cancelled: 'Cancelada',
    },
    chart: {
      heading: 'Ofertas eliminadas por día',
      summary: (total, from, to) =>
        `Ofertas eliminadas del ${from} al ${to}, según el día de la solicitud: ${total}.`,
      most: (count, day) => `Máximo en un día: ${count}, el ${day}.`,
      headingOf: (state) => `Ofertas por día: ${state}`,
      summaryOf: (total, from, to) =>
        `Ofertas de estas eliminaciones, solicitadas del ${from} al ${to}: ${total}.`,
      refusedSummary: (count, from, to) =>
        `Solicitudes rechazadas del ${from} al ${to}, sin las del entorno de pruebas: ${count}.`,
      kept: (days) =>
        `Las eliminaciones se conservan ${days} ${days === '1' ? 'día' : 'días'} después de su fin. Los días anteriores muestran menos.`,
      cut: (days) => `Un gráfico muestra como máximo ${days} días: estos son los últimos del filtro.`,
      filtered:
        'El gráfico muestra solo las eliminaciones con este estado y este token. Las solicitudes rechazadas son las de toda la cuenta.',
      counting: 'Se están contando las ofertas.',
      reload: 'Volver a cargar la página',
      table: 'Mostrar como tabla',
      day: 'Día',
      deletions: 'Eliminaciones',
      removed: 'Ofertas eliminadas',
      jobs: 'Ofertas',
      refused: 'Solicitudes rechazadas',
    },
    refusals: {
      heading: 'Solicitudes rechazadas de los últimos 30 días',
      none: 'No se ha rechazado ninguna solicitud.',
      code: 'Código',
      count: 'Solicitudes',
      sandbox: 'Al entorno de pruebas',
      lastDay: 'Último día',
      each: 'Ver cada solicitud rechazada de los últimos 7 días',
    },
  },
});
