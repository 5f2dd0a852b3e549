import type { MessageCode } from './messages.ts';

export const fr: Record<MessageCode, string> = {
  job_id_required: "Le champ 'id' est obligatoire.",
  job_id_malformed: "Le champ 'id' doit contenir de 4 à 128 caractères alphanumériques.",
  job_id_duplicated: "Chaque 'id' doit être unique dans la requête.",
  body_malformed: 'Le corps de la requête est invalide.',
  too_many_jobs: 'La requête contient trop d’offres d’emploi.',
  header_invalid: 'L’en-tête « {name} » est absent ou invalide.',
  idempotency_key_reused: 'La clé d’idempotence a déjà servi.',
  authentication_required: 'Authentification requise.',
  token_invalid: 'Non autorisé. Jeton invalide.',
  secret_key_invalid: 'Non autorisé. Clé secrète absente ou invalide.',
  origin_not_allowed: 'Origine non autorisée.',
  query_invalid: 'Le paramètre « {name} » est invalide.',
  deletion_not_found: 'Suppression introuvable.',
  deletion_not_cancellable: 'La suppression ne peut plus être annulée.',
  job_not_found: 'L’offre d’emploi est introuvable. Elle a peut-être été supprimée.',
  deletion_limit_exceeded: 'Limite de suppression dépassée.',
  route_not_found: 'Ressource introuvable.',
  method_not_allowed: 'Méthode non autorisée.',
  body_too_large: 'Le corps de la requête est trop volumineux.',
  too_many_requests: 'Trop de requêtes.',
  internal_error: 'Erreur interne du serveur.',
  unavailable: 'Service momentanément indisponible.',

  jobs_queued: 'Les offres d’emploi sont en file d’attente de traitement.',
  job_queued: 'L’offre d’emploi {id} est en file d’attente de traitement.',
};
