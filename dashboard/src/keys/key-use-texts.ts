import { translated } from '../web/language.ts';

/** Texts of what a key is and was used for. */
export const keyUseTexts = translated({
  en: {
    none: 'No deletion on record names this token.',
    noneSearched: 'None of the deletions that were searched names this token. Older ones may.',
    all: 'All deletions of this token',
    waiting: (count: number, jobs: string, isPartial: boolean) =>
      `${isPartial ? 'At least ' : ''}${String(count)} ${count === 1 ? 'deletion of this token waits' : 'deletions of this token wait'} (${jobs})`,
    stillDone: (count: number) => `${count === 1 ? 'It is' : 'They are'} still carried out.`,
    noneRefused: 'No request with this token was refused in the last 7 days.',
    listedSoon: 'The latest refusal appears here within a few seconds, unless the token itself was refused.',
    noneListed:
      'The latest refused request is not in this list, which has the newest of the account, with a valid token.',
    unused: 'No live use yet',
    willHave: {
      token: 'Its deletions and refused requests will be here.',
      'secret-key': 'Deletions and refused requests name their token: the page of a token has them.',
    },
    ofAll: 'Activity of the account',
    sandboxOnly: 'Sandbox only',
    environment: 'Where it works',
    environments: {
      live: 'Live, and in the sandbox: it can delete every job of the account',
      sandbox: 'Only in the sandbox: it can delete nothing',
    },
    environmentProblem: 'Choose where it works.',
    deletes: 'Can delete',
    anyJob: 'any job of the account',
    nothing: 'nothing: it works in the sandbox only',
    replaced: (ago: string) => `Replaced ${ago}.`,
    lastUses: (old: string, replacement: string) =>
      `Last live use of the old key: ${old}; of the new one: ${replacement}.`,
    keepOld: 'Keep this key until the new one is used.',
    mayRevoke: 'Nobody has used this key since: you can revoke it.',
    goesWith: 'Works with',
    anyOther: { token: 'any secret key of the account', 'secret-key': 'any token of the account' },
    worksFrom: 'Works from',
    nowhere: 'no allowed domain yet',
    tryItHeading: 'Try it',
    tryIt: 'Send a first request to the sandbox. It checks the request and deletes nothing.',
    toSandbox: 'Open the sandbox',
    orRun: 'Or run this command with your token and secret key:',
  },
  fr: {
    none: 'Aucune suppression enregistrée n’a été demandée avec ce jeton.',
    noneSearched:
      'Aucune des suppressions parcourues n’a été demandée avec ce jeton. Il en existe peut-être de plus anciennes.',
    all: 'Toutes les suppressions de ce jeton',
    waiting: (count, jobs, isPartial) =>
      `${isPartial ? 'Au moins ' : ''}${String(count)} ${count === 1 ? 'suppression de ce jeton est' : 'suppressions de ce jeton sont'} en attente (${jobs})`,
    stillDone: (count) =>
      count === 1 ? 'Elle sera quand même effectuée.' : 'Elles seront quand même effectuées.',
    noneRefused: 'Aucune requête avec ce jeton n’a été refusée ces 7 derniers jours.',
    listedSoon:
      'Le dernier refus apparaîtra ici dans quelques secondes, sauf si le jeton lui-même a été refusé.',
    noneListed:
      'La dernière requête refusée n’est pas dans cette liste : elle a les plus récentes du compte, avec un jeton valide.',
    unused: 'Pas encore d’usage réel',
    willHave: {
      token: 'Ses suppressions et ses requêtes refusées apparaîtront ici.',
      'secret-key':
        'Les suppressions et les requêtes refusées sont rattachées à leur jeton : consultez la page d’un jeton.',
    },
    ofAll: 'Activité du compte',
    sandboxOnly: 'Bac à sable seulement',
    environment: 'Utilisation',
    environments: {
      live: 'En production et dans le bac à sable : peut supprimer toutes les offres du compte',
      sandbox: 'Dans le bac à sable seulement : ne peut rien supprimer',
    },
    environmentProblem: 'Choisissez l’utilisation.',
    deletes: 'Peut supprimer',
    anyJob: 'toute offre du compte',
    nothing: 'rien : bac à sable seulement',
    replaced: (ago) => `Remplacée ${ago}.`,
    lastUses: (old, replacement) =>
      `Dernier usage réel de l’ancienne clé : ${old} ; de la nouvelle : ${replacement}.`,
    keepOld: 'Gardez cette clé jusqu’à ce que la nouvelle serve.',
    mayRevoke: 'Cette clé n’a pas servi depuis : vous pouvez la révoquer.',
    goesWith: 'Fonctionne avec',
    anyOther: { token: 'toute clé secrète du compte', 'secret-key': 'tout jeton du compte' },
    worksFrom: 'Fonctionne depuis',
    nowhere: 'aucun domaine autorisé',
    tryItHeading: 'Essayer',
    tryIt: 'Envoyez une première requête au bac à sable. Il la vérifie et ne supprime rien.',
    toSandbox: 'Ouvrir le bac à sable',
    orRun: 'Ou exécutez cette commande avec votre jeton et votre clé secrète :',
  },
  es: {
    none: 'Ninguna eliminación registrada se solicitó con este token.',
    noneSearched:
      'Ninguna de las eliminaciones revisadas se solicitó con este token. Puede que otras más antiguas sí.',
    all: 'Todas las eliminaciones de este token',
    waiting: (count, jobs, isPartial) =>
      `${isPartial ? 'Al menos ' : ''}${String(count)} ${count === 1 ? 'eliminación de este token está' : 'eliminaciones de este token están'} en espera (${jobs})`,
    stillDone: (count) => `Se ${count === 1 ? 'llevará' : 'llevarán'} a cabo de todos modos.`,
    noneRefused: 'No se ha rechazado ninguna solicitud con este token en los últimos 7 días.',
    listedSoon:
      'El último rechazo aparecerá aquí en unos segundos, salvo que se haya rechazado el propio token.',
    noneListed:
      'La última solicitud rechazada no está en esta lista, que tiene las más recientes de la cuenta, con un token válido.',
    unused: 'Todavía sin uso real',
    willHave: {
      token: 'Sus eliminaciones y sus solicitudes rechazadas aparecerán aquí.',
      'secret-key':
        'Las eliminaciones y las solicitudes rechazadas se asocian a su token: consulte la página de un token.',
    },
    ofAll: 'Actividad de la cuenta',
    sandboxOnly: 'Solo pruebas',
    environment: 'Dónde funciona',
    environments: {
      live: 'En real y en el entorno de pruebas: puede eliminar todas las ofertas de la cuenta',
      sandbox: 'Solo en el entorno de pruebas: no puede eliminar nada',
    },
    environmentProblem: 'Elija dónde funciona.',
    deletes: 'Puede eliminar',
    anyJob: 'cualquier oferta de la cuenta',
    nothing: 'nada: solo funciona en el entorno de pruebas',
    replaced: (ago) => `Sustituida ${ago}.`,
    lastUses: (old, replacement) =>
      `Último uso real de la clave antigua: ${old}; de la nueva: ${replacement}.`,
    keepOld: 'Conserve esta clave hasta que se use la nueva.',
    mayRevoke: 'Nadie ha usado esta clave desde entonces: puede revocarla.',
    goesWith: 'Se usa con',
    anyOther: {
      token: 'cualquier clave secreta de la cuenta',
      'secret-key': 'cualquier token de la cuenta',
    },
    worksFrom: 'Funciona desde',
    nowhere: 'ningún dominio permitido',
    tryItHeading: 'Probar',
    tryIt: 'Envíe una primera solicitud al entorno de pruebas, que la comprueba y no elimina nada.',
    toSandbox: 'Abrir el entorno de pruebas',
    orRun: 'O ejecute este comando con su token y su clave secreta:',
  },
});
