import type { SentenceCode } from '../messages.ts';

export const es: Record<SentenceCode, string> = {
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
  expect_secret_key:
    'Envíe «Usersecretkey: CLAVE» con una clave secreta de la cuenta. Una clave secreta empieza por jds_.',
  secret_key_is_token:
    'La cabecera Usersecretkey contiene un token de API (jdt_…). Envíe ahí la clave secreta (jds_…), y el token en Authorization.',
  secret_key_form:
    'No es una clave secreta sola. Una clave secreta empieza por jds_ y tiene {length} caracteres. Cópiela de nuevo, sin «Bearer» ni comillas.',
  secret_key_unknown:
    'La clave secreta es desconocida, ha caducado, está revocada o pertenece a una cuenta distinta de la del token. Si la ha copiado bien, pida una nueva al operador del servicio.',

  expect_origin: 'Envíe un dominio permitido de la cuenta, por ejemplo «Origin: https://www.example.com».',
  origin_null:
    'La cabecera Origin es «null»: la página es un archivo local o un marco aislado. Abra la página desde un servidor web de un dominio permitido.',
  origin_path: 'El origen «{value}» continúa después del host. Elimine la barra y lo que sigue.',
  origin_form:
    '«{value}» no es un origen. Envíe solo el esquema, el host y el puerto si lo hay, por ejemplo https://www.example.com:8443.',
  origin_scheme: 'El origen «{value}» tiene un esquema distinto al del dominio permitido. Envíe «{allowed}».',
  origin_port: 'El origen «{value}» tiene un puerto distinto al del dominio permitido. Envíe «{allowed}».',
  origin_apex:
    'La cuenta permite los subdominios de «{host}», pero no «{host}» mismo. Envíe un subdominio, o pida al operador del servicio que permita «{host}».',
  origin_subdomain:
    'La cuenta permite «{host}», pero no su subdominio «{value}». Envíe el dominio permitido, o pida al operador del servicio que permita el subdominio.',
  origin_unknown:
    'El origen «{value}» no corresponde a ningún dominio permitido de la cuenta. Envíe un dominio permitido, o pida al operador del servicio que permita este.',

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
    'La cuenta puede eliminar {limit} ofertas de empleo en 24 horas. Ha eliminado {used}, y la solicitud nombra {count}. La solicitud no ha eliminado ninguna oferta. Un gestor de la cuenta puede permitir más durante un tiempo, en la página «Protección» del panel. El operador del servicio también puede.',
  requests_exceeded:
    'Las solicitudes de la cuenta están limitadas a {quota} en {window} s. Espere {seconds} s y envíe de nuevo la solicitud.',
  job_quota_exceeded:
    'Las ofertas en las solicitudes de la cuenta están limitadas a {quota} en {window} s. Espere {seconds} s y envíe de nuevo la solicitud.',
  failures_exceeded:
    'Demasiadas solicitudes de su red tenían credenciales incorrectas. Corrija las credenciales, espere {seconds} s y envíe de nuevo la solicitud.',
  overloaded:
    'El servicio está sobrecargado. La solicitud no ha cambiado nada. Espere {seconds} s y envíela de nuevo.',
};
