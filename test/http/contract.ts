/** The table of the public contract. Imports nothing from the service. */
export const languages = ['fr', 'en', 'es'] as const;
export type Language = (typeof languages)[number];

export type Texts = Readonly<Record<Language, string>>;

export const problems = {
  job_id_required: {
    status: 400,
    fr: "Le champ 'id' est obligatoire.",
    en: "The 'id' field is required.",
    es: "El campo 'id' es obligatorio.",
  },
  job_id_malformed: {
    status: 400,
    fr: "Le champ 'id' doit contenir de 4 à 128 caractères alphanumériques.",
    en: "The 'id' field must be 4 to 128 alphanumeric characters.",
    es: "El campo 'id' debe tener de 4 a 128 caracteres alfanuméricos.",
  },
  job_id_duplicated: {
    status: 400,
    fr: "Chaque 'id' doit être unique dans la requête.",
    en: "Each 'id' must be unique within the request.",
    es: "Cada 'id' debe ser único en la solicitud.",
  },
  body_malformed: {
    status: 400,
    fr: 'Le corps de la requête est invalide.',
    en: 'The request body is invalid.',
    es: 'El cuerpo de la solicitud no es válido.',
  },
  too_many_jobs: {
    status: 400,
    fr: 'La requête contient trop d’offres d’emploi.',
    en: 'The request holds too many jobs.',
    es: 'La solicitud contiene demasiadas ofertas de empleo.',
  },
  header_invalid: {
    status: 400,
    fr: 'L’en-tête « {name} » est absent ou invalide.',
    en: "The '{name}' header is missing or invalid.",
    es: 'La cabecera «{name}» falta o no es válida.',
  },
  deletion_limit_exceeded: {
    status: 403,
    fr: 'Limite de suppression dépassée.',
    en: 'Deletion limit exceeded.',
    es: 'Límite de eliminación superado.',
  },
  idempotency_key_reused: {
    status: 400,
    fr: 'La clé d’idempotence a déjà servi.',
    en: 'The idempotency key was already used.',
    es: 'La clave de idempotencia ya se utilizó.',
  },
  authentication_required: {
    status: 401,
    fr: 'Authentification requise.',
    en: 'Authentication required.',
    es: 'Autenticación requerida.',
  },
  token_invalid: {
    status: 403,
    fr: 'Non autorisé. Jeton invalide.',
    en: 'Unauthorized. Invalid token.',
    es: 'No autorizado. Token no válido.',
  },
  secret_key_invalid: {
    status: 403,
    fr: 'Non autorisé. Clé secrète absente ou invalide.',
    en: 'Unauthorized. Missing or invalid secret key.',
    es: 'No autorizado. Clave secreta ausente o no válida.',
  },
  origin_not_allowed: {
    status: 403,
    fr: 'Origine non autorisée.',
    en: 'Origin not allowed.',
    es: 'Origen no autorizado.',
  },
  query_invalid: {
    status: 400,
    fr: 'Le paramètre « {name} » est invalide.',
    en: "The '{name}' parameter is invalid.",
    es: 'El parámetro «{name}» no es válido.',
  },
  deletion_not_found: {
    status: 404,
    fr: 'Suppression introuvable.',
    en: 'Deletion not found.',
    es: 'Eliminación no encontrada.',
  },
  deletion_not_cancellable: {
    status: 409,
    fr: 'La suppression ne peut plus être annulée.',
    en: 'The deletion can no longer be cancelled.',
    es: 'La eliminación ya no se puede cancelar.',
  },
  job_not_found: {
    status: 404,
    fr: 'L’offre d’emploi est introuvable. Elle a peut-être été supprimée.',
    en: 'The job was not found. It may have been deleted.',
    es: 'No se encuentra la oferta de empleo. Es posible que se haya eliminado.',
  },
  route_not_found: {
    status: 404,
    fr: 'Ressource introuvable.',
    en: 'Resource not found.',
    es: 'Recurso no encontrado.',
  },
  method_not_allowed: {
    status: 405,
    fr: 'Méthode non autorisée.',
    en: 'Method not allowed.',
    es: 'Método no permitido.',
  },
  body_too_large: {
    status: 413,
    fr: 'Le corps de la requête est trop volumineux.',
    en: 'The request body is too large.',
    es: 'El cuerpo de la solicitud es demasiado grande.',
  },
  too_many_requests: {
    status: 429,
    fr: 'Trop de requêtes.',
    en: 'Too many requests.',
    es: 'Demasiadas solicitudes.',
  },
  internal_error: {
    status: 500,
    fr: 'Erreur interne du serveur.',
    en: 'Internal server error.',
    es: 'Error interno del servidor.',
  },
  unavailable: {
    status: 503,
    fr: 'Service momentanément indisponible.',
    en: 'Service temporarily unavailable.',
    es: 'Servicio no disponible temporalmente.',
  },
} as const satisfies Readonly<Record<string, Texts & { status: number }>>;
export type Code = keyof typeof problems;
export const codes = Object.keys(problems) as Code[];

export const jobsQueued: Texts = {
  fr: 'Les offres d’emploi sont en file d’attente de traitement.',
  en: 'The jobs are queued for processing.',
  es: 'Las ofertas de empleo están en cola de procesamiento.',
};
export const jobQueued: Texts = {
  fr: 'L’offre d’emploi {id} est en file d’attente de traitement.',
  en: 'Job {id} is queued for processing.',
  es: 'La oferta de empleo {id} está en cola de procesamiento.',
};
