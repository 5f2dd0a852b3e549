import type { SentenceCode } from './messages.ts';
import type { ProblemCode, ProblemTexts } from './problems.ts';

export const sentences: Record<SentenceCode, string> = {
  jobs_queued: 'Les offres d’emploi sont en file d’attente de traitement.',
  job_queued: 'L’offre d’emploi {id} est en file d’attente de traitement.',

  more_errors: "{count} entrées sont incorrectes : 'errors' les indique.",
  errors_truncated: "'errors' n’indique que les {count} premières entrées incorrectes.",

  header_missing: 'L’en-tête {name} est absent.',
  header_empty: 'L’en-tête {name} est vide.',
  header_repeated: 'L’en-tête {name} figure {count} fois. Envoyez-le une seule fois.',
  value_wrong: 'La valeur « {value} » n’est pas valide.',
  parameter_repeated: 'Le paramètre « {name} » figure {count} fois.',
  expect_content_type: 'Envoyez « Content-Type: {type} ». Le seul jeu de caractères admis est utf-8.',
  expect_content_encoding: 'Supprimez cet en-tête et envoyez le corps sans compression.',
  expect_accept_language:
    'Envoyez au moins une des langues prises en charge (fr, en, es), par exemple « Accept-Language: fr ».',
  expect_user_agent:
    'Commencez par le nom et la version de votre client, sous la forme nom/version : « User-Agent: mon-client/1.0 ».',
  expect_client_technology:
    'Envoyez la technologie de votre client en 1 à 64 caractères imprimables, par exemple « X-Client-Lang: PHP ».',
  expect_idempotency_key: 'Envoyez de 1 à 255 caractères ASCII imprimables, ou supprimez cet en-tête.',
  expect_wait: 'Envoyez un seul nombre entier de 0 à 30, par exemple « ?wait=30 ».',
  expect_after:
    "Envoyez une seule fois le 'next' de la page précédente : de 1 à 128 lettres et chiffres, par exemple « ?after=ABC123 ». Omettez-le pour la première page.",
  expect_limit: 'Envoyez un seul nombre entier de 1 à 10000, par exemple « ?limit=1000 ».',

  not_a_bearer: 'L’en-tête Authorization ne contient pas d’authentification « Bearer ».',
  expect_token:
    'Envoyez « Authorization: Bearer JETON » avec un jeton d’API du compte. Un jeton commence par jdt_.',
  token_is_secret_key:
    'L’en-tête Authorization contient une clé secrète (jds_…). Envoyez-y le jeton d’API (jdt_…), et la clé secrète dans Usersecretkey.',
  token_form:
    'Ce n’est pas un jeton d’API complet. Un jeton commence par jdt_ et compte {length} caractères. Copiez-le de nouveau.',
  token_unknown:
    'Le jeton est inconnu, expiré ou révoqué. Si vous l’avez copié correctement, demandez-en un nouveau à l’exploitant du service.',
  token_of_sandbox:
    'Le jeton est réservé au bac à sable. Envoyez la requête à un chemin qui commence par /v1-sandbox, ou utilisez un autre jeton.',
  expect_secret_key:
    'Envoyez « Usersecretkey: CLÉ » avec une clé secrète du compte. Une clé secrète commence par jds_.',
  secret_key_is_token:
    'L’en-tête Usersecretkey contient un jeton d’API (jdt_…). Envoyez-y la clé secrète (jds_…), et le jeton dans Authorization.',
  secret_key_form:
    'Ce n’est pas une clé secrète seule. Une clé secrète commence par jds_ et compte {length} caractères. Copiez-la de nouveau, sans « Bearer » ni guillemets.',
  secret_key_unknown:
    'La clé secrète est inconnue, expirée ou révoquée, ou appartient à un autre compte que celui du jeton. Si vous l’avez copiée correctement, demandez-en une nouvelle à l’exploitant du service.',
  secret_key_of_sandbox:
    'La clé secrète est réservée au bac à sable. Envoyez la requête à un chemin qui commence par /v1-sandbox, ou utilisez une autre clé secrète.',

  expect_origin: 'Envoyez un domaine autorisé du compte, par exemple « Origin: https://www.example.com ».',
  origin_null:
    'L’en-tête Origin vaut « null » : la page est un fichier local ou un cadre isolé. Ouvrez la page depuis un serveur web d’un domaine autorisé.',
  origin_path: 'L’origine « {value} » continue après l’hôte. Supprimez la barre oblique et ce qui la suit.',
  origin_form:
    '« {value} » n’est pas une origine. Envoyez seulement le schéma, l’hôte et le port éventuel, par exemple https://www.example.com:8443.',
  origin_scheme: 'L’origine « {value} » a un autre schéma que le domaine autorisé. Envoyez « {allowed} ».',
  origin_port: 'L’origine « {value} » a un autre port que le domaine autorisé. Envoyez « {allowed} ».',
  origin_apex:
    'Le compte autorise les sous-domaines de « {host} », mais pas « {host} » même. Envoyez un sous-domaine, ou demandez à un gestionnaire du compte ou à l’exploitant du service d’autoriser « {host} ».',
  origin_subdomain:
    'Le compte autorise « {host} », mais pas son sous-domaine « {value} ». Envoyez le domaine autorisé, ou demandez à un gestionnaire du compte ou à l’exploitant du service d’autoriser le sous-domaine.',
  origin_unknown:
    'L’origine « {value} » ne correspond à aucun domaine autorisé du compte. Envoyez un domaine autorisé, ou demandez à un gestionnaire du compte ou à l’exploitant du service d’autoriser celui-ci.',

  path_unknown:
    'Le chemin « {path} » n’existe pas. La casse compte, et il n’y a pas de barre oblique finale.',
  paths: 'Les chemins sont {paths}.',
  method_wrong: 'Ce chemin n’accepte pas {method}. Utilisez {allow}.',

  body_bytes:
    'Le corps compte {count} octets. La limite est de {limit}. Répartissez les offres sur plusieurs requêtes.',
  body_bytes_exceeded:
    'Le corps compte plus de {limit} octets. Répartissez les offres sur plusieurs requêtes.',
  jobs_exceeded:
    'La requête contient {count} offres. La limite est de {limit}. Répartissez les offres sur {requests} requêtes.',

  body_absent:
    'Aucun corps n’a été reçu. Envoyez l’en-tête Content-Length : certains clients et serveurs mandataires suppriment le corps d’une requête DELETE.',
  body_not_utf8: 'Le corps n’est pas encodé en UTF-8. Encodez-le en UTF-8, sans compression.',
  body_too_deep:
    'Le corps compte plus de {limit} niveaux d’imbrication. Supprimez les champs qui ne sont pas nécessaires.',
  body_is_xml:
    'Le corps ressemble à du XML. Envoyez du JSON à ce chemin, ou envoyez ce corps au chemin pour le XML.',
  body_is_json:
    'Le corps ressemble à du JSON. Envoyez du XML à ce chemin, ou envoyez ce corps au chemin pour le JSON.',
  json_syntax:
    'Le corps n’est pas du JSON valide : « {found} » n’est pas admis à la ligne {line}, colonne {column}.',
  json_ends: 'Le corps n’est pas du JSON valide : il finit trop tôt, à la ligne {line}, colonne {column}.',
  json_quotes: 'Placez les noms et les textes entre guillemets doubles.',
  json_comma: 'Supprimez la virgule qui précède.',
  json_correct: 'Corrigez le corps à cet endroit.',
  json_close: 'Fermez chaque guillemet, crochet et accolade.',
  json_member_duplicated: 'Le nom « {name} » figure plusieurs fois dans un objet JSON. Gardez-en un seul.',
  json_form: 'La forme attendue est {"jobs": {"job": [{"id": "ABC123"}, {"id": "DEF456"}]}}.',
  jobs_not_an_object: "Le corps doit être un objet dont le champ 'jobs' est un objet.",
  job_not_a_list: "Le champ 'jobs.job' doit être une liste non vide, même pour une seule offre.",
  entry_not_an_object: 'Chaque élément de \'jobs.job\' doit être un objet, par exemple {"id": "ABC123"}.',
  xml_syntax: 'Le corps n’est pas du XML bien formé : il y a une erreur à la ligne {line}, colonne {column}.',
  xml_correct: 'Fermez chaque élément, et écrivez &amp; pour & et &lt; pour <.',
  xml_construct_refused: 'Les DOCTYPE et les instructions de traitement ne sont pas admis. Supprimez-les.',
  xml_encoding:
    'La déclaration XML doit indiquer la version 1.0 et, le cas échéant, l’encodage UTF-8. Corrigez-la ou supprimez-la.',
  xml_form: 'La forme attendue est <jobs><job><id>ABC123</id></job><job><id>DEF456</id></job></jobs>.',
  xml_root: 'L’élément racine doit être <jobs>, et non « {name} ».',
  xml_no_job: 'L’élément <jobs> doit contenir au moins un élément <job>.',
  xml_text_outside_id:
    'Du texte figure hors d’un élément <id>. Supprimez-le ou placez-le dans un élément <id>.',
  xml_id_split: 'Un élément <id> ne contient que du texte. Retirez-en le commentaire ou l’élément.',
  xml_id_repeated:
    'Un élément <job> contient plusieurs éléments <id>. Utilisez un élément <job> pour chaque identifiant.',

  id_absent: "L’entrée n’a pas de champ 'id'. Ajoutez-le, en minuscules, ou supprimez l’entrée.",
  id_null: "Le champ 'id' est null. Envoyez l’identifiant d’une offre, ou supprimez l’entrée.",
  id_empty: "Le champ 'id' est vide. Envoyez l’identifiant d’une offre, ou supprimez l’entrée.",
  id_is_number: "Le champ 'id' est un nombre. Il doit être une chaîne : placez-le entre guillemets doubles.",
  id_not_a_string: 'Le champ \'id\' doit être une chaîne, par exemple "ABC123".',
  id_white_space: "Le champ 'id' a un espace au caractère {position}. Supprimez-le.",
  id_character:
    "Le champ 'id' a « {found} » au caractère {position}. Seuls A à Z, a à z et 0 à 9 sont admis.",
  id_length: "La longueur du champ 'id' est {count}. Elle doit être de 4 à 128 caractères.",
  id_duplicated:
    'L’entrée {entry} de la requête a le même identifiant ({pointer}). Supprimez une des deux entrées.',
  id_unknown:
    'Le compte n’a pas d’offre « {id} » : elle est inconnue, déjà supprimée, ou appartient à un autre compte. La casse compte. La requête n’a supprimé aucune offre : supprimez l’entrée et renvoyez la requête.',

  deletion_limit:
    'Le compte peut supprimer {limit} offres d’emploi en 24 heures. Ses suppressions des dernières 24 heures en comptent {used}, et la requête en désigne {count}. La requête n’a supprimé aucune offre. Un gestionnaire du compte peut en autoriser davantage pour un temps, sur la page « Garde-fous » du tableau de bord. L’exploitant du service le peut aussi.',
  requests_exceeded:
    'Les requêtes du compte sont limitées à {quota} en {window} s. Attendez {seconds} s, puis renvoyez la requête.',
  job_quota_exceeded:
    'Les offres dans les requêtes du compte sont limitées à {quota} en {window} s. Attendez {seconds} s, puis renvoyez la requête.',
  failures_exceeded:
    'Trop de requêtes de votre réseau avaient de mauvais identifiants de connexion. Corrigez-les, attendez {seconds} s, puis renvoyez la requête.',
  overloaded:
    'Le service est surchargé. La requête n’a rien modifié. Attendez {seconds} s, puis renvoyez-la.',
};

