import type { ProblemCode, ProblemTexts } from '../problems.ts';

export const es: Record<ProblemCode, ProblemTexts> = {
  job_id_required: {
    title: "El campo 'id' es obligatorio.",
    meaning:
      'Una entrada de la solicitud no tiene identificador: su campo `id` falta, es `null` o está vacío.',
    remedy: 'Añada el campo `id` o elimine la entrada. `errors` indica cada entrada afectada.',
  },
  job_id_malformed: {
    title: "El campo 'id' debe tener de 4 a 128 caracteres alfanuméricos.",
    meaning:
      'Un identificador no es una cadena de 4 a 128 caracteres entre `A` y `Z`, `a` y `z`, y `0` y `9`.',
    remedy:
      'Corrija los identificadores que indica `errors`. En JSON, ponga cada identificador entre comillas, aunque solo tenga cifras: `"12345"`.',
  },
  job_id_duplicated: {
    title: "Cada 'id' debe ser único en la solicitud.",
    meaning: 'Un identificador aparece varias veces en la solicitud.',
    remedy: 'Elimine las entradas que indica `errors`. Cada una repite una entrada anterior.',
  },
  body_malformed: {
    title: 'El cuerpo de la solicitud no es válido.',
    meaning: 'Falta el cuerpo, o no es JSON o XML válido de la forma esperada.',
    remedy:
      'Corrija lo que indican `detail` y `errors`. En JSON, la forma es `{"jobs": {"job": [{"id": "ABC123"}]}}`. En XML, la forma es `<jobs><job><id>ABC123</id></job></jobs>`.',
  },
  too_many_jobs: {
    title: 'La solicitud contiene demasiadas ofertas de empleo.',
    meaning: 'La solicitud contiene más ofertas de empleo que el límite.',
    remedy: 'Reparta las ofertas entre varias solicitudes. `detail` indica el límite.',
  },
  header_invalid: {
    title: 'La cabecera «{name}» falta o no es válida.',
    meaning: 'Falta una cabecera obligatoria, o una cabecera tiene un valor incorrecto.',
    remedy:
      'Corrija cada cabecera que indica `errors`. `Content-Type` es `application/json` o `application/xml`, según la ruta. `Accept-Language` contiene `fr`, `en` o `es`. `User-Agent` empieza por `nombre/versión`, por ejemplo `mi-cliente/1.0`. `X-Client-Lang` es la tecnología del cliente, por ejemplo `PHP`.',
  },
  idempotency_key_reused: {
    title: 'La clave de idempotencia ya se utilizó.',
    meaning: 'Una solicitud anterior de la cuenta usó esta `Idempotency-Key` con otros identificadores.',
    remedy:
      'Envíe una clave nueva con una solicitud nueva. Para repetir la solicitud anterior, envíe los mismos identificadores en el mismo orden.',
  },
  authentication_required: {
    title: 'Autenticación requerida.',
    meaning: 'La solicitud no tiene token de API.',
    remedy:
      'Envíe una sola vez `Authorization: Bearer TOKEN`, con un token de API de la cuenta. Un token empieza por `jdt_`.',
  },
  token_invalid: {
    title: 'No autorizado. Token no válido.',
    meaning: 'El token de API es desconocido, ha caducado o está revocado.',
    remedy:
      'Envíe el token completo en `Authorization`. Un token empieza por `jdt_`. Si el token es correcto, pida uno nuevo al operador del servicio.',
  },
  secret_key_invalid: {
    title: 'No autorizado. Clave secreta ausente o no válida.',
    meaning: 'La clave secreta falta, es desconocida, ha caducado, está revocada o pertenece a otra cuenta.',
    remedy:
      'Envíe en `Usersecretkey` una clave secreta de la cuenta del token. Una clave secreta empieza por `jds_`. Si la clave es correcta, pida una nueva al operador del servicio.',
  },
  origin_not_allowed: {
    title: 'Origen no autorizado.',
    meaning: 'Falta la cabecera `Origin`, o no corresponde a ningún dominio permitido de la cuenta.',
    remedy:
      'Envíe el esquema, el host y el puerto si lo hay, sin ruta ni barra final: `Origin: https://www.example.com`. Si la cuenta no permite este origen, pida al operador del servicio que lo permita.',
  },
  query_invalid: {
    title: 'El parámetro «{name}» no es válido.',
    meaning: 'Un parámetro de la URL tiene un valor incorrecto o aparece varias veces.',
    remedy:
      'Envíe cada parámetro una sola vez: `wait` con un número entero de 0 a 30, `limit` con uno de 1 a 10000, y `after` con el `next` de la página anterior.',
  },
  job_not_found: {
    title: 'No se encuentra la oferta de empleo. Es posible que se haya eliminado.',
    meaning:
      'La cuenta no tiene esa oferta de empleo: es desconocida, ya está eliminada o pertenece a otra cuenta. La solicitud no ha eliminado ninguna oferta.',
    remedy:
      'Elimine los identificadores que indica `errors` y envíe de nuevo la solicitud. Los identificadores distinguen mayúsculas y minúsculas. Si era un reintento, es posible que un intento anterior haya eliminado las ofertas: una `Idempotency-Key` hace seguros los reintentos.',
  },
  deletion_not_found: {
    title: 'Eliminación no encontrada.',
    meaning: 'La cuenta no tiene esa eliminación, o su recibo ha caducado.',
    remedy: 'Use la cabecera `Deletion-Id` de una respuesta 200 a una solicitud de la cuenta.',
  },
  deletion_not_cancellable: {
    title: 'La eliminación ya no se puede cancelar.',
    meaning:
      'Una cuenta puede tener un plazo entre la aceptación y la eliminación. Esta eliminación ya no espera: ha comenzado, o la cuenta no tenía plazo.',
    remedy: 'Lea el estado de la eliminación con GET.',
  },
  deletion_limit_exceeded: {
    title: 'Límite de eliminación superado.',
    meaning:
      'La cuenta eliminaría en 24 horas más ofertas de empleo de las que permite su límite. Nada ha cambiado.',
    remedy:
      'Compruebe que las ofertas son las que quiere eliminar. Espere a que las eliminaciones anteriores tengan 24 horas, o pida a un gestor de la cuenta que permita más durante un tiempo, en la página «Protección» del panel. El operador del servicio también puede.',
  },
  route_not_found: {
    title: 'Recurso no encontrado.',
    meaning: 'La API no tiene esa ruta.',
    remedy:
      'Corrija la ruta. Distingue mayúsculas y minúsculas y no tiene barra final. Las rutas son `/v1/json/jobs-delete`, `/v1/xml/jobs-delete`, `/v1-sandbox/json/jobs-delete`, `/v1-sandbox/xml/jobs-delete` y `/v1/deletions/{Deletion-Id}`.',
  },
  method_not_allowed: {
    title: 'Método no permitido.',
    meaning: 'La ruta existe, pero no acepta este método.',
    remedy: 'Use un método que indique la cabecera `Allow` de la respuesta.',
  },
  body_too_large: {
    title: 'El cuerpo de la solicitud es demasiado grande.',
    meaning: 'El cuerpo tiene más bytes que el límite.',
    remedy: 'Reparta las ofertas entre varias solicitudes. `detail` indica el límite.',
  },
  too_many_requests: {
    title: 'Demasiadas solicitudes.',
    meaning: 'La cuenta, o la red de quien llama, ha superado un límite.',
    remedy: 'Espere los segundos que indica la cabecera `Retry-After` y envíe de nuevo la solicitud.',
  },
  internal_error: {
    title: 'Error interno del servidor.',
    meaning: 'El servicio tiene un defecto. Es posible que la solicitud se haya ejecutado.',
    remedy: 'Comunique el `Request-Id` de la respuesta al operador del servicio.',
  },
  unavailable: {
    title: 'Servicio no disponible temporalmente.',
    meaning:
      'El servicio está sobrecargado, o una de sus partes no está disponible. Es posible que la solicitud se haya ejecutado.',
    remedy:
      'Espere los segundos que indica la cabecera `Retry-After` y envíe de nuevo la misma solicitud. Con la misma `Idempotency-Key`, el servicio elimina las ofertas una sola vez.',
  },
};
