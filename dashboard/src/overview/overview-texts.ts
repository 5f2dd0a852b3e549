import { translated } from '../web/language.ts';

export const overviewTexts = translated({
  en: {
    title: 'Overview',
    toDo: 'To do',
    jobs: 'Jobs now',
    // Fits into two lines.
    waitingJobs: (_count: number, jobs: string) => `including ${jobs} waiting`,
    waiting: 'Deletions waiting',
    ofJobs: (count: number, jobs: string) => (count === 1 ? 'with 1 job' : `with ${jobs} jobs`),
    today: 'Jobs deleted today',
    week: 'Deleted in 7 days',
    month: 'Jobs deleted in 30 days',
    refused: 'Refused in 30 days',
    yesterday: (jobs: string) => `${jobs} yesterday`,
    weekBefore: (jobs: string) => `${jobs} the week before`,
    deletions: (count: number, text: string) =>
      count === 1 ? 'one deletion accepted' : `${text} deletions accepted`,
    ofAll: (share: string) => `${share} of all requests`,
    counting: 'counting…',
    empty: 'This page shows the figures of the account once it has jobs.',
    explanation: {
      heading: 'How a deletion works',
      steps: [
        ['Your site sends ids', 'With a token, a secret key and its origin, up to 10,000 in a request.'],
        ['The API checks them', 'Each job must be yours. A limit, if you set one, refuses too many.'],
        [
          'The deletion is accepted',
          'From then on, it is not lost. A delay, if you set one, leaves time to cancel.',
        ],
        ['The jobs are removed', 'Permanently. A receipt keeps their ids.'],
      ],
    },
    unprotected: {
      title: 'Nothing protects this account',
      text: 'No limit stops a wrong deletion, and no delay leaves time to cancel it.',
      set: 'Set a limit or a delay',
      see: 'See the safety rules',
    },
    checklist: {
      heading: 'Get started',
      progress: (done: number, all: number) => `${String(done)} of ${String(all)} done`,
      done: 'Done',
      managerOnly: 'A manager does this.',
      ownerOnly: 'An owner does this.',
      needsJobs: 'Needs jobs first',
      steps: {
        jobs: {
          title: 'Have the operator import your jobs',
          gives: 'Only imported jobs can be deleted.',
          action: 'See how',
        },
        domain: {
          title: 'Allow the domain of your site',
          gives: 'The API then accepts requests that come from its pages.',
          action: 'Allow a domain',
        },
        keys: {
          title: 'Create a token and a secret key',
          gives: 'The token names your account, and the secret key proves it.',
          action: 'Create keys',
        },
        sandbox: {
          title: 'Send a request from your site',
          gives: 'Try it in the sandbox first: it runs every check and deletes nothing.',
          action: 'Open the sandbox',
        },
        limit: {
          title: 'Set a limit or a delay',
          gives: 'Without a limit, requests may delete every job.',
          action: 'Set a limit',
        },
        deletion: {
          title: 'Delete your first jobs',
          gives: 'This page then shows what was deleted on each day.',
          action: 'See your jobs',
        },
      },
    },
    latest: 'Latest deletions',
    all: 'All deletions',
    unavailable: 'The deletions are not available at the moment. Load the page again.',
  },
  fr: {
    title: 'Vue d’ensemble',
    toDo: 'À faire',
    jobs: 'Offres actuelles',
    waitingJobs: (_count, jobs) => `dont ${jobs} en attente`,
    waiting: 'Suppressions en attente',
    ofJobs: (count, jobs) => (count === 1 ? 'pour 1 offre' : `pour ${jobs} offres`),
    today: 'Offres supprimées aujourd’hui',
    week: 'Supprimées en 7 jours',
    month: 'Offres supprimées en 30 jours',
    refused: 'Refusées en 30 jours',
    yesterday: (jobs) => `${jobs} hier`,
    weekBefore: (jobs) => `${jobs} la semaine d’avant`,
    deletions: (count, text) => (count === 1 ? 'une suppression acceptée' : `${text} suppressions acceptées`),
    ofAll: (share) => `${share} des requêtes`,
    counting: 'comptage…',
    empty: 'Cette page montrera les chiffres du compte dès qu’il aura des offres.',
    explanation: {
      heading: 'Comment se passe une suppression',
      steps: [
        [
          'Votre site envoie des identifiants',
          'Avec un jeton, une clé secrète et son origine, jusqu’à 10 000 par requête.',
        ],
        [
          'L’API les contrôle',
          'Chaque offre doit être à vous. Une limite, si vous en fixez une, refuse l’excès.',
        ],
        [
          'La suppression est acceptée',
          'Dès lors, elle ne peut plus se perdre. Un délai, si vous en fixez un, laisse le temps d’annuler.',
        ],
        ['Les offres sont supprimées', 'Définitivement. Le reçu garde leurs identifiants.'],
      ],
    },
    unprotected: {
      title: 'Rien ne protège ce compte',
      text: 'Aucune limite n’arrête une suppression par erreur, et aucun délai ne laisse le temps de l’annuler.',
      set: 'Fixer une limite ou un délai',
      see: 'Voir les garde-fous',
    },
    checklist: {
      heading: 'Pour commencer',
      progress: (done, all) => `${String(done)} sur ${String(all)}`,
      done: 'Fait',
      managerOnly: 'Un gestionnaire s’en charge.',
      ownerOnly: 'Un propriétaire s’en charge.',
      needsJobs: 'Les offres d’abord',
      steps: {
        jobs: {
          title: 'Faire importer vos offres par l’exploitant',
          gives: 'Seules les offres importées peuvent être supprimées.',
          action: 'Voir comment',
        },
        domain: {
          title: 'Autoriser le domaine de votre site',
          gives: 'L’API accepte alors les requêtes qui viennent de ses pages.',
          action: 'Autoriser un domaine',
        },
        keys: {
          title: 'Créer un jeton et une clé secrète',
          gives: 'Le jeton désigne votre compte, et la clé secrète l’authentifie.',
          action: 'Créer des clés',
        },
        sandbox: {
          title: 'Envoyer une requête de votre site',
          gives:
            'Essayez-la d’abord dans le bac à sable : il effectue tous les contrôles et ne supprime rien.',
          action: 'Ouvrir le bac à sable',
        },
        limit: {
          title: 'Fixer une limite ou un délai',
          gives: 'Sans limite, des requêtes peuvent supprimer toutes les offres.',
          action: 'Fixer une limite',
        },
        deletion: {
          title: 'Supprimer vos premières offres',
          gives: 'Cette page montre ensuite ce qui a été supprimé chaque jour.',
          action: 'Voir vos offres',
        },
      },
    },
    latest: 'Dernières suppressions',
    all: 'Toutes les suppressions',
    unavailable: 'Les suppressions sont indisponibles pour le moment. Rechargez la page.',
  },
  es: {
    title: 'Resumen',
    toDo: 'Por hacer',
    jobs: 'Ofertas actuales',
    waitingJobs: (count, jobs) => (count === 1 ? 'incluida 1 en espera' : `incluidas ${jobs} en espera`),
    waiting: 'Eliminaciones en espera',
    ofJobs: (count, jobs) => (count === 1 ? 'de 1 oferta' : `de ${jobs} ofertas`),
    today: 'Ofertas eliminadas hoy',
    week: 'Eliminadas en 7 días',
    month: 'Ofertas eliminadas en 30 días',
    refused: 'Rechazadas en 30 días',
    yesterday: (jobs) => `${jobs} ayer`,
    weekBefore: (jobs) => `${jobs} la semana anterior`,
    deletions: (count, text) =>
      count === 1 ? 'una eliminación aceptada' : `${text} eliminaciones aceptadas`,
    ofAll: (share) => `${share} de las solicitudes`,
    counting: 'contando…',
    empty: 'Esta página mostrará las cifras de la cuenta en cuanto tenga ofertas.',
    explanation: {
      heading: 'Cómo se realiza una eliminación',
      steps: [
        [
          'Su sitio envía identificadores',
          'Con un token, una clave secreta y su origen, hasta 10.000 por solicitud.',
        ],
        ['La API los comprueba', 'Cada oferta debe ser suya. Un límite, si lo fija, rechaza el exceso.'],
        [
          'La eliminación se acepta',
          'Desde ese momento ya no puede perderse. Un plazo, si lo fija, deja tiempo para cancelarla.',
        ],
        ['Las ofertas se eliminan', 'De forma permanente. El recibo conserva sus identificadores.'],
      ],
    },
    unprotected: {
      title: 'Nada protege esta cuenta',
      text: 'Ningún límite detiene una eliminación por error, y ningún plazo deja tiempo para cancelarla.',
      set: 'Fijar un límite o un plazo',
      see: 'Ver la protección',
    },
    checklist: {
      heading: 'Primeros pasos',
      progress: (done, all) => `${String(done)} de ${String(all)}`,
      done: 'Hecho',
      managerOnly: 'Lo hace un gestor.',
      ownerOnly: 'Lo hace un propietario.',
      needsJobs: 'Primero las ofertas',
      steps: {
        jobs: {
          title: 'Pedir al operador que importe sus ofertas',
          gives: 'Solo se pueden eliminar ofertas importadas.',
          action: 'Ver cómo',
        },
        domain: {
          title: 'Permitir el dominio de su sitio',
          gives: 'La API acepta entonces las solicitudes que vienen de sus páginas.',
          action: 'Permitir un dominio',
        },
        keys: {
          title: 'Crear un token y una clave secreta',
          gives: 'El token identifica su cuenta, y la clave secreta la autentica.',
          action: 'Crear claves',
        },
        sandbox: {
          title: 'Enviar una solicitud desde su sitio',
          gives: 'Pruébela antes en el entorno de pruebas: hace todas las comprobaciones y no elimina nada.',
          action: 'Abrir el entorno de pruebas',
        },
        limit: {
          title: 'Fijar un límite o un plazo',
          gives: 'Sin límite, las solicitudes pueden eliminar todas las ofertas.',
          action: 'Fijar un límite',
        },
        deletion: {
          title: 'Eliminar sus primeras ofertas',
          gives: 'Esta página muestra después lo que se eliminó cada día.',
          action: 'Ver sus ofertas',
        },
      },
    },
    latest: 'Últimas eliminaciones',
    all: 'Todas las eliminaciones',
    unavailable: 'Las eliminaciones no están disponibles por el momento. Vuelva a cargar la página.',
  },
});
