import { translated } from '../web/language.ts';
import { maxIds } from './sandbox-request.ts';

const max = String(maxIds);

export const sandboxTexts = translated({
  en: {
    title: 'Sandbox',
    intro: 'Sends a request to the sandbox of the API. The sandbox runs every check and deletes nothing.',
    answerHere: 'The answer of the API appears here. It makes these checks, in this order:',
    testKeys: {
      create: 'Create a test key',
      hint: 'This fills in a real token and secret key, valid for an hour. Outside the sandbox, requests with them delete jobs.',
      none: 'The account has no valid token and secret key yet. Create a test key here, or lasting ones:',
      createLasting: 'Create credentials',
      noneYet: 'The account has no valid token and secret key yet.',
      name: 'Sandbox test',
      filledIn:
        'The fields have a test key: a token and a secret key. They are real keys, which expire in an hour. No page shows them again.',
      askManager: 'No page shows the keys of the account again. Ask a manager for a token and a secret key.',
    },
    request: 'Request',
    fields: {
      token: 'Token',
      secretKey: 'Secret key',
      origin: 'Origin',
      format: 'Format',
      ids: 'Job ids',
    },
    hints: {
      secrets:
        'The dashboard uses the token and the secret key for this request only. It does not store them or show them again.',
      noDomain: 'Your account allows no domain yet.',
      empty: 'An empty field sends no header.',
      ids: `At most ${max}, separated by spaces, commas or line breaks.`,
      noJob: 'This account has no job yet: the page “Jobs” says how to import some.',
    },
    formats: { json: 'JSON', xml: 'XML' },
    problems: {
      'control-characters': 'A header cannot contain line breaks or other control characters.',
      'too-many-ids': `Enter at most ${max} ids.`,
      'no-token': 'Enter a token. To test without one, send again.',
      'no-secret-key': 'Enter a secret key. To test without one, send again.',
    },
    others: 'Other headers, and the format',
    send: 'Send to the sandbox',
    unanswered: 'The dashboard did not answer. Your input is still here: send it again.',
    answer: 'Answer',
    checklist: 'Checks',
    check: 'Check',
    outcome: 'Result',
    detail: 'Explanation of the API',
    checks: {
      passed: (count: number) => (count === 1 ? '✓ 1 check passed' : `✓ ${String(count)} checks passed`),
      'not-reached': (count: number) =>
        count === 1 ? '– 1 check not reached' : `– ${String(count)} checks not reached`,
    },
    failed: '✗ failed',
    sent: 'Request sent',
    hidden: '(hidden)',
    received: 'Answer received',
    accepted: 'Accepted',
    refused: 'Refused',
    wouldAccept: 'The API would accept this request.',
    headers: 'Headers of the answer',
    noAnswer: 'The API did not answer within 10 seconds. Try again in a moment.',
    tooLarge: 'The answer is larger than 1 MiB. It is not shown.',
    busy: 'Two of your requests are still running. Wait for their answers, then send this one again.',
  },
  fr: {
    title: 'Bac à sable',
    intro:
      'Envoie une requête au bac à sable de l’API. Le bac à sable effectue tous les contrôles et ne supprime rien.',
    answerHere: 'La réponse de l’API apparaît ici. Elle fait ces contrôles, dans cet ordre :',
    testKeys: {
      create: 'Créer une clé de test',
      hint: 'Ceci remplit les champs d’un vrai jeton et d’une vraie clé secrète, valables une heure. Hors du bac à sable, leurs requêtes suppriment des offres.',
      none: 'Le compte n’a pas encore de jeton ni de clé secrète valides. Créez une clé de test ici, ou des clés durables :',
      createLasting: 'Créer des clés',
      noneYet: 'Le compte n’a pas encore de jeton ni de clé secrète valides.',
      name: 'Test du bac à sable',
      filledIn:
        'Les champs contiennent une clé de test : un jeton et une clé secrète. Ce sont de vraies clés, qui expirent dans une heure. Aucune page ne les affiche de nouveau.',
      askManager:
        'Aucune page n’affiche de nouveau les clés du compte. Demandez un jeton et une clé secrète à un gestionnaire.',
    },
    request: 'Requête',
    fields: {
      token: 'Jeton',
      secretKey: 'Clé secrète',
      origin: 'Origine',
      format: 'Format',
      ids: 'Identifiants des offres',
    },
    hints: {
      secrets:
        'Le tableau de bord utilise le jeton et la clé secrète pour cette requête seulement. Il ne les enregistre pas et ne les affiche plus.',
      noDomain: 'Votre compte n’autorise encore aucun domaine.',
      empty: 'Un champ vide n’envoie pas d’en-tête.',
      ids: `${max} au maximum, séparés par des espaces, des virgules ou des retours à la ligne.`,
      noJob: 'Ce compte n’a pas encore d’offre : la page « Offres » dit comment en importer.',
    },
    formats: { json: 'JSON', xml: 'XML' },
    problems: {
      'control-characters':
        'Un en-tête ne peut contenir ni retour à la ligne ni autre caractère de contrôle.',
      'too-many-ids': `Saisissez ${max} identifiants au maximum.`,
      'no-token': 'Saisissez un jeton. Pour essayer sans jeton, envoyez de nouveau.',
      'no-secret-key': 'Saisissez une clé secrète. Pour essayer sans clé, envoyez de nouveau.',
    },
    others: 'Autres en-têtes, et le format',
    send: 'Envoyer au bac à sable',
    unanswered: 'Le tableau de bord n’a pas répondu. Votre saisie est encore là : renvoyez-la.',
    answer: 'Réponse',
    checklist: 'Contrôles',
    check: 'Contrôle',
    outcome: 'Résultat',
    detail: 'Explication de l’API',
    checks: {
      passed: (count) => (count === 1 ? '✓ 1 contrôle réussi' : `✓ ${String(count)} contrôles réussis`),
      'not-reached': (count) =>
        count === 1 ? '– 1 contrôle non effectué' : `– ${String(count)} contrôles non effectués`,
    },
    failed: '✗ échoué',
    sent: 'Requête envoyée',
    hidden: '(masqué)',
    received: 'Réponse reçue',
    accepted: 'Acceptée',
    refused: 'Refusée',
    wouldAccept: 'L’API accepterait cette requête.',
    headers: 'En-têtes de la réponse',
    noAnswer: 'L’API n’a pas répondu dans les 10 secondes. Réessayez dans un instant.',
    tooLarge: 'La réponse dépasse 1 Mio. Elle n’est pas affichée.',
    busy: 'Deux de vos requêtes sont encore en cours. Attendez leurs réponses, puis renvoyez celle-ci.',
  },
  es: {
    title: 'Entorno de pruebas',
    intro:
      'Envía una solicitud al entorno de pruebas de la API. El entorno realiza todas las comprobaciones y no elimina nada.',
    answerHere: 'La respuesta de la API aparece aquí. Hace estas comprobaciones, en este orden:',
    testKeys: {
      create: 'Crear una clave de prueba',
      hint: 'Esto rellena un token y una clave secreta reales, válidos durante una hora. Fuera del entorno de pruebas, sus solicitudes eliminan ofertas.',
      none: 'La cuenta todavía no tiene un token y una clave secreta válidos. Cree una clave de prueba aquí, o credenciales duraderas:',
      createLasting: 'Crear credenciales',
      noneYet: 'La cuenta todavía no tiene un token y una clave secreta válidos.',
      name: 'Prueba del entorno',
      filledIn:
        'Los campos contienen una clave de prueba: un token y una clave secreta. Son claves reales, que caducan en una hora. Ninguna página las muestra de nuevo.',
      askManager:
        'Ninguna página muestra de nuevo las claves de la cuenta. Pida un token y una clave secreta a un gestor.',
    },
    request: 'Solicitud',
    fields: {
      token: 'Token',
      secretKey: 'Clave secreta',
      origin: 'Origen',
      format: 'Formato',
      ids: 'Identificadores de las ofertas',
    },
    hints: {
      secrets:
        'El panel solo usa el token y la clave secreta para esta solicitud. No los guarda ni los vuelve a mostrar.',
      noDomain: 'Su cuenta todavía no permite ningún dominio.',
      empty: 'Un campo vacío no envía ninguna cabecera.',
      ids: `Como máximo ${max}, separados por espacios, comas o saltos de línea.`,
      noJob: 'Esta cuenta todavía no tiene ofertas: la página «Ofertas» dice cómo importarlas.',
    },
    formats: { json: 'JSON', xml: 'XML' },
    problems: {
      'control-characters': 'Una cabecera no puede contener saltos de línea ni otros caracteres de control.',
      'too-many-ids': `Introduzca como máximo ${max} identificadores.`,
      'no-token': 'Introduzca un token. Para probar sin token, envíe de nuevo.',
      'no-secret-key': 'Introduzca una clave secreta. Para probar sin clave, envíe de nuevo.',
    },
    others: 'Otras cabeceras, y el formato',
    send: 'Enviar al entorno de pruebas',
    unanswered: 'El panel no ha respondido. Sus datos siguen aquí: envíelos de nuevo.',
    answer: 'Respuesta',
    checklist: 'Comprobaciones',
    check: 'Comprobación',
    outcome: 'Resultado',
    detail: 'Explicación de la API',
    checks: {
      passed: (count) =>
        count === 1 ? '✓ 1 comprobación superada' : `✓ ${String(count)} comprobaciones superadas`,
      'not-reached': (count) =>
        count === 1 ? '– 1 comprobación sin hacer' : `– ${String(count)} comprobaciones sin hacer`,
    },
    failed: '✗ no superada',
    sent: 'Solicitud enviada',
    hidden: '(oculto)',
    received: 'Respuesta recibida',
    accepted: 'Aceptada',
    refused: 'Rechazada',
    wouldAccept: 'La API aceptaría esta solicitud.',
    headers: 'Cabeceras de la respuesta',
    noAnswer: 'La API no ha respondido en 10 segundos. Inténtelo de nuevo en un momento.',
    tooLarge: 'La respuesta supera 1 MiB. No se muestra.',
    busy: 'Dos de sus solicitudes siguen en curso. Espere sus respuestas y vuelva a enviar esta.',
  },
});
