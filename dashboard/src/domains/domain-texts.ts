import type { OriginMismatch } from '@jobs-delete/accounts/origins/allowed-domain';
import { translated } from '../web/language.ts';

export const domainTexts = translated({
  en: {
    title: 'Allowed domains',
    intro:
      'Each request to the API carries an Origin header. The API serves the request only if this list allows the origin. Changes act within 5 seconds.',
    none: 'No domain is allowed yet, so the API refuses every request of this account.',
    domain: 'Domain',
    meaning: 'Allowed origins',
    lastUsed: 'Last live use',
    never: 'never',
    actions: 'Actions',
    wildcard: (base: string) => `https:// and any host below ${base}`,
    risk: 'Risk',
    risks: {
      unreadable: { name: 'Not readable', text: 'The entry is not readable and allows nothing. Remove it.' },
      'public-suffix': {
        name: 'Open to anybody',
        text: 'Anybody can register a host below this domain. Remove the entry.',
      },
      ending: {
        name: 'No website',
        text: 'Only the ending of other names. It allows no website: remove the entry.',
      },
      http: {
        name: 'Not encrypted',
        text: 'Not encrypted: a network in between can change the pages of this origin.',
      },
      lookalike: {
        name: 'Lookalike',
        text: 'Some letters of this name look like those of another alphabet. Check that it is really the domain you mean:',
      },
    },
    add: 'Allow a domain',
    addSubmit: 'Allow the domain',
    domainHint: 'For example www.example.com',
    preview: 'With this entry:',
    covered: (entry: string) => `The entry ${entry} allows this already.`,
    previewMalformed: 'This is not yet a domain.',
    problems: {
      malformed:
        'This is not a domain in one of the forms below. Leave out paths, spaces and a final slash. A wildcard starts with “*.” and has at least two parts after it.',
      path: 'Only the origin is allowed. The rest of the address is removed: send again.',
      'public-suffix':
        'Anybody can register a host below this domain, so the wildcard would let outsiders in. Enter your own domain.',
      ending:
        'This is only the ending of other domains, as “com” is. Enter your own domain, for example www.example.com.',
      http: 'This origin is not encrypted: a network in between can change its pages and use your key. Use https if you can.',
      listed: 'This domain is allowed already.',
      tooMany: 'The account has 100 allowed domains, which is the most. Remove one first.',
      unconfirmed: 'Tick the box to allow this domain.',
    },
    acceptHttp: 'I know the risk. Allow this origin without encryption.',
    acceptLookalike: 'I have checked the name. Allow this domain.',
    formsHeading: 'Accepted forms',
    forms: [
      ['www.example.com', 'exactly https://www.example.com'],
      ['*.example.com', 'https:// and any host below example.com, but not example.com itself'],
      ['https://example.com:8443', 'exactly this origin, with its port'],
      ['localhost', 'http and https on your own machine, for tests'],
    ],
    wildcardAdvice:
      'A wildcard trusts every host below its domain, also those that other teams or hosting customers control. Prefer exact hosts.',
    remove: 'Remove',
    removeTitle: (domain: string) => `Remove the domain ${domain}?`,
    inUse: (ago: string) => `Last used ${ago}.`,
    removeWarning: 'Within 5 seconds, the API refuses requests that only this entry allows.',
    removesLast: 'It is the only entry: within 5 seconds, the API refuses every request of this account.',
    allowedByOther: (entry: string) => `The entry ${entry} allows the same, so no request is refused.`,
    removeSubmit: 'Remove the domain',
    back: 'Back to the domains',
    trialHeading: 'Test an origin',
    trialLabel: 'Would this origin pass?',
    trialHint: 'The value of the Origin header, such as https://www.example.com',
    trialSubmit: 'Test',
    trialEmpty: 'Enter an origin.',
    passes: 'Passes:',
    refused: 'Refused:',
    matches: (domain: string) => `The entry ${domain} allows it.`,
    mismatch: (mismatch: OriginMismatch) => {
      switch (mismatch.kind) {
        case 'null':
          return 'A local file or a sandboxed frame sends “null”. Open the page from a web server.';
        case 'path':
          return 'The origin continues after the host. Remove the slash and everything after it.';
        case 'form':
          return 'This is not an origin. An origin has a scheme, a host and perhaps a port, such as https://www.example.com:8443.';
        case 'scheme':
          return `The allowed domain has another scheme. This would pass: ${mismatch.allowed}`;
        case 'port':
          return `The allowed domain has another port. This would pass: ${mismatch.allowed}`;
        case 'apex':
          return `The list allows the hosts below ${mismatch.host}, but not ${mismatch.host} itself.`;
        case 'subdomain':
          return `The list allows ${mismatch.host}, but not this host below it.`;
        case 'unknown':
          return 'No entry of the list is close to it.';
      }
    },
  },
  fr: {
    title: 'Domaines autorisés',
    intro:
      'Chaque requête à l’API comporte un en-tête Origin. L’API ne traite la requête que si cette liste autorise l’origine. Les changements prennent effet sous 5 secondes.',
    none: 'Aucun domaine n’est encore autorisé : l’API refuse donc toutes les requêtes de ce compte.',
    domain: 'Domaine',
    meaning: 'Origines autorisées',
    lastUsed: 'Dernier usage réel',
    never: 'jamais',
    actions: 'Actions',
    wildcard: (base) => `https:// et tout hôte sous ${base}`,
    risk: 'Risque',
    risks: {
      unreadable: { name: 'Illisible', text: 'L’entrée est illisible et n’autorise rien. Retirez-la.' },
      'public-suffix': {
        name: 'Ouvert à tous',
        text: 'N’importe qui peut enregistrer un hôte sous ce domaine. Retirez l’entrée.',
      },
      ending: {
        name: 'Aucun site',
        text: 'Ce n’est que la fin d’autres noms. L’entrée n’autorise aucun site : retirez-la.',
      },
      http: {
        name: 'Non chiffré',
        text: 'Sans chiffrement : un réseau intermédiaire peut modifier les pages de cette origine.',
      },
      lookalike: {
        name: 'Nom trompeur',
        text: 'Des lettres de ce nom ressemblent à celles d’un autre alphabet. Vérifiez que c’est bien le domaine voulu :',
      },
    },
    add: 'Autoriser un domaine',
    addSubmit: 'Autoriser le domaine',
    domainHint: 'Par exemple www.example.com',
    preview: 'Avec cette entrée :',
    covered: (entry) => `L’entrée ${entry} l’autorise déjà.`,
    previewMalformed: 'Ce n’est pas encore un domaine.',
    problems: {
      malformed:
        'Ce n’est pas un domaine sous l’une des formes ci-dessous. Retirez les chemins, les espaces et la barre oblique finale. Un caractère générique commence par « *. », suivi d’au moins deux parties.',
      path: 'Seule l’origine est autorisée. Le reste de l’adresse est retiré : renvoyez.',
      'public-suffix':
        'N’importe qui peut enregistrer un hôte sous ce domaine : le caractère générique laisserait entrer des inconnus. Saisissez votre propre domaine.',
      ending:
        'Ce nom n’est qu’une fin de domaines, comme « com ». Saisissez votre propre domaine, par exemple www.example.com.',
      http: 'Cette origine n’est pas chiffrée : un réseau intermédiaire peut modifier ses pages et utiliser votre clé. Utilisez https si possible.',
      listed: 'Ce domaine est déjà autorisé.',
      tooMany: 'Le compte a 100 domaines autorisés, le maximum. Retirez-en un d’abord.',
      unconfirmed: 'Cochez la case pour autoriser ce domaine.',
    },
    acceptHttp: 'Je connais le risque. Autoriser cette origine sans chiffrement.',
    acceptLookalike: 'J’ai vérifié le nom. Autoriser ce domaine.',
    formsHeading: 'Formes acceptées',
    forms: [
      ['www.example.com', 'exactement https://www.example.com'],
      ['*.example.com', 'https:// et tout hôte sous example.com, mais pas example.com lui-même'],
      ['https://example.com:8443', 'exactement cette origine, avec son port'],
      ['localhost', 'http et https sur votre propre machine, pour les essais'],
    ],
    wildcardAdvice:
      'Avec un caractère générique, vous faites confiance à tous les hôtes sous ce domaine, y compris ceux d’autres équipes ou de clients hébergés. Préférez des hôtes exacts.',
    remove: 'Retirer',
    removeTitle: (domain) => `Retirer le domaine ${domain} ?`,
    inUse: (ago) => `Dernière utilisation : ${ago}.`,
    removeWarning: 'Sous 5 secondes, l’API refuse les requêtes que seule cette entrée autorise.',
    removesLast: 'C’est la seule entrée : sous 5 secondes, l’API refuse toutes les requêtes de ce compte.',
    allowedByOther: (entry) => `L’entrée ${entry} autorise la même chose : aucune requête n’est refusée.`,
    removeSubmit: 'Retirer le domaine',
    back: 'Retour aux domaines',
    trialHeading: 'Tester une origine',
    trialLabel: 'Cette origine serait-elle acceptée ?',
    trialHint: 'La valeur de l’en-tête Origin, par exemple https://www.example.com',
    trialSubmit: 'Tester',
    trialEmpty: 'Saisissez une origine.',
    passes: 'Acceptée :',
    refused: 'Refusée :',
    matches: (domain) => `L’entrée ${domain} l’autorise.`,
    mismatch: (mismatch) => {
      switch (mismatch.kind) {
        case 'null':
          return 'Un fichier local ou un cadre isolé envoie « null ». Ouvrez la page depuis un serveur web.';
        case 'path':
          return 'L’origine continue après l’hôte. Retirez la barre oblique et ce qui la suit.';
        case 'form':
          return 'Ce n’est pas une origine. Une origine a un schéma, un hôte et éventuellement un port, par exemple https://www.example.com:8443.';
        case 'scheme':
          return `Le domaine autorisé a un autre schéma. Ceci serait accepté : ${mismatch.allowed}`;
        case 'port':
          return `Le domaine autorisé a un autre port. Ceci serait accepté : ${mismatch.allowed}`;
        case 'apex':
          return `La liste autorise les hôtes sous ${mismatch.host}, mais pas ${mismatch.host} lui-même.`;
        case 'subdomain':
          return `La liste autorise ${mismatch.host}, mais pas ce sous-domaine.`;
        case 'unknown':
          return 'Aucune entrée de la liste ne s’en approche.';
      }
    },
  },
  es: {
    title: 'Dominios permitidos',
    intro:
      'Cada solicitud a la API lleva una cabecera Origin. La API atiende la solicitud solo si esta lista permite el origen. Los cambios surten efecto en 5 segundos.',
    none: 'Todavía no se permite ningún dominio, así que la API rechaza todas las solicitudes de esta cuenta.',
    domain: 'Dominio',
    meaning: 'Orígenes permitidos',
    lastUsed: 'Último uso real',
    never: 'nunca',
    actions: 'Acciones',
    wildcard: (base) => `https:// y cualquier host por debajo de ${base}`,
    risk: 'Riesgo',
    risks: {
      unreadable: { name: 'Ilegible', text: 'La entrada no se puede leer y no permite nada. Retírela.' },
      'public-suffix': {
        name: 'Abierto a todos',
        text: 'Cualquiera puede registrar un host por debajo de este dominio. Retire la entrada.',
      },
      ending: {
        name: 'Ningún sitio',
        text: 'Es solo el final de otros nombres. No permite ningún sitio web: retire la entrada.',
      },
      http: {
        name: 'Sin cifrar',
        text: 'Sin cifrado: una red intermedia puede cambiar las páginas de este origen.',
      },
      lookalike: {
        name: 'Nombre engañoso',
        text: 'Algunas letras de este nombre se parecen a las de otro alfabeto. Compruebe que es realmente el dominio que quiere:',
      },
    },
    add: 'Permitir un dominio',
    addSubmit: 'Permitir el dominio',
    domainHint: 'Por ejemplo www.example.com',
    preview: 'Con esta entrada:',
    covered: (entry) => `La entrada ${entry} ya lo permite.`,
    previewMalformed: 'Aún no es un dominio.',
    problems: {
      malformed:
        'No es un dominio en una de las formas de abajo. Quite las rutas, los espacios y la barra diagonal final. Un comodín empieza por «*.» y tiene al menos dos partes después.',
      path: 'Solo se permite el origen. El resto de la dirección se ha quitado: envíe otra vez.',
      'public-suffix':
        'Cualquiera puede registrar un host por debajo de este dominio: el comodín dejaría entrar a desconocidos. Escriba su propio dominio.',
      ending:
        'Este nombre es solo un final de dominios, como «com». Escriba su propio dominio, por ejemplo www.example.com.',
      http: 'Este origen no está cifrado: una red intermedia puede cambiar sus páginas y usar su clave. Use https si puede.',
      listed: 'Este dominio ya está permitido.',
      tooMany: 'La cuenta tiene 100 dominios permitidos, el máximo. Retire uno primero.',
      unconfirmed: 'Marque la casilla para permitir este dominio.',
    },
    acceptHttp: 'Conozco el riesgo. Permitir este origen sin cifrado.',
    acceptLookalike: 'He comprobado el nombre. Permitir este dominio.',
    formsHeading: 'Formas aceptadas',
    forms: [
      ['www.example.com', 'exactamente https://www.example.com'],
      ['*.example.com', 'https:// y cualquier host por debajo de example.com, pero no el propio example.com'],
      ['https://example.com:8443', 'exactamente este origen, con su puerto'],
      ['localhost', 'http y https en su propia máquina, para pruebas'],
    ],
    wildcardAdvice:
      'Con un comodín, usted confía en todos los hosts por debajo de ese dominio, también en los de otros equipos o clientes alojados. Prefiera hosts exactos.',
    remove: 'Retirar',
    removeTitle: (domain) => `¿Retirar el dominio ${domain}?`,
    inUse: (ago) => `Último uso: ${ago}.`,
    removeWarning: 'En 5 segundos, la API rechaza las solicitudes que solo esta entrada permite.',
    removesLast: 'Es la única entrada: en 5 segundos, la API rechaza todas las solicitudes de esta cuenta.',
    allowedByOther: (entry) => `La entrada ${entry} permite lo mismo: no se rechaza ninguna solicitud.`,
    removeSubmit: 'Retirar el dominio',
    back: 'Volver a los dominios',
    trialHeading: 'Probar un origen',
    trialLabel: '¿Se aceptaría este origen?',
    trialHint: 'El valor de la cabecera Origin, por ejemplo https://www.example.com',
    trialSubmit: 'Probar',
    trialEmpty: 'Escriba un origen.',
    passes: 'Aceptado:',
    refused: 'Rechazado:',
    matches: (domain) => `La entrada ${domain} lo permite.`,
    mismatch: (mismatch) => {
      switch (mismatch.kind) {
        case 'null':
          return 'Un archivo local o un marco aislado envía «null». Abra la página desde un servidor web.';
        case 'path':
          return 'El origen continúa después del host. Quite la barra diagonal y lo que sigue.';
        case 'form':
          return 'No es un origen. Un origen tiene un esquema, un host y quizá un puerto, por ejemplo https://www.example.com:8443.';
        case 'scheme':
          return `El dominio permitido tiene otro esquema. Esto se aceptaría: ${mismatch.allowed}`;
        case 'port':
          return `El dominio permitido tiene otro puerto. Esto se aceptaría: ${mismatch.allowed}`;
        case 'apex':
          return `La lista permite los hosts por debajo de ${mismatch.host}, pero no el propio ${mismatch.host}.`;
        case 'subdomain':
          return `La lista permite ${mismatch.host}, pero no este subdominio.`;
        case 'unknown':
          return 'Ninguna entrada de la lista se le parece.';
      }
    },
  },
});
