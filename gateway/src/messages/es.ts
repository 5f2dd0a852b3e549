import type { SentenceCode } from './messages.ts';
import type { ProblemCode, ProblemTexts } from './problems.ts';

export const sentences: Record<SentenceCode, string> = {
  jobs_queued: 'Las ofertas de empleo están en cola de procesamiento.',
  job_queued: 'La oferta de empleo {id} está en cola de procesamiento.',

  more_errors: "{count} entradas son incorrectas: 'errors' las indica.",
  errors_truncated: "'errors' indica solo las {count} primeras entradas incorrectas.",

  header_missing: 'Falta la cabecera {name}.',
  header_empty: 'La cabecera {name} está vacía.',
  header_repeated: 'La cabecera {name} aparece {count} veces. Envíela una sola vez.',
  value_wrong: 'El valor «{value}» no es válido.',
  parameter_repeated: 'El parámetro «{name}» aparece {count} veces.',
  expect_content_type: 'Envíe «Content-Type: {type}». El único juego de caracteres admitido es utf-8.',
  expect_content_encoding: 'Elimine esta cabecera y envíe el cuerpo sin compresión.',
  expect_accept_language:
    'Envíe al menos uno de los idiomas admitidos (fr, en, es), por ejemplo «Accept-Language: es».',
  expect_user_agent:
    'Empiece por el nombre y la versión de su cliente, en la forma nombre/versión: «User-Agent: mi-cliente/1.0».',
  expect_client_technology:
    'Envíe la tecnología de su cliente en 1 a 64 caracteres imprimibles, por ejemplo «X-Client-Lang: PHP».',
  expect_idempotency_key: 'Envíe de 1 a 255 caracteres ASCII imprimibles, o elimine esta cabecera.',
  expect_wait: 'Envíe un solo número entero de 0 a 30, por ejemplo «?wait=30».',
  expect_after:
    "Envíe una sola vez el 'next' de la página anterior: de 1 a 128 letras y cifras, por ejemplo «?after=ABC123». Omítalo para la primera página.",
  expect_limit: 'Envíe un solo número entero de 1 a 10000, por ejemplo «?limit=1000».',

  not_a_bearer: 'La cabecera Authorization no contiene una autenticación «Bearer».',
  expect_token:
    'Envíe «Authorization: Bearer TOKEN» con un token de API de la cuenta. Un token empieza por jdt_.',
  token_is_secret_key:
    'La cabecera Authorization contiene una clave secreta (jds_…). Envíe ahí el token de API (jdt_…), y la clave secreta en Usersecretkey.',
  token_form:
    'No es un token de API completo. Un token empieza por jdt_ y tiene {length} caracteres. Cópielo de nuevo.',
  token_unknown:
    'El token es desconocido, ha caducado o está revocado. Si lo ha copiado bien, pida uno nuevo al operador del servicio.',
  token_of_sandbox:
    'El token es solo para el entorno de pruebas. Envíe la solicitud a una ruta que empiece por /v1-sandbox, o use otro token.',
  expect_secret_key:
    'Envíe «Usersecretkey: CLAVE» con una clave secreta de la cuenta. Una clave secreta empieza por jds_.',
  secret_key_is_token:
    'La cabecera Usersecretkey contiene un token de API (jdt_…). Envíe ahí la clave secreta (jds_…), y el token en Authorization.',
  secret_key_form:
    'No es una clave secreta sola. Una clave secreta empieza por jds_ y tiene {length} caracteres. Cópiela de nuevo, sin «Bearer» ni comillas.',
  secret_key_unknown:
    'La clave secreta es desconocida, ha caducado, está revocada o pertenece a una cuenta distinta de la del token. Si la ha copiado bien, pida una nueva al operador del servicio.',
  secret_key_of_sandbox:
    'La clave secreta es solo para el entorno de pruebas. Envíe la solicitud a una ruta que empiece por /v1-sandbox, o use otra clave secreta.',

  expect_origin: 'Envíe un dominio permitido de la cuenta, por ejemplo «Origin: https://www.example.com».',
  origin_null:
    'La cabecera Origin es «null»: la página es un archivo local o un marco aislado. Abra la página desde un servidor web de un dominio permitido.',
  origin_path: 'El origen «{value}» continúa después del host. Elimine la barra y lo que sigue.',
  origin_form:
    '«{value}» no es un origen. Envíe solo el esquema, el host y el puerto si lo hay, por ejemplo https://www.example.com:8443.',
  origin_scheme: 'El origen «{value}» tiene un esquema distinto al del dominio permitido. Envíe «{allowed}».',
  origin_port: 'El origen «{value}» tiene un puerto distinto al del dominio permitido. Envíe «{allowed}».',
  origin_apex:
    'La cuenta permite los subdominios de «{host}», pero no «{host}» mismo. Envíe un subdominio, o pida a un gestor de la cuenta o al operador del servicio que permita «{host}».',
  origin_subdomain:
    'La cuenta permite «{host}», pero no su subdominio «{value}». Envíe el dominio permitido, o pida a un gestor de la cuenta o al operador del servicio que permita el subdominio.',
  origin_unknown:
    'El origen «{value}» no corresponde a ningún dominio permitido de la cuenta. Envíe un dominio permitido, o pida a un gestor de la cuenta o al operador del servicio que permita este.',

  path_unknown:
    'No existe la ruta «{path}». Las rutas distinguen mayúsculas y minúsculas y no tienen barra final.',
  paths: 'Las rutas son {paths}.',
  method_wrong: 'Esta ruta no acepta {method}. Use {allow}.',

  body_bytes:
    'El cuerpo tiene {count} bytes. El límite es {limit}. Reparta las ofertas entre varias solicitudes.',
  body_bytes_exceeded: 'El cuerpo tiene más de {limit} bytes. Reparta las ofertas entre varias solicitudes.',
  jobs_exceeded:
    'La solicitud contiene {count} ofertas. El límite es {limit}. Reparta las ofertas entre {requests} solicitudes.',

  body_absent:
    'No se recibió ningún cuerpo. Envíe la cabecera Content-Length: algunos clientes y proxies suprimen el cuerpo de una solicitud DELETE.',
  body_not_utf8: 'El cuerpo no está codificado en UTF-8. Codifíquelo en UTF-8, sin compresión.',
  body_too_deep:
    'El cuerpo tiene más de {limit} niveles de anidamiento. Elimine los campos que no sean necesarios.',
  body_is_xml: 'El cuerpo parece XML. Envíe JSON a esta ruta, o envíe este cuerpo a la ruta para XML.',
  body_is_json: 'El cuerpo parece JSON. Envíe XML a esta ruta, o envíe este cuerpo a la ruta para JSON.',
  json_syntax: 'El cuerpo no es JSON válido: no se admite «{found}» en la línea {line}, columna {column}.',
  json_ends: 'El cuerpo no es JSON válido: termina demasiado pronto, en la línea {line}, columna {column}.',
  json_quotes: 'Ponga los nombres y los textos entre comillas dobles.',
  json_comma: 'Elimine la coma anterior.',
  json_correct: 'Corrija el cuerpo en ese lugar.',
  json_close: 'Cierre todas las comillas, corchetes y llaves.',
  json_member_duplicated: 'El nombre «{name}» aparece varias veces en un objeto JSON. Deje solo uno.',
  json_form: 'La forma esperada es {"jobs": {"job": [{"id": "ABC123"}, {"id": "DEF456"}]}}.',
  jobs_not_an_object: "El cuerpo debe ser un objeto cuyo campo 'jobs' sea un objeto.",
  job_not_a_list: "El campo 'jobs.job' debe ser una lista no vacía, también para una sola oferta.",
  entry_not_an_object: 'Cada elemento de \'jobs.job\' debe ser un objeto, por ejemplo {"id": "ABC123"}.',
  xml_syntax: 'El cuerpo no es XML bien formado: hay un error en la línea {line}, columna {column}.',
  xml_correct: 'Cierre todos los elementos, y escriba &amp; en lugar de & y &lt; en lugar de <.',
  xml_construct_refused: 'No se admiten DOCTYPE ni instrucciones de procesamiento. Elimínelos.',
  xml_encoding:
    'La declaración XML debe indicar la versión 1.0 y, si indica una codificación, UTF-8. Corríjala o elimínela.',
  xml_form: 'La forma esperada es <jobs><job><id>ABC123</id></job><job><id>DEF456</id></job></jobs>.',
  xml_root: 'El elemento raíz debe ser <jobs>, y no «{name}».',
  xml_no_job: 'El elemento <jobs> debe contener al menos un elemento <job>.',
  xml_text_outside_id: 'Hay texto fuera de un elemento <id>. Elimínelo o póngalo en un elemento <id>.',
  xml_id_split: 'Un elemento <id> contiene solo texto. Quite de él el comentario o el elemento.',
  xml_id_repeated:
    'Un elemento <job> contiene más de un elemento <id>. Use un elemento <job> para cada identificador.',

  id_absent: "La entrada no tiene el campo 'id'. Añádalo, en minúsculas, o elimine la entrada.",
  id_null: "El campo 'id' es null. Envíe el identificador de una oferta, o elimine la entrada.",
  id_empty: "El campo 'id' está vacío. Envíe el identificador de una oferta, o elimine la entrada.",
  id_is_number: "El campo 'id' es un número. Debe ser una cadena: póngalo entre comillas dobles.",
  id_not_a_string: 'El campo \'id\' debe ser una cadena, por ejemplo "ABC123".',
  id_white_space: "El campo 'id' tiene un espacio en el carácter {position}. Elimínelo.",
  id_character:
    "El campo 'id' tiene «{found}» en el carácter {position}. Solo se admiten de A a Z, de a a z y de 0 a 9.",
  id_length: "La longitud del campo 'id' es {count}. Debe ser de 4 a 128 caracteres.",
  id_duplicated:
    'La entrada {entry} de la solicitud tiene el mismo identificador ({pointer}). Elimine una de las dos entradas.',
  id_unknown:
    'La cuenta no tiene la oferta «{id}»: es desconocida, ya está eliminada o pertenece a otra cuenta. Se distinguen mayúsculas y minúsculas. La solicitud no ha eliminado ninguna oferta: elimine la entrada y envíe de nuevo la solicitud.',

  deletion_limit:
    'La cuenta puede eliminar {limit} ofertas de empleo en 24 horas. Sus eliminaciones de las últimas 24 horas suman {used}, y la solicitud nombra {count}. La solicitud no ha eliminado ninguna oferta. Un gestor de la cuenta puede permitir más durante un tiempo, en la página «Protección» del panel. El operador del servicio también puede.',
  requests_exceeded:
    'Las solicitudes de la cuenta están limitadas a {quota} en {window} s. Espere {seconds} s y envíe de nuevo la solicitud.',
  job_quota_exceeded:
    'Las ofertas en las solicitudes de la cuenta están limitadas a {quota} en {window} s. Espere {seconds} s y envíe de nuevo la solicitud.',
  failures_exceeded:
    'Demasiadas solicitudes de su red tenían credenciales incorrectas. Corrija las credenciales, espere {seconds} s y envíe de nuevo la solicitud.',
  overloaded:
    'El servicio está sobrecargado. La solicitud no ha cambiado nada. Espere {seconds} s y envíela de nuevo.',
};

