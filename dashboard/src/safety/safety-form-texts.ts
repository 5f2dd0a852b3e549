import { translated } from '../web/language.ts';

/** The texts of the forms that change the rules. */
export const safetyFormTexts = translated({
  en: {
    allowPage: {
      title: 'Allow more deletions',
      intro: 'Check first that the jobs are the right ones. The audit trail will name you.',
      jobs: 'Additional jobs',
      jobsHint: 'A whole number from 1. They are added to the limit until the time is over.',
      hours: 'Allow them for',
      hour: (hours: number) => (hours === 1 ? '1 hour' : `${String(hours)} hours`),
      submit: 'Allow',
    },
    limitPage: {
      warning:
        'A change is lasting. A higher limit protects less against mistakes and against a stolen session. To delete more jobs once, allow more for a time.',
      kind: 'Limit',
      kinds: {
        jobs: 'A number of jobs in 24 hours',
        percent: 'A percentage of the jobs in 24 hours',
        none: 'No limit: requests may delete every job',
      },
      noneWarning:
        'The account loses the protection of its limit: one mistake, or one stolen session, may delete all of its jobs.',
      belowUse: (day: string, jobs: string, most: string, refused: string) =>
        `On ${day}, deletions of ${jobs} were accepted. A limit of ${most} would have refused at least ${refused} of them.`,
      amounts: { jobs: 'Jobs', percent: 'Percent, up to 100' },
      account: 'This account',
      jobsNow: 'Jobs now',
      deleted: 'Counted in the last 24 hours',
      protectsNothing: (count: string) => `A limit of ${count} jobs or more protects nothing now.`,
      zero: '0 refuses every deletion, except additional jobs.',
      shareNow: (percent: string, jobs: string, count: string) =>
        `${percent}% of ${count} jobs now: ${jobs} jobs a day.`,
      jobsOf: (jobs: string, percent: string, count: string) =>
        `${jobs} jobs a day: ${percent}% of ${count} jobs now.`,
    },
    delayPage: {
      scope: 'A change concerns later requests only.',
      noneWarning: 'Without a delay, jobs are removed at once and permanently: nobody can cancel a mistake.',
      delay: 'Delay',
      effect: 'What a delay does',
      steps: [
        'The API accepts a request.',
        'Until the delay is over, owners, managers and the API can cancel the deletion.',
        'The jobs are removed. Nobody can bring them back.',
      ],
    },
    saveAnyway: 'Save it anyway',
    problems: {
      jobs: 'Enter a whole number from 1.',
      hours: 'Choose a time.',
      amounts: { jobs: 'Enter a whole number from 0.', percent: 'Enter a whole number from 0 to 100.' },
      kind: 'Choose a limit.',
      delay: 'Choose a delay.',
      tooMany:
        'The account has too many allowances. Each counts until its time is over, also one that was ended early.',
    },
  },
  fr: {
    allowPage: {
      title: 'Autoriser davantage de suppressions',
      intro: 'Vérifiez d’abord que les offres sont les bonnes. Votre nom figurera dans le journal d’audit.',
      jobs: 'Offres supplémentaires',
      jobsHint: 'Un nombre entier à partir de 1. Elles s’ajoutent à la limite jusqu’à la fin de cette durée.',
      hours: 'Les autoriser pendant',
      hour: (hours) => (hours === 1 ? '1 heure' : `${String(hours)} heures`),
      submit: 'Autoriser',
    },
    limitPage: {
      warning:
        'La modification est durable. Une limite plus élevée protège moins contre les erreurs et contre le détournement d’une session. Pour supprimer plus d’offres une seule fois, autorisez-en temporairement davantage.',
      kind: 'Limite',
      kinds: {
        jobs: 'Un nombre d’offres en 24 heures',
        percent: 'Un pourcentage des offres en 24 heures',
        none: 'Aucune limite : des requêtes peuvent supprimer toutes les offres',
      },
      noneWarning:
        'Le compte perd la protection de sa limite : une seule erreur, ou le détournement d’une session, peut supprimer toutes ses offres.',
      belowUse: (day, jobs, most, refused) =>
        `Le ${day}, des suppressions de ${jobs} ont été acceptées. Une limite de ${most} en aurait refusé au moins ${refused}.`,
      amounts: { jobs: 'Offres', percent: 'Pourcentage, jusqu’à 100' },
      account: 'Ce compte',
      jobsNow: 'Offres en ce moment',
      deleted: 'Comptées ces dernières 24 heures',
      protectsNothing: (count) => `Une limite de ${count} offres ou plus ne protège rien en ce moment.`,
      zero: '0 refuse toute suppression, sauf les offres supplémentaires.',
      shareNow: (percent, jobs, count) =>
        `${percent}\u00a0% des ${count} offres actuelles\u00a0: ${jobs} offres par jour.`,
      jobsOf: (jobs, percent, count) =>
        `${jobs} offres par jour\u00a0: ${percent}\u00a0% des ${count} offres actuelles.`,
    },
    delayPage: {
      scope: 'La modification ne concerne que les requêtes suivantes.',
      noneWarning:
        'Sans délai, les offres sont supprimées aussitôt et définitivement : personne ne peut annuler une erreur.',
      delay: 'Délai',
      effect: 'Ce que fait un délai',
      steps: [
        'L’API accepte une requête.',
        'Jusqu’à la fin du délai, propriétaires, gestionnaires et API peuvent annuler la suppression.',
        'Les offres sont supprimées. Personne ne peut les rétablir.',
      ],
    },
    saveAnyway: 'Enregistrer quand même',
    problems: {
      jobs: 'Saisissez un nombre entier à partir de 1.',
      hours: 'Choisissez une durée.',
      amounts: {
        jobs: 'Saisissez un nombre entier à partir de 0.',
        percent: 'Saisissez un nombre entier de 0 à 100.',
      },
      kind: 'Choisissez une limite.',
      delay: 'Choisissez un délai.',
      tooMany:
        'Le compte a trop d’autorisations. Chacune compte jusqu’à son terme, même si l’on y a mis fin plus tôt.',
    },
  },
  es: {
    allowPage: {
      title: 'Permitir más eliminaciones',
      intro:
        'Compruebe antes que las ofertas son las correctas. Su nombre figurará en el registro de auditoría.',
      jobs: 'Ofertas adicionales',
      jobsHint: 'Un número entero a partir de 1. Se suman al límite hasta que termine este tiempo.',
      hours: 'Permitirlas durante',
      hour: (hours) => (hours === 1 ? '1 hora' : `${String(hours)} horas`),
      submit: 'Permitir',
    },
    limitPage: {
      warning:
        'El cambio es duradero. Un límite más alto protege menos contra los errores y contra el robo de una sesión. Para eliminar más ofertas una sola vez, permita más temporalmente.',
      kind: 'Límite',
      kinds: {
        jobs: 'Un número de ofertas en 24 horas',
        percent: 'Un porcentaje de las ofertas en 24 horas',
        none: 'Sin límite: las solicitudes pueden eliminar todas las ofertas',
      },
      noneWarning:
        'La cuenta pierde la protección de su límite: un solo error, o el robo de una sesión, puede eliminar todas sus ofertas.',
      belowUse: (day, jobs, most, refused) =>
        `El ${day} se aceptaron eliminaciones de ${jobs}. Un límite de ${most} habría rechazado al menos ${refused}.`,
      amounts: { jobs: 'Ofertas', percent: 'Porcentaje, hasta 100' },
      account: 'Esta cuenta',
      jobsNow: 'Ofertas en este momento',
      deleted: 'Contadas en las últimas 24 horas',
      protectsNothing: (count) => `Un límite de ${count} ofertas o más no protege nada ahora.`,
      zero: '0 rechaza cualquier eliminación, salvo las ofertas adicionales.',
      shareNow: (percent, jobs, count) =>
        `${percent}\u00a0% de las ${count} ofertas actuales: ${jobs} ofertas al día.`,
      jobsOf: (jobs, percent, count) =>
        `${jobs} ofertas al día: ${percent}\u00a0% de las ${count} ofertas actuales.`,
    },
    delayPage: {
      scope: 'El cambio afecta solo a las solicitudes posteriores.',
      noneWarning:
        'Sin plazo, las ofertas se eliminan enseguida y de forma permanente: nadie puede cancelar un error.',
      delay: 'Plazo',
      effect: 'Qué hace un plazo',
      steps: [
        'La API acepta una solicitud.',
        'Hasta el final del plazo, propietarios, gestores y API pueden cancelar la eliminación.',
        'Las ofertas se eliminan. Nadie puede recuperarlas.',
      ],
    },
    saveAnyway: 'Guardar de todos modos',
    problems: {
      jobs: 'Introduzca un número entero a partir de 1.',
      hours: 'Elija un tiempo.',
      amounts: {
        jobs: 'Introduzca un número entero a partir de 0.',
        percent: 'Introduzca un número entero de 0 a 100.',
      },
      kind: 'Elija un límite.',
      delay: 'Elija un plazo.',
      tooMany:
        'La cuenta tiene demasiados permisos. Cada uno cuenta hasta su hora final, aunque se haya terminado antes.',
    },
  },
});
