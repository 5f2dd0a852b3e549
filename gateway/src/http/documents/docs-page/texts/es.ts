import type { DocsTexts } from '../docs-page.ts';

export const es: DocsTexts = {
  title: 'Eliminar ofertas de empleo en bloque',
  introduction:
    'Una sola solicitud HTTP elimina hasta {jobs} ofertas de empleo de su cuenta, en JSON o XML. Una eliminación es definitiva.',
  promises: {
    'Todo o nada':
      'Una solicitud con un id incorrecto no cambia nada. La respuesta nombra cada id incorrecto y dice cómo corregirlo.',
    'Se puede repetir': 'Con una `Idempotency-Key`, una solicitud repetida nunca elimina dos veces.',
    Duradera:
      'El estado 200 significa que se eliminarán todas las ofertas de la solicitud, pase lo que pase mientras tanto.',
  },
  contents: 'En esta página',
  languages: 'Idioma de esta página',
  yourOrigin: 'Su origen',
  yourOriginHint: 'La dirección de su sitio. Completa los ejemplos de esta página.',
  start: {
    heading: 'Primeros pasos',
    credentials:
      'Obtenga un token de API, una clave secreta y un dominio permitido para su cuenta: en el panel, o del servicio de asistencia.',
    environment: 'Guárdelos en variables de entorno. Cada ejemplo lee estas cuatro:',
    sandbox:
      'Envíe una eliminación al entorno de pruebas. Las rutas bajo `/v1-sandbox` hacen todas las comprobaciones y no eliminan nada. Copie un ejemplo, sustituya sus ids de ofertas por los de su cuenta y ejecútelo.',
    answer: 'Lea la respuesta. El estado 200 significa que todas las comprobaciones han tenido éxito:',
    live: 'Sustituya `/v1-sandbox` por `/v1` para eliminar las ofertas.',
    looksLive:
      'La respuesta del entorno de pruebas parece real. Solo la cabecera `Sandbox: true` la distingue.',
  },
  examples: {
    heading: 'Ejemplos',
    introduction:
      'Cada ejemplo envía una eliminación al entorno de pruebas, con una `Idempotency-Key`. Repite la solicitud tras 429, 502, 503, 504 y una conexión perdida, y espera lo que dice `Retry-After`. Muestra la respuesta, y falla si el estado no es 200.',
    language: 'Lenguaje',
    format: 'Formato',
    run: 'Para ejecutarlo:',
    copy: 'Copiar',
    copied: 'Copiado',
  },
  sandbox: {
    heading: 'Probar el entorno de pruebas',
    introduction: 'Este formulario envía una eliminación al entorno de pruebas. No elimina nada.',
    memory:
      'La página guarda sus credenciales solo en su memoria. Desaparecen cuando usted cierra la página.',
    origin:
      'Su navegador envía la dirección de esta página como `Origin`. Su cuenta debe permitirla: añada este dominio en el panel, o pida ayuda al servicio de asistencia.',
    needsScript: 'El formulario necesita JavaScript.',
    format: 'Formato',
    token: 'Token de API',
    secretKey: 'Clave secreta',
    jobIds: 'Identificadores de las ofertas',
    jobIdsHint: 'Un id en cada línea.',
    send: 'Enviar al entorno de pruebas',
    sending: 'Enviando…',
    answer: 'Respuesta',
    noAnswer: 'Sin respuesta. Compruebe los campos y su conexión, e inténtelo de nuevo.',
  },
  retries: {
    heading: 'Repetir sin riesgo',
    introduction:
      'Envíe una `Idempotency-Key` con cada eliminación. Genere una clave para cada solicitud, por ejemplo un UUID, y guárdela antes de enviar la solicitud. Repita los mismos ids, en el mismo orden, con la misma clave, hasta que tenga una respuesta.',
    got: 'Usted recibe',
    action: 'Qué hacer',
    answers: {
      '`200`': 'La eliminación está aceptada. `Idempotent-Replayed: true` marca una respuesta repetida.',
      'Sin respuesta, `502`, `504`':
        'El resultado es desconocido. Espere, y envíe de nuevo la misma solicitud.',
      '`503`':
        'Espere lo que dice `Retry-After`, y envíe de nuevo la misma solicitud. Puede que las ofertas ya estén eliminadas.',
      '`429`': 'Espere lo que dice `Retry-After`, y envíe de nuevo la misma solicitud. Nada ha cambiado.',
      'de `400` a `413`': 'Corrija primero la solicitud. Una solicitud rechazada no gasta su clave.',
      '`500`':
        'Comunique el `Request-Id` al servicio de asistencia. Puede repetir la solicitud con su clave.',
    },
    rules: [
      'Duplique la espera tras cada intento, hasta 30 segundos, y hágala aleatoria. Nunca espere menos de lo que dice `Retry-After`.',
      'Sin clave, una solicitud repetida recibe 404: puede que la primera haya eliminado las ofertas.',
      'Una clave con otros ids recibe 400 `idempotency_key_reused`.',
      'El servicio guarda una clave al menos 24 horas. El entorno de pruebas no guarda ninguna.',
    ],
  },
  errors: {
    heading: 'Errores',
    introduction:
      'El servicio acepta o rechaza una solicitud entera. Un rechazo no cambia nada. Su cuerpo es un problema (RFC 9457), en su idioma, que nombra cada entrada incorrecta. Los programas usan `code`, que es igual en todos los idiomas.',
    code: 'Código',
    statusCode: 'Estado',
    meaning: 'Título',
    request: {
      heading: 'Corregir la solicitud',
      text: 'No la repita sin cambios. `errors` y `detail` dicen qué es incorrecto.',
    },
    credentials: {
      heading: 'Corregir las credenciales',
      text: 'Compruebe el token, la clave secreta, su caducidad y los dominios permitidos.',
    },
    wait: {
      heading: 'Esperar y repetir',
      text: 'Envíe de nuevo la misma solicitud tras `Retry-After`, con la misma clave.',
    },
    support: {
      heading: 'Pedir ayuda',
      text: 'Envíe el `Request-Id` de la respuesta al servicio de asistencia.',
    },
  },
  limits: {
    heading: 'Límites de uso',
    introduction:
      'Su cuenta puede tener un límite de solicitudes, y otro de ofertas, en un intervalo de tiempo. Cada respuesta indica entonces ambos límites y lo que queda:',
    rules: [
      'En `RateLimit-Policy`, `q` es la cuota y `w` el intervalo en segundos. En `RateLimit`, `r` es lo que queda y `t` los segundos hasta el fin del intervalo.',
      'Más allá de un límite, la respuesta es 429 `too_many_requests` con `Retry-After`. Nada ha cambiado.',
      'El entorno de pruebas tiene su propia cuota, del mismo tamaño. Leer un estado o una lista cuenta como una solicitud.',
      'Una red que envía demasiadas credenciales incorrectas también recibe 429.',
      'El estado 503 no es un límite de uso: el servicio está ocupado, o falta una parte de él.',
    ],
  },
  keys: {
    heading: 'Claves y tokens',
    introduction:
      'Una solicitud necesita un token de API, una clave secreta de la misma cuenta y un dominio permitido como `Origin`.',
    rules: [
      'El panel muestra un token o una clave una sola vez, al crearlos. Guarde ambos en el almacén de secretos de sus servidores, nunca en una página web ni en una aplicación.',
      'Cada uno puede tener una fecha de caducidad. Puede revocar uno en cualquier momento. Deja de funcionar en menos de 5 segundos.',
      'Una cuenta puede tener tantos como quiera, por ejemplo un par para cada programa.',
    ],
    rotation: 'Sustituya un token o una clave antes de que caduque, sin interrupción:',
    rotationSteps: [
      'Cree otro.',
      'Déselo a su programa.',
      'Espere hasta que el panel muestre que el anterior ya no se usa.',
      'Revoque el anterior.',
    ],
    forbidden:
      'Si un programa que funcionaba recibe 403, sus credenciales han caducado o se han revocado, o el dominio ya no está permitido. El `code` dice cuál. Repetir no ayuda: sustituya el token o la clave, o permita el dominio.',
  },
  permanent: {
    heading: 'Una eliminación es irreversible',
    warning:
      'Nadie puede recuperar una oferta de empleo eliminada. Compruebe antes los ids en el entorno de pruebas.',
    rules: [
      'Una oferta publicada de nuevo con el mismo id es otra oferta. Ninguna eliminación anterior la quita.',
      'Su cuenta puede tener un límite de ofertas que elimina en 24 horas. Una solicitud que lo supera recibe 403 `deletion_limit_exceeded` y no cambia nada.',
    ],
    delayHeading: 'Espera y cancelación',
    delay:
      'Su cuenta puede tener una espera entre la aceptación y la eliminación, de hasta 30 días. Hasta `removal_at`, esta solicitud cancela la eliminación entera:',
    cancelRules: [
      'La respuesta tiene el `state` `cancelled`. Las ofertas se quedan, y otra clave permite eliminarlas de nuevo.',
      'Cancelar dos veces da la misma respuesta.',
      'Cuando la eliminación ha comenzado, o sin espera, la respuesta es 409 `deletion_not_cancellable`.',
    ],
  },
  clients: {
    heading: 'Clientes y línea de comandos',
    introduction:
      'Los clientes oficiales reparten cualquier cantidad de ids en solicitudes, envían claves, reintentan y continúan tras una interrupción. Si su registro no tiene estos paquetes, pida sus archivos al servicio de asistencia.',
    command: 'Línea de comandos',
    commandHint: 'Necesita Node. El mismo comando continúa un trabajo interrumpido.',
  },
  rehearsal: {
    heading: 'Ensayar',
    introduction:
      'El entorno de pruebas no recuerda nada: no tiene `Deletion-Id`, ni estado, ni respuesta repetida. Ensáyelos en su máquina, con una cuenta de demostración de 1000 ofertas. Necesita el código fuente de jobs-delete y Node:',
    script: 'Después ejecute este script en la misma carpeta:',
    reset: '`npm start -- --reset-demo` restablece las ofertas de demostración eliminadas.',
  },
  reference: {
    heading: 'Referencia',
    introduction: 'El mismo contrato para herramientas, como documento OpenAPI 3.1:',
    headers: 'Cada solicitud necesita estas cabeceras. Solo una eliminación necesita `Content-Type`.',
    deletion: 'Eliminar ofertas',
    deletionPaths: 'Rutas',
    live: 'elimina las ofertas',
    checksOnly: 'comprueba la solicitud',
    path: 'Ruta',
    effect: 'Efecto',
    requestHeaders: 'Cabeceras de la solicitud',
    optional: 'opcional',
    body: 'Cuerpo',
    bodyRules:
      'Un identificador de oferta tiene de 4 a 128 letras y cifras, y aparece una sola vez en la solicitud. Una solicitud contiene como máximo {jobs} ofertas y {bytes} bytes, codificados en UTF-8.',
    answer: 'Respuesta 200',
    answerRules:
      'La respuesta es JSON en todas las rutas. Tiene un resultado por oferta, en el orden de la solicitud. La eliminación queda guardada de forma duradera.',
    answerHeaders: 'Cabeceras de la respuesta',
    whoami: 'Comprobar sus credenciales',
    whoamiRules:
      'La respuesta es 200, con la cuenta, si las credenciales funcionan. `expires_at` es null si una credencial no caduca. `origin` es el de la solicitud. Unas credenciales incorrectas reciben el mismo rechazo que una eliminación.',
    status: 'Leer el estado de una eliminación',
    statusRules:
      '`state` es `queued`, `completed` o `cancelled`. `completed_at` es null mientras queden ofertas por eliminar. `?wait=SEGUNDOS`, de 0 a 30, espera a la eliminación.',
    ownJobs: 'Listar las ofertas de la cuenta',
    ownJobsRules:
      'Una página tiene como máximo `limit` ofertas (de 1 a 10.000, 1.000 por defecto), en el orden de sus ids, sin las ofertas en cola de eliminación. Envíe `next` como `after` de la página siguiente. Es null al final.',
  },
  requestHeaders: {
    Authorization: '`Bearer TOKEN`, con un token de API de la cuenta',
    Usersecretkey: 'una clave secreta de la misma cuenta',
    Origin: 'un origen que corresponde a un dominio permitido de la cuenta',
    'Content-Type': '`application/json` o `application/xml`, como en la ruta',
    'Content-Encoding': 'sin compresión: solo `identity`',
    'Accept-Language': 'el idioma de los textos: `fr`, `en` o `es`',
    'User-Agent': 'empieza por `NOMBRE/VERSIÓN`',
    'X-Client-Lang': 'la tecnología del cliente, como `PHP` o `C#`',
    'Idempotency-Key':
      'de 1 a 255 caracteres ASCII imprimibles; la misma clave con los mismos identificadores recibe la primera respuesta de nuevo',
    Prefer: '`errors=all`: un rechazo nombra todas las entradas incorrectas, no solo las 100 primeras',
  },
  answerHeaders: {
    'Request-Id': 'un UUID; cítelo cuando informe de un defecto',
    'Content-Language': 'el idioma de los textos',
    'Deletion-Id': 'el identificador de la eliminación; ausente en el entorno de pruebas',
    'Idempotent-Replayed': '`true` si es de nuevo la primera respuesta',
    'Preference-Applied':
      '`errors=all` si el rechazo nombra todas las entradas incorrectas, según la preferencia',
    Sandbox: '`true` en el entorno de pruebas',
    'Retry-After': 'los segundos de espera antes del próximo intento',
    RateLimit: 'el resto de la cuota, si la cuenta tiene una',
    'RateLimit-Policy': 'la cuota',
    'Cache-Control': '`no-store`: ninguna caché puede guardar la respuesta',
    Allow: 'con 405: los métodos de la ruta',
    'WWW-Authenticate': 'con 401: `Bearer`',
  },
};
