import type { DocsTexts } from './docs-texts.ts';

export const fr: DocsTexts = {
  title: 'Supprimer des offres d’emploi en masse',
  introduction:
    'Un seul `DELETE` HTTP désigne plusieurs offres d’emploi de votre compte. Le service les supprime définitivement. Le corps est en JSON ou en XML.',
  contents: 'Sur cette page',
  languages: 'Langue de cette page',
  start: {
    heading: 'Premiers pas',
    credentials:
      'Demandez à l’exploitant de ce service un jeton d’API, une clé secrète et un domaine autorisé pour votre compte.',
    environment:
      'Enregistrez-les dans des variables d’environnement. Chaque exemple lit ces quatre variables :',
    sandbox:
      'Envoyez une suppression au bac à sable. Les chemins sous `/v1-sandbox` font toutes les vérifications et ne suppriment rien. Leur réponse a l’air réelle : seul l’en-tête `Sandbox: true` la distingue. Copiez un exemple, remplacez ses identifiants d’offres par ceux de votre compte, puis lancez-le.',
    answer: 'Lisez la réponse. Le statut 200 signifie que toutes les vérifications ont réussi :',
    live: 'Remplacez `/v1-sandbox` par `/v1` pour supprimer les offres. Envoyez une `Idempotency-Key` avec chaque requête : sans réponse, renvoyez la même requête avec la même clé. Le service supprime les offres une seule fois.',
    demo: 'Les exemples utilisent des offres du compte de démonstration, que `npm start` crée. Le fichier `data/demo.json` contient ses identifiants de connexion.',
  },
  examples: {
    heading: 'Exemples',
    introduction: 'Chaque exemple envoie une suppression au bac à sable et affiche la réponse.',
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
      'Votre navigateur envoie l’adresse de cette page comme `Origin`. Le compte doit l’autoriser. Un exploitant peut l’autoriser :',
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
  reference: {
    heading: 'Référence',
    introduction: 'Le même contrat pour les outils, sous forme de document OpenAPI 3.1 :',
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
    status: 'Lire l’état d’une suppression',
    statusRules:
      'Envoyez les mêmes en-têtes, sans `Content-Type`. `state` vaut `queued` ou `completed`. `completed_at` vaut null tant que des offres restent à supprimer.',
    waitRules: '`?wait=SECONDES`, de 0 à 30, attend la suppression.',
    ownJobs: 'Lister les offres du compte',
    ownJobsRules:
      'Envoyez les mêmes en-têtes, sans `Content-Type`. Une page compte au plus `limit` offres (de 1 à 10 000, 1 000 par défaut), dans l’ordre de leurs ids, sans les offres en file d’attente de suppression. Envoyez `next` comme `after` de la page suivante. Il est null à la fin.',
    refusals: 'Refus',
    refusalRules:
      'Le service accepte ou refuse une requête en entier. Un refus ne change rien. Son corps est un problème (RFC 9457) qui indique chaque entrée incorrecte. Les programmes utilisent `code`, qui est le même dans toutes les langues.',
    code: 'Code',
    statusCode: 'Statut',
    meaning: 'Titre',
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
