import type { MessageCode } from './messages.ts';

export const es: Record<MessageCode, string> = {
  job_id_required: "El campo 'id' es obligatorio.",
  job_id_malformed: "El campo 'id' debe tener de 4 a 128 caracteres alfanuméricos.",
  job_id_duplicated: "Cada 'id' debe ser único en la solicitud.",
  body_malformed: 'El cuerpo de la solicitud no es válido.',
  too_many_jobs: 'La solicitud contiene demasiadas ofertas de empleo.',
  header_invalid: 'La cabecera «{name}» falta o no es válida.',
  idempotency_key_reused: 'La clave de idempotencia ya se utilizó.',
  authentication_required: 'Autenticación requerida.',
  token_invalid: 'No autorizado. Token no válido.',
  secret_key_invalid: 'No autorizado. Clave secreta ausente o no válida.',
  origin_not_allowed: 'Origen no autorizado.',
  query_invalid: 'El parámetro «{name}» no es válido.',
  deletion_not_found: 'Eliminación no encontrada.',
  deletion_not_cancellable: 'La eliminación ya no se puede cancelar.',
  job_not_found: 'No se encuentra la oferta de empleo. Es posible que se haya eliminado.',
  deletion_limit_exceeded: 'Límite de eliminación superado.',
  route_not_found: 'Recurso no encontrado.',
  method_not_allowed: 'Método no permitido.',
  body_too_large: 'El cuerpo de la solicitud es demasiado grande.',
  too_many_requests: 'Demasiadas solicitudes.',
  internal_error: 'Error interno del servidor.',
  unavailable: 'Servicio no disponible temporalmente.',

  jobs_queued: 'Las ofertas de empleo están en cola de procesamiento.',
  job_queued: 'La oferta de empleo {id} está en cola de procesamiento.',
};