/** The titles of the problems, and the texts of their pages. */
export const problems: Record<ProblemCode, ProblemTexts> = {
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
    meaning:
      'El token de API es desconocido, ha caducado, está revocado o es solo para el entorno de pruebas.',
    remedy:
      'Envíe el token completo en `Authorization`. Un token empieza por `jdt_`. Si el token es correcto, pida uno nuevo al operador del servicio.',
  },
  secret_key_invalid: {
    title: 'No autorizado. Clave secreta ausente o no válida.',
    meaning:
      'La clave secreta falta, es desconocida, ha caducado, está revocada, es solo para el entorno de pruebas o pertenece a otra cuenta.',
    remedy:
      'Envíe en `Usersecretkey` una clave secreta de la cuenta del token. Una clave secreta empieza por `jds_`. Si la clave es correcta, pida una nueva al operador del servicio.',
  },
  origin_not_allowed: {
    title: 'Origen no autorizado.',
    meaning: 'Falta la cabecera `Origin`, o no corresponde a ningún dominio permitido de la cuenta.',
    remedy:
      'Envíe el esquema, el host y el puerto si lo hay, sin ruta ni barra final: `Origin: https://www.example.com`. Si la cuenta no permite este origen, pida a un gestor de la cuenta o al operador del servicio que lo permita.',
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
