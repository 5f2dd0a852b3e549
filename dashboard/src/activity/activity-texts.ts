import type { DeletionState } from '../deleter/deletion.ts';
import type { Translated } from '../web/language.ts';
import type { FilterProblem } from './activity-filter.ts';

interface ActivityTexts {
  readonly title: string;
  readonly intro: string;
  readonly find: {
    readonly heading: string;
    readonly id: string;
    readonly open: string;
    readonly unknown: string;
  };
  readonly filter: {
    readonly heading: string;
    readonly state: string;
    readonly all: string;
    readonly from: string;
    readonly to: string;
    readonly token: string;
    readonly apply: string;
    readonly problems: Readonly<Record<FilterProblem, string>>;
  };
  readonly list: {
    readonly heading: string;
    readonly none: string;
    readonly noneHere: string;
    readonly next: string;
    readonly first: string;
    readonly export: string;
  };
  readonly states: Readonly<Record<DeletionState, string>>;
  readonly chart: {
    readonly heading: string;
    readonly summary: (total: string, from: string, to: string) => string;
    readonly most: (count: string, day: string) => string;
    readonly counting: string;
    readonly reload: string;
    readonly table: string;
    readonly day: string;
    readonly deletions: string;
    readonly removed: string;
  };
  readonly refusals: {
    readonly heading: string;
    readonly none: string;
    readonly code: string;
    readonly count: string;
    readonly lastDay: string;
  };
}

export const activityTexts: Translated<ActivityTexts> = {
  en: {
    title: 'Activity',
    intro: 'All days and times are in UTC.',
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
      apply: 'Apply',
      problems: {
        'not-a-day': 'Enter a day such as 2026-01-31.',
        'ends-before-start': 'Enter a day that is not before the first one.',
      },
    },
    list: {
      heading: 'Deletions',
      none: 'There is no such deletion.',
      noneHere: 'None of the deletions that were searched fits the filter. Older ones may.',
      next: 'Older deletions',
      first: 'Newest deletions',
      export: 'Export these deletions as CSV',
    },
    states: { accepted: 'Accepted', published: 'In progress', completed: 'Completed' },
    chart: {
      heading: 'Jobs deleted per day',
      summary: (total, from, to) => `${total} jobs deleted from ${from} to ${to}, by the day of the request.`,
      most: (count, day) => `Most on one day: ${count}, on ${day}.`,
      counting: 'The jobs are still being counted.',
      reload: 'Load the page again',
      table: 'Show as a table',
      day: 'Day',
      deletions: 'Deletions',
      removed: 'Jobs deleted',
    },
    refusals: {
      heading: 'Refused requests of the last 30 days',
      none: 'No request was refused.',
      code: 'Code',
      count: 'Requests',
      lastDay: 'Last day',
    },
  },
  fr: {
    title: 'Activité',
    intro: 'Tous les jours et heures sont en UTC.',
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
      apply: 'Appliquer',
      problems: {
        'not-a-day': 'Saisissez un jour, par exemple 2026-01-31.',
        'ends-before-start': 'Saisissez un jour qui ne précède pas le premier.',
      },
    },
    list: {
      heading: 'Suppressions',
      none: 'Aucune suppression ne correspond.',
      noneHere:
        'Aucune des suppressions parcourues ne correspond au filtre. De plus anciennes peuvent correspondre.',
      next: 'Suppressions plus anciennes',
      first: 'Suppressions les plus récentes',
      export: 'Exporter ces suppressions en CSV',
    },
    states: { accepted: 'Acceptée', published: 'En cours', completed: 'Terminée' },
    chart: {
      heading: 'Offres supprimées par jour',
      summary: (total, from, to) =>
        `Offres supprimées du ${from} au ${to}, selon le jour de la requête : ${total}.`,
      most: (count, day) => `Maximum en un jour : ${count}, le ${day}.`,
      counting: 'Le comptage des offres est en cours.',
      reload: 'Recharger la page',
      table: 'Afficher sous forme de tableau',
      day: 'Jour',
      deletions: 'Suppressions',
      removed: 'Offres supprimées',
    },
    refusals: {
      heading: 'Requêtes refusées des 30 derniers jours',
      none: 'Aucune requête n’a été refusée.',
      code: 'Code',
      count: 'Requêtes',
      lastDay: 'Dernier jour',
    },
  },
  es: {
    title: 'Actividad',
    intro: 'Todos los días y horas son en UTC.',
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
      apply: 'Aplicar',
      problems: {
        'not-a-day': 'Introduzca un día, por ejemplo 2026-01-31.',
        'ends-before-start': 'Introduzca un día que no sea anterior al primero.',
      },
    },
    list: {
      heading: 'Eliminaciones',
      none: 'No hay ninguna eliminación que coincida.',
      noneHere:
        'Ninguna de las eliminaciones revisadas coincide con el filtro. Puede que otras más antiguas sí.',
      next: 'Eliminaciones más antiguas',
      first: 'Eliminaciones más recientes',
      export: 'Exportar estas eliminaciones como CSV',
    },
    states: { accepted: 'Aceptada', published: 'En curso', completed: 'Completada' },
    chart: {
      heading: 'Ofertas eliminadas por día',
      summary: (total, from, to) =>
        `Ofertas eliminadas del ${from} al ${to}, según el día de la solicitud: ${total}.`,
      most: (count, day) => `Máximo en un día: ${count}, el ${day}.`,
      counting: 'Se están contando las ofertas.',
      reload: 'Volver a cargar la página',
      table: 'Mostrar como tabla',
      day: 'Día',
      deletions: 'Eliminaciones',
      removed: 'Ofertas eliminadas',
    },
    refusals: {
      heading: 'Solicitudes rechazadas de los últimos 30 días',
      none: 'No se ha rechazado ninguna solicitud.',
      code: 'Código',
      count: 'Solicitudes',
      lastDay: 'Último día',
    },
  },
};