/** The titles of the problems, and the texts of their pages. */
export const problems: Record<ProblemCode, ProblemTexts> = {
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
    meaning: 'Le jeton d’API est inconnu, expiré ou révoqué, ou réservé au bac à sable.',
    remedy:
      'Envoyez le jeton complet dans `Authorization`. Un jeton commence par `jdt_`. Si le jeton est correct, demandez-en un nouveau à l’exploitant du service.',
  },
  secret_key_invalid: {
    title: 'Non autorisé. Clé secrète absente ou invalide.',
    meaning:
      'La clé secrète est absente, inconnue, expirée ou révoquée, réservée au bac à sable, ou elle appartient à un autre compte.',
    remedy:
      'Envoyez dans `Usersecretkey` une clé secrète du compte du jeton. Une clé secrète commence par `jds_`. Si la clé est correcte, demandez-en une nouvelle à l’exploitant du service.',
  },
  origin_not_allowed: {
    title: 'Origine non autorisée.',
    meaning: 'L’en-tête `Origin` est absent, ou ne correspond à aucun domaine autorisé du compte.',
    remedy:
      'Envoyez le schéma, l’hôte et le port éventuel, sans chemin ni barre oblique finale : `Origin: https://www.example.com`. Si le compte n’autorise pas cette origine, demandez à un gestionnaire du compte ou à l’exploitant du service de l’autoriser.',
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
