import type { DocsTexts } from './docs-texts.ts';

export const es: DocsTexts = {
  title: 'Eliminar ofertas de empleo en bloque',
  introduction:
    'Un solo `DELETE` de HTTP indica varias ofertas de empleo de su cuenta. El servicio las elimina de forma permanente. El cuerpo es JSON o XML.',
  contents: 'En esta página',
  languages: 'Idioma de esta página',
  start: {
    heading: 'Primeros pasos',
    credentials:
      'Pida al operador de este servicio un token de API, una clave secreta y un dominio permitido para su cuenta.',
    environment: 'Guárdelos en variables de entorno. Cada ejemplo lee estas cuatro variables:',
    sandbox:
      'Envíe una eliminación al entorno de pruebas. Las rutas bajo `/v1-sandbox` hacen todas las comprobaciones y no eliminan nada. La respuesta parece real: solo la cabecera `Sandbox: true` la distingue. Copie un ejemplo, sustituya los identificadores de las ofertas por los de su cuenta y ejecútelo.',
    answer: 'Lea la respuesta. El estado 200 significa que todas las comprobaciones son correctas:',
    live: 'Sustituya `/v1-sandbox` por `/v1` para eliminar las ofertas. Envíe una `Idempotency-Key` con cada solicitud: si no recibe respuesta, envíe la misma solicitud con la misma clave. El servicio elimina las ofertas una sola vez.',
    demo: 'Los ejemplos usan ofertas de la cuenta de demostración, que `npm start` crea. El archivo `data/demo.json` contiene las credenciales de esa cuenta.',
  },
  examples: {
    heading: 'Ejemplos',
    introduction: 'Cada ejemplo envía una eliminación al entorno de pruebas y muestra la respuesta.',
    language: 'Lenguaje',
    format: 'Formato',
    run: 'Para ejecutarlo:',
    copy: 'Copiar',
    copied: 'Copiado',
  },
  sandbox: {
    heading: 'Probar el entorno de pruebas',
    introduction: 'Este formulario envía una eliminación al entorno de pruebas. No elimina nada.',
    memory: 'Sus credenciales quedan solo en la memoria de la página. Desaparecen cuando usted la cierra.',
    origin:
      'Su navegador envía la dirección de esta página como `Origin`. La cuenta debe permitirla. Un operador puede permitirla:',
    needsScript: 'El formulario necesita JavaScript.',
    format: 'Formato',
    token: 'Token de API',
    secretKey: 'Clave secreta',
    jobIds: 'Identificadores de las ofertas',
    jobIdsHint: 'Un identificador por línea.',
    send: 'Enviar al entorno de pruebas',
    sending: 'Enviando…',
    answer: 'Respuesta',
    noAnswer: 'Sin respuesta. Compruebe los campos y su conexión, e inténtelo de nuevo.',
  },
  reference: {
    heading: 'Referencia',
    introduction: 'El mismo contrato para herramientas, como documento OpenAPI 3.1:',
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
    status: 'Leer el estado de una eliminación',
    statusRules:
      'Envíe las mismas cabeceras, sin `Content-Type`. `state` es `queued` o `completed`. `completed_at` es null mientras queden ofertas por eliminar.',
    waitRules: '`?wait=SEGUNDOS`, de 0 a 30, espera la eliminación.',
    ownJobs: 'Listar las ofertas de la cuenta',
    ownJobsRules:
      'Envíe las mismas cabeceras, sin `Content-Type`. Una página tiene como máximo `limit` ofertas (de 1 a 10.000, 1.000 por defecto), en el orden de sus ids, sin las ofertas en cola de eliminación. Envíe `next` como `after` de la página siguiente. Es null al final.',
    refusals: 'Rechazos',
    refusalRules:
      'El servicio acepta o rechaza una solicitud entera. Un rechazo no cambia nada. El cuerpo de la respuesta es un problema (RFC 9457) que indica cada entrada incorrecta. Los programas usan `code`, que es igual en todos los idiomas.',
    code: 'Código',
    statusCode: 'Estado',
    meaning: 'Título',
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
