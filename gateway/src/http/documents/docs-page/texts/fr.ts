import type { DocsTexts } from '../docs-page.ts';

export const fr: DocsTexts = {
  title: 'Supprimer des offres d’emploi en masse',
  introduction:
    'Une seule requête HTTP supprime jusqu’à {jobs} offres d’emploi de votre compte, en JSON ou en XML. Une suppression est définitive.',
  promises: {
    'Tout ou rien':
      'Une requête avec un identifiant incorrect ne change rien. La réponse indique chaque identifiant incorrect, et comment le corriger.',
    'Répétable sans risque': 'Avec une `Idempotency-Key`, une requête répétée ne supprime jamais deux fois.',
    Durable:
      'Le statut 200 signifie que chaque offre de la requête sera supprimée, quoi qu’il arrive entre-temps.',
  },
  contents: 'Sur cette page',
  languages: 'Langue de cette page',
  yourOrigin: 'Votre origine',
  yourOriginHint: 'L’adresse de votre site. Elle complète les exemples de cette page.',
  start: {
    heading: 'Premiers pas',
    credentials:
      'Obtenez un jeton d’API, une clé secrète et un domaine autorisé pour votre compte : dans le tableau de bord, ou auprès de l’assistance.',
    environment:
      'Enregistrez-les dans des variables d’environnement. Chaque exemple lit ces quatre variables :',
    sandbox:
      'Envoyez une suppression au bac à sable. Les chemins sous `/v1-sandbox` font toutes les vérifications et ne suppriment rien. Copiez un exemple, remplacez ses identifiants d’offres par ceux de votre compte, puis lancez-le.',
    answer: 'Lisez la réponse. Le statut 200 signifie que toutes les vérifications ont réussi :',
    live: 'Remplacez `/v1-sandbox` par `/v1` pour supprimer les offres.',
    looksLive: 'La réponse du bac à sable a l’air réelle. Seul l’en-tête `Sandbox: true` la distingue.',
  },
  examples: {
    heading: 'Exemples',
    introduction:
      'Chaque exemple envoie une suppression au bac à sable, avec une `Idempotency-Key`. Il répète la requête après 429, 502, 503, 504 et une connexion perdue, et attend comme `Retry-After` le dit. Il affiche la réponse, et échoue si le statut n’est pas 200.',
    language: 'Langage',
    format: 'Format',
    run: 'Pour le lancer :',
    copy: 'Copier',
    copied: 'Copié',
  },
  sandbox: {
    heading: 'Essayer le bac à sable',
    introduction: 'Ce formulaire envoie une suppression au bac à sable. Il ne supprime rien.',
    memory:
      'La page garde vos identifiants de connexion uniquement dans sa mémoire. Ils disparaissent quand vous fermez la page.',
    origin:
      'Votre navigateur envoie l’adresse de cette page comme `Origin`. Votre compte doit l’autoriser : ajoutez ce domaine dans le tableau de bord, ou demandez à l’assistance.',
    needsScript: 'Le formulaire a besoin de JavaScript.',
    format: 'Format',
    token: 'Jeton d’API',
    secretKey: 'Clé secrète',
    jobIds: 'Identifiants des offres',
    jobIdsHint: 'Un identifiant par ligne.',
    send: 'Envoyer au bac à sable',
    sending: 'Envoi en cours…',
    answer: 'Réponse',
    noAnswer: 'Pas de réponse. Vérifiez les champs et votre connexion, puis réessayez.',
  },
  retries: {
    heading: 'Répéter sans risque',
    introduction:
      'Envoyez une `Idempotency-Key` avec chaque suppression. Tirez une clé par requête, par exemple un UUID, et enregistrez-la avant d’envoyer la requête. Répétez les mêmes identifiants, dans le même ordre, avec la même clé, jusqu’à ce que vous ayez une réponse.',
    got: 'Vous recevez',
    action: 'Que faire',
    answers: {
      '`200`': 'La suppression est acceptée. `Idempotent-Replayed: true` marque une réponse répétée.',
      'Aucune réponse, `502`, `504`': 'Le résultat est inconnu. Attendez, puis renvoyez la même requête.',
      '`503`':
        'Attendez aussi longtemps que `Retry-After` le dit, puis renvoyez la même requête. Les offres sont peut-être déjà supprimées.',
      '`429`':
        'Attendez aussi longtemps que `Retry-After` le dit, puis renvoyez la même requête. Rien n’a changé.',
      'de `400` à `413`': 'Corrigez d’abord la requête. Une requête refusée ne consomme pas sa clé.',
      '`500`': 'Signalez le `Request-Id` à l’assistance. Vous pouvez répéter la requête avec sa clé.',
    },
    rules: [
      'Doublez l’attente après chaque essai, jusqu’à 30 secondes, et rendez-la aléatoire. N’attendez jamais moins que `Retry-After`.',
      'Sans clé, une requête répétée reçoit 404 : la première a peut-être supprimé les offres.',
      'Une clé avec d’autres identifiants reçoit 400 `idempotency_key_reused`.',
      'Le service garde une clé au moins 24 heures. Le bac à sable n’en garde aucune.',
    ],
  },
  errors: {
    heading: 'Erreurs',
    introduction:
      'Le service accepte ou refuse une requête en entier. Un refus ne change rien. Son corps est un problème (RFC 9457), dans votre langue, qui indique chaque entrée incorrecte. Les programmes utilisent `code`, qui est le même dans toutes les langues.',
    code: 'Code',
    statusCode: 'Statut',
    meaning: 'Titre',
    request: {
      heading: 'Corriger la requête',
      text: 'Ne la répétez pas telle quelle. `errors` et `detail` disent ce qui ne va pas.',
    },
    credentials: {
      heading: 'Corriger les identifiants de connexion',
      text: 'Vérifiez le jeton, la clé secrète, leur expiration et les domaines autorisés.',
    },
    wait: {
      heading: 'Attendre, puis répéter',
      text: 'Renvoyez la même requête après `Retry-After`, avec la même clé.',
    },
    support: {
      heading: 'Demander à l’assistance',
      text: 'Envoyez le `Request-Id` de la réponse.',
    },
  },
  limits: {
    heading: 'Limites de débit',
    introduction:
      'Votre compte peut avoir une limite de requêtes, et une d’offres, par fenêtre de temps. Chaque réponse indique alors les deux limites et ce qui reste :',
    rules: [
      'Dans `RateLimit-Policy`, `q` est le quota et `w` la fenêtre en secondes. Dans `RateLimit`, `r` est ce qui reste et `t` le nombre de secondes jusqu’à la fin de la fenêtre.',
      'Au-delà d’une limite, la réponse est 429 `too_many_requests` avec `Retry-After`. Rien n’a changé.',
      'Le bac à sable a son propre quota, de la même taille. Lire un état ou une liste compte comme une requête.',
      'Un réseau qui envoie trop d’identifiants de connexion incorrects reçoit aussi 429.',
      'Le statut 503 n’est pas une limite de débit : le service est occupé, ou une de ses parties est absente.',
    ],
  },
  keys: {
    heading: 'Clés et jetons',
    introduction:
      'Une requête a besoin d’un jeton d’API, d’une clé secrète du même compte, et d’un domaine autorisé comme `Origin`.',
    rules: [
      'Le tableau de bord montre un jeton ou une clé une seule fois, à sa création. Gardez les deux dans le coffre de secrets de vos serveurs, jamais dans une page web ou une application.',
      'Chacun peut avoir une date d’expiration. Vous pouvez en révoquer un à tout moment. Il cesse de fonctionner en moins de 5 secondes.',
      'Un compte peut en avoir autant qu’il veut, par exemple une paire par programme.',
    ],
    rotation: 'Remplacez un jeton ou une clé avant son expiration, sans interruption :',
    rotationSteps: [
      'Créez-en un deuxième.',
      'Donnez-le à votre programme.',
      'Attendez que le tableau de bord montre que l’ancien n’est plus utilisé.',
      'Révoquez l’ancien.',
    ],
    forbidden:
      'Si un programme qui fonctionnait reçoit 403, ses identifiants de connexion ont expiré ou ont été révoqués, ou le domaine n’est plus autorisé. Le `code` dit lequel. Répéter n’aide pas : remplacez le jeton ou la clé, ou autorisez le domaine.',
  },
  permanent: {
    heading: 'Une suppression est irréversible',
    warning:
      'Personne ne peut faire revenir une offre d’emploi supprimée. Vérifiez d’abord les identifiants dans le bac à sable.',
    rules: [
      'Une offre publiée de nouveau sous le même identifiant est une autre offre. Aucune suppression antérieure ne la retire.',
      'Votre compte peut avoir une limite d’offres à supprimer en 24 heures. Une requête au-delà reçoit 403 `deletion_limit_exceeded`, et ne change rien.',
    ],
    delayHeading: 'Délai et annulation',
    delay:
      'Votre compte peut avoir un délai entre l’acceptation et la suppression, jusqu’à 30 jours. Jusqu’à `removal_at`, cette requête annule la suppression en entier :',
    cancelRules: [
      'La réponse a le `state` `cancelled`. Les offres restent, et une autre clé permet de les supprimer de nouveau.',
      'Annuler deux fois donne la même réponse.',
      'Quand la suppression a commencé, ou sans délai, la réponse est 409 `deletion_not_cancellable`.',
    ],
  },
  clients: {
    heading: 'Clients et ligne de commande',
    introduction:
      'Les clients officiels répartissent autant d’identifiants que vous voulez en requêtes, envoient des clés, réessaient, et continuent après une interruption. Si votre registre n’a pas ces paquets, demandez leurs fichiers à l’assistance.',
    command: 'Ligne de commande',
    commandHint: 'Elle a besoin de Node. La même commande continue un travail interrompu.',
  },
  rehearsal: {
    heading: 'Répéter à blanc',
    introduction:
      'Le bac à sable ne se souvient de rien : il n’a ni `Deletion-Id`, ni état, ni réponse répétée. Essayez-les sur votre machine, avec un compte de démonstration de 1 000 offres. Il vous faut le code source de jobs-delete et Node :',
    script: 'Puis lancez ce script dans le même dossier :',
    reset: '`npm start -- --reset-demo` rétablit les offres de démonstration supprimées.',
  },
  reference: {
    heading: 'Référence',
    introduction: 'Le même contrat pour les outils, sous forme de document OpenAPI 3.1 :',
    headers: 'Chaque requête a besoin de ces en-têtes. Seule une suppression a besoin de `Content-Type`.',
    deletion: 'Supprimer des offres',
    deletionPaths: 'Chemins',
    live: 'supprime les offres',
    checksOnly: 'vérifie la requête',
    path: 'Chemin',
    effect: 'Effet',
    requestHeaders: 'En-têtes de la requête',
    optional: 'facultatif',
    body: 'Corps',
    bodyRules:
      'Un identifiant d’offre a de 4 à 128 lettres et chiffres, et figure une seule fois dans la requête. Une requête contient au plus {jobs} offres et au plus {bytes} octets, codés en UTF-8.',
    answer: 'Réponse 200',
    answerRules:
      'La réponse est en JSON sur tous les chemins. Elle a un résultat par offre, dans l’ordre de la requête. La suppression est enregistrée durablement.',
    answerHeaders: 'En-têtes de la réponse',
    whoami: 'Vérifier vos identifiants d’accès',
    whoamiRules:
      'La réponse est 200, avec le compte, si les identifiants d’accès fonctionnent. `expires_at` vaut null si un identifiant n’expire pas. `origin` est celle de la requête. Des identifiants incorrects reçoivent le même refus qu’une suppression.',
    status: 'Lire l’état d’une suppression',
    statusRules:
      '`state` vaut `queued`, `completed` ou `cancelled`. `completed_at` vaut null tant que des offres restent à supprimer. `?wait=SECONDES`, de 0 à 30, attend la suppression.',
    ownJobs: 'Lister les offres du compte',
    ownJobsRules:
      'Une page compte au plus `limit` offres (de 1 à 10 000, 1 000 par défaut), dans l’ordre de leurs ids, sans les offres en file d’attente de suppression. Envoyez `next` comme `after` de la page suivante. Il est null à la fin.',
  },
  requestHeaders: {
    Authorization: '`Bearer JETON`, avec un jeton d’API du compte',
    Usersecretkey: 'une clé secrète du même compte',
    Origin: 'une origine qui correspond à un domaine autorisé du compte',
    'Content-Type': '`application/json` ou `application/xml`, comme dans le chemin',
    'Content-Encoding': 'pas de compression : seulement `identity`',
    'Accept-Language': 'la langue des textes : `fr`, `en` ou `es`',
    'User-Agent': 'commence par `NOM/VERSION`',
    'X-Client-Lang': 'la technologie du client, comme `PHP` ou `C#`',
    'Idempotency-Key':
      'de 1 à 255 caractères ASCII imprimables ; la même clé avec les mêmes identifiants redonne la première réponse',
    Prefer:
      '`errors=all` : un refus nomme toutes les entrées incorrectes, et pas seulement les 100 premières',
  },
  answerHeaders: {
    'Request-Id': 'un UUID ; citez-le quand vous signalez un défaut',
    'Content-Language': 'la langue des textes',
    'Deletion-Id': 'l’identifiant de la suppression ; absent dans le bac à sable',
    'Idempotent-Replayed': '`true` si c’est de nouveau la première réponse',
    'Preference-Applied':
      '`errors=all` si le refus nomme toutes les entrées incorrectes, selon la préférence',
    Sandbox: '`true` dans le bac à sable',
    'Retry-After': 'le nombre de secondes à attendre avant le prochain essai',
    RateLimit: 'le reste du quota, si le compte en a un',
    'RateLimit-Policy': 'le quota',
    'Cache-Control': '`no-store` : aucun cache ne peut garder la réponse',
    Allow: 'avec 405 : les méthodes du chemin',
    'WWW-Authenticate': 'avec 401 : `Bearer`',
  },
};
