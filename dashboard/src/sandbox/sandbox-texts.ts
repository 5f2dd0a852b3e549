import type { Translated } from '../web/language.ts';
import type { HeaderCheck } from './header-checks.ts';
import { maxIds, type FieldProblem, type Format } from './sandbox-request.ts';

interface SandboxTexts {
  readonly title: string;
  readonly intro: string;
  readonly request: string;
  readonly fields: {
    readonly token: string;
    readonly secretKey: string;
    readonly origin: string;
    readonly format: string;
    readonly ids: string;
  };
  readonly hints: {
    readonly secrets: string;
    readonly origin: string;
    readonly noDomain: string;
    readonly empty: string;
    readonly ids: string;
  };
  readonly formats: Readonly<Record<Format, string>>;
  readonly problems: Readonly<Record<FieldProblem, string>>;
  readonly send: string;
  readonly answer: string;
  readonly checklist: string;
  readonly header: string;
  readonly outcome: string;
  readonly detail: string;
  readonly outcomes: Readonly<Record<HeaderCheck['outcome'], string>>;
  readonly sent: string;
  readonly hidden: string;
  readonly received: string;
  readonly noAnswer: string;
  readonly tooLarge: string;
  readonly busy: string;
}

const max = String(maxIds);

export const sandboxTexts: Translated<SandboxTexts> = {
  en: {
    title: 'Sandbox',
    intro: 'Sends a request to the sandbox of the API. The sandbox runs every check and deletes nothing.',
    request: 'Request',
    fields: {
      token: 'Token',
      secretKey: 'Secret key',
      origin: 'Origin',
      format: 'Format',
      ids: 'Job ids',
    },
    hints: {
      secrets: 'The dashboard uses it for this request only. It does not store it or show it again.',
      origin: 'The suggestions are origins that your account allows.',
      noDomain: 'Your account allows no domain yet.',
      empty: 'An empty field sends no header.',
      ids: `At most ${max}, separated by spaces, commas or line breaks. The jobs must belong to the account of the token.`,
    },
    formats: { json: 'JSON', xml: 'XML' },
    problems: {
      'control-characters': 'A header cannot contain line breaks or other control characters.',
      'too-many-ids': `Enter at most ${max} ids.`,
    },
    send: 'Send to the sandbox',
    answer: 'Answer',
    checklist: 'Required headers',
    header: 'Header',
    outcome: 'Result',
    detail: 'Explanation of the API',
    outcomes: { passed: '✓ passed', failed: '✗ failed', 'not-reached': '– not reached' },
    sent: 'Request as sent',
    hidden: '(hidden)',
    received: 'Answer as received',
    noAnswer: 'The API did not answer within 10 seconds. Try again in a moment.',
    tooLarge: 'The answer is larger than 1 MiB. It is not shown.',
    busy: 'Two of your requests are still running. Wait for their answers, then send this one again.',
  },
  fr: {
    title: 'Bac à sable',
    intro:
      'Envoie une requête au bac à sable de l’API. Le bac à sable effectue tous les contrôles et ne supprime rien.',
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
        'Le tableau de bord l’utilise pour cette requête seulement. Il ne l’enregistre pas et ne l’affiche plus.',
      origin: 'Les suggestions sont des origines que votre compte autorise.',
      noDomain: 'Votre compte n’autorise encore aucun domaine.',
      empty: 'Un champ vide n’envoie pas d’en-tête.',
      ids: `${max} au maximum, séparés par des espaces, des virgules ou des retours à la ligne. Les offres doivent appartenir au compte du jeton.`,
    },
    formats: { json: 'JSON', xml: 'XML' },
    problems: {
      'control-characters':
        'Un en-tête ne peut contenir ni retour à la ligne ni autre caractère de contrôle.',
      'too-many-ids': `Saisissez ${max} identifiants au maximum.`,
    },
    send: 'Envoyer au bac à sable',
    answer: 'Réponse',
    checklist: 'En-têtes obligatoires',
    header: 'En-tête',
    outcome: 'Résultat',
    detail: 'Explication de l’API',
    outcomes: { passed: '✓ validé', failed: '✗ refusé', 'not-reached': '– non contrôlé' },
    sent: 'Requête envoyée',
    hidden: '(masqué)',
    received: 'Réponse reçue',
    noAnswer: 'L’API n’a pas répondu dans les 10 secondes. Réessayez dans un instant.',
    tooLarge: 'La réponse dépasse 1 Mio. Elle n’est pas affichée.',
    busy: 'Deux de vos requêtes sont encore en cours. Attendez leurs réponses, puis renvoyez celle-ci.',
  },
  es: {
    title: 'Entorno de pruebas',
    intro:
      'Envía una solicitud al entorno de pruebas de la API. El entorno realiza todas las comprobaciones y no elimina nada.',
    request: 'Solicitud',
    fields: {
      token: 'Token',
      secretKey: 'Clave secreta',
      origin: 'Origen',
      format: 'Formato',
      ids: 'Identificadores de las ofertas',
    },
    hints: {
      secrets: 'El panel solo lo usa para esta solicitud. No lo guarda ni lo vuelve a mostrar.',
      origin: 'Las sugerencias son orígenes que su cuenta permite.',
      noDomain: 'Su cuenta todavía no permite ningún dominio.',
      empty: 'Un campo vacío no envía ninguna cabecera.',
      ids: `Como máximo ${max}, separados por espacios, comas o saltos de línea. Las ofertas deben pertenecer a la cuenta del token.`,
    },
    formats: { json: 'JSON', xml: 'XML' },
    problems: {
      'control-characters': 'Una cabecera no puede contener saltos de línea ni otros caracteres de control.',
      'too-many-ids': `Introduzca como máximo ${max} identificadores.`,
    },
    send: 'Enviar al entorno de pruebas',
    answer: 'Respuesta',
    checklist: 'Cabeceras obligatorias',
    header: 'Cabecera',
    outcome: 'Resultado',
    detail: 'Explicación de la API',
    outcomes: { passed: '✓ correcta', failed: '✗ rechazada', 'not-reached': '– sin comprobar' },
    sent: 'Solicitud enviada',
    hidden: '(oculto)',
    received: 'Respuesta recibida',
    noAnswer: 'La API no ha respondido en 10 segundos. Inténtelo de nuevo en un momento.',
    tooLarge: 'La respuesta supera 1 MiB. No se muestra.',
    busy: 'Dos de sus solicitudes siguen en curso. Espere sus respuestas y vuelva a enviar esta.',
  },
};
