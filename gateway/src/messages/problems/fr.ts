import type { ProblemCode, ProblemTexts } from '../problems.ts';

export const fr: Record<ProblemCode, ProblemTexts> = {
  job_id_required: {
    title: "Le champ 'id' est obligatoire.",
    meaning: 'Une entrée de la requête n’a pas d’identifiant : son champ `id` est absent, `null` ou vide.',
    remedy: 'Ajoutez le champ `id` ou supprimez l’entrée. `errors` indique chaque entrée concernée.',
  },
  job_id_malformed: {
    title: "Le champ 'id' doit contenir de 4 à 128 caractères alphanumériques.",
    meaning:
      'Un identifiant n’est pas une chaîne de 4 à 128 caractères parmi `A` à `Z`, `a` à `z` et `0` à `9`.',
    remedy:
      'Corrigez les identifiants indiqués dans `errors`. En JSON, placez chaque identifiant entre guillemets, même s’il n’a que des chiffres : `"12345"`.',
  },
  job_id_duplicated: {
    title: "Chaque 'id' doit être unique dans la requête.",
    meaning: 'Un identifiant figure plusieurs fois dans la requête.',
    remedy: 'Supprimez les entrées indiquées dans `errors`. Chacune répète une entrée précédente.',
  },
  body_malformed: {
    title: 'Le corps de la requête est invalide.',
    meaning: 'Le corps est absent, ou n’est pas du JSON ou du XML valide de la forme attendue.',
    remedy:
      'Corrigez ce que `detail` et `errors` indiquent. En JSON, la forme est `{"jobs": {"job": [{"id": "ABC123"}]}}`. En XML, la forme est `<jobs><job><id>ABC123</id></job></jobs>`.',
  },
  too_many_jobs: {
    title: 'La requête contient trop d’offres d’emploi.',
    meaning: 'La requête contient plus d’offres d’emploi que la limite.',
    remedy: 'Répartissez les offres sur plusieurs requêtes. `detail` indique la limite.',
  },
  header_invalid: {
    title: 'L’en-tête « {name} » est absent ou invalide.',
    meaning: 'Un en-tête obligatoire est absent, ou un en-tête a une valeur incorrecte.',
    remedy:
      'Corrigez chaque en-tête indiqué dans `errors`. `Content-Type` vaut `application/json` ou `application/xml`, selon le chemin. `Accept-Language` contient `fr`, `en` ou `es`. `User-Agent` commence par `nom/version`, par exemple `mon-client/1.0`. `X-Client-Lang` est la technologie du client, par exemple `PHP`.',
  },
  idempotency_key_reused: {
    title: 'La clé d’idempotence a déjà servi.',
    meaning: 'Une requête précédente du compte a utilisé cette `Idempotency-Key` avec d’autres identifiants.',
    remedy:
      'Envoyez une nouvelle clé avec une nouvelle requête. Pour répéter la requête précédente, envoyez les mêmes identifiants dans le même ordre.',
  },
  authentication_required: {
    title: 'Authentification requise.',
    meaning: 'La requête n’a pas de jeton d’API.',
    remedy:
      'Envoyez une seule fois `Authorization: Bearer JETON`, avec un jeton d’API du compte. Un jeton commence par `jdt_`.',
  },
  token_invalid: {
    title: 'Non autorisé. Jeton invalide.',
    meaning: 'Le jeton d’API est inconnu, expiré ou révoqué.',
    remedy:
      'Envoyez le jeton complet dans `Authorization`. Un jeton commence par `jdt_`. Si le jeton est correct, demandez-en un nouveau à l’exploitant du service.',
  },
  secret_key_invalid: {
    title: 'Non autorisé. Clé secrète absente ou invalide.',
    meaning:
      'La clé secrète est absente, inconnue, expirée ou révoquée, ou elle appartient à un autre compte.',
    remedy:
      'Envoyez dans `Usersecretkey` une clé secrète du compte du jeton. Une clé secrète commence par `jds_`. Si la clé est correcte, demandez-en une nouvelle à l’exploitant du service.',
  },
  origin_not_allowed: {
    title: 'Origine non autorisée.',
    meaning: 'L’en-tête `Origin` est absent, ou ne correspond à aucun domaine autorisé du compte.',
    remedy:
      'Envoyez le schéma, l’hôte et le port éventuel, sans chemin ni barre oblique finale : `Origin: https://www.example.com`. Si le compte n’autorise pas cette origine, demandez à l’exploitant du service de l’autoriser.',
  },
  query_invalid: {
    title: 'Le paramètre « {name} » est invalide.',
    meaning: 'Un paramètre de l’URL a une valeur incorrecte, ou figure plusieurs fois.',
    remedy:
      'Envoyez chaque paramètre une seule fois : `wait` avec un nombre entier de 0 à 30, `limit` avec un nombre de 1 à 10000, et `after` avec le `next` de la page précédente.',
  },
  job_not_found: {
    title: 'L’offre d’emploi est introuvable. Elle a peut-être été supprimée.',
    meaning:
      'Le compte n’a pas cette offre d’emploi : elle est inconnue, déjà supprimée, ou appartient à un autre compte. La requête n’a supprimé aucune offre.',
    remedy:
      'Supprimez les identifiants indiqués dans `errors` et renvoyez la requête. La casse des identifiants compte. S’il s’agit d’un nouvel essai, un essai précédent a peut-être supprimé les offres : une `Idempotency-Key` rend les nouveaux essais sûrs.',
  },
  deletion_not_found: {
    title: 'Suppression introuvable.',
    meaning: 'Le compte n’a pas cette suppression, ou son reçu a expiré.',
    remedy: 'Utilisez l’en-tête `Deletion-Id` d’une réponse 200 à une requête du compte.',
  },
  deletion_not_cancellable: {
    title: 'La suppression ne peut plus être annulée.',
    meaning:
      'Un compte peut avoir un délai entre l’acceptation et la suppression. Cette suppression n’attend plus : elle a commencé, ou le compte n’avait pas de délai.',
    remedy: 'Lisez l’état de la suppression avec GET.',
  },
  deletion_limit_exceeded: {
    title: 'Limite de suppression dépassée.',
    meaning:
      'Le compte supprimerait en 24 heures plus d’offres d’emploi que sa limite ne le permet. Rien n’a changé.',
    remedy:
      'Vérifiez que les offres sont bien celles à supprimer. Attendez que les suppressions précédentes aient 24 heures, ou demandez à un gestionnaire du compte d’en autoriser davantage pour un temps, sur la page « Garde-fous » du tableau de bord. L’exploitant du service le peut aussi.',
  },
  route_not_found: {
    title: 'Ressource introuvable.',
    meaning: 'L’API n’a pas ce chemin.',
    remedy:
      'Corrigez le chemin. La casse compte, et il n’y a pas de barre oblique finale. Les chemins sont `/v1/json/jobs-delete`, `/v1/xml/jobs-delete`, `/v1-sandbox/json/jobs-delete`, `/v1-sandbox/xml/jobs-delete` et `/v1/deletions/{Deletion-Id}`.',
  },
  method_not_allowed: {
    title: 'Méthode non autorisée.',
    meaning: 'Le chemin existe, mais n’accepte pas cette méthode.',
    remedy: 'Utilisez une méthode indiquée par l’en-tête `Allow` de la réponse.',
  },
  body_too_large: {
    title: 'Le corps de la requête est trop volumineux.',
    meaning: 'Le corps compte plus d’octets que la limite.',
    remedy: 'Répartissez les offres sur plusieurs requêtes. `detail` indique la limite.',
  },
  too_many_requests: {
    title: 'Trop de requêtes.',
    meaning: 'Le compte, ou le réseau de l’appelant, a dépassé une limite.',
    remedy: 'Attendez le nombre de secondes indiqué par l’en-tête `Retry-After`, puis renvoyez la requête.',
  },
  internal_error: {
    title: 'Erreur interne du serveur.',
    meaning: 'Le service a un défaut. La requête a peut-être été exécutée.',
    remedy: 'Communiquez le `Request-Id` de la réponse à l’exploitant du service.',
  },
  unavailable: {
    title: 'Service momentanément indisponible.',
    meaning:
      'Le service est surchargé, ou une de ses parties est indisponible. La requête a peut-être été exécutée.',
    remedy:
      'Attendez le nombre de secondes indiqué par l’en-tête `Retry-After`, puis renvoyez la même requête. Avec la même `Idempotency-Key`, le service ne supprime les offres qu’une fois.',
  },
};
