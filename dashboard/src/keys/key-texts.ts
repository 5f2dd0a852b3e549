import type { CredentialKind } from '@jobs-delete/accounts/accounts';
import type { Translated } from '../web/language.ts';
import type { KeyState } from './key-state.ts';

type OfKind = Readonly<Record<CredentialKind, string>>;

/** The texts of the lists of keys, and of the facts about one key. */
interface KeyTexts {
  readonly title: string;
  readonly intro: string;
  readonly kinds: OfKind;
  readonly none: OfKind;
  readonly create: OfKind;
  readonly all: Readonly<Record<CredentialKind, (count: number) => string>>;
  readonly name: string;
  readonly id: string;
  readonly created: string;
  readonly lastUsed: string;
  readonly lastRefused: string;
  readonly expires: string;
  readonly state: string;
  readonly states: Readonly<Record<CredentialKind, Readonly<Record<KeyState, string>>>>;
  readonly never: string;
  readonly unnamed: string;
  readonly actions: string;
  readonly rotate: string;
  readonly revoke: string;
  readonly warningHeading: string;
  readonly warning: Readonly<Record<CredentialKind, (name: string, time: string) => string>>;
  readonly back: string;
}

export const keyTexts: Translated<KeyTexts> = {
  en: {
    title: 'Keys',
    intro: 'Each request to the API carries a token and a secret key of the same account.',
    kinds: { token: 'Tokens', 'secret-key': 'Secret keys' },
    none: { token: 'There is no token yet.', 'secret-key': 'There is no secret key yet.' },
    create: { token: 'Create a token', 'secret-key': 'Create a secret key' },
    all: {
      token: (count) => `All ${String(count)} tokens`,
      'secret-key': (count) => `All ${String(count)} secret keys`,
    },
    name: 'Name',
    id: 'Public id',
    created: 'Created',
    lastUsed: 'Last used',
    lastRefused: 'Last refused',
    expires: 'Expires',
    state: 'State',
    states: {
      token: { valid: 'Valid', 'expires-soon': 'Expires soon', expired: 'Expired', revoked: 'Revoked' },
      'secret-key': {
        valid: 'Valid',
        'expires-soon': 'Expires soon',
        expired: 'Expired',
        revoked: 'Revoked',
      },
    },
    never: 'never',
    unnamed: 'no name',
    actions: 'Actions',
    rotate: 'Rotate',
    revoke: 'Revoke',
    warningHeading: 'Keys that expire in the next 14 days',
    warning: {
      token: (name, time) => `The token “${name}” expires on ${time}.`,
      'secret-key': (name, time) => `The secret key “${name}” expires on ${time}.`,
    },
    back: 'Back to the keys',
  },
  fr: {
    title: 'Clés',
    intro: 'Chaque requête à l’API porte un jeton et une clé secrète du même compte.',
    kinds: { token: 'Jetons', 'secret-key': 'Clés secrètes' },
    none: { token: 'Il n’y a pas encore de jeton.', 'secret-key': 'Il n’y a pas encore de clé secrète.' },
    create: { token: 'Créer un jeton', 'secret-key': 'Créer une clé secrète' },
    all: {
      token: (count) => `Les ${String(count)} jetons`,
      'secret-key': (count) => `Les ${String(count)} clés secrètes`,
    },
    name: 'Nom',
    id: 'Identifiant public',
    created: 'Création',
    lastUsed: 'Dernière utilisation',
    lastRefused: 'Dernier refus',
    expires: 'Expiration',
    state: 'État',
    states: {
      token: { valid: 'Valide', 'expires-soon': 'Expire bientôt', expired: 'Expiré', revoked: 'Révoqué' },
      'secret-key': {
        valid: 'Valide',
        'expires-soon': 'Expire bientôt',
        expired: 'Expirée',
        revoked: 'Révoquée',
      },
    },
    never: 'jamais',
    unnamed: 'sans nom',
    actions: 'Actions',
    rotate: 'Renouveler',
    revoke: 'Révoquer',
    warningHeading: 'Clés qui expirent dans les 14 prochains jours',
    warning: {
      token: (name, time) => `Le jeton « ${name} » expire le ${time}.`,
      'secret-key': (name, time) => `La clé secrète « ${name} » expire le ${time}.`,
    },
    back: 'Retour aux clés',
  },
  es: {
    title: 'Claves',
    intro: 'Cada solicitud a la API lleva un token y una clave secreta de la misma cuenta.',
    kinds: { token: 'Tokens', 'secret-key': 'Claves secretas' },
    none: { token: 'Todavía no hay ningún token.', 'secret-key': 'Todavía no hay ninguna clave secreta.' },
    create: { token: 'Crear un token', 'secret-key': 'Crear una clave secreta' },
    all: {
      token: (count) => `Los ${String(count)} tokens`,
      'secret-key': (count) => `Las ${String(count)} claves secretas`,
    },
    name: 'Nombre',
    id: 'Identificador público',
    created: 'Creación',
    lastUsed: 'Último uso',
    lastRefused: 'Último rechazo',
    expires: 'Caducidad',
    state: 'Estado',
    states: {
      token: { valid: 'Válido', 'expires-soon': 'Caduca pronto', expired: 'Caducado', revoked: 'Revocado' },
      'secret-key': {
        valid: 'Válida',
        'expires-soon': 'Caduca pronto',
        expired: 'Caducada',
        revoked: 'Revocada',
      },
    },
    never: 'nunca',
    unnamed: 'sin nombre',
    actions: 'Acciones',
    rotate: 'Renovar',
    revoke: 'Revocar',
    warningHeading: 'Claves que caducan en los próximos 14 días',
    warning: {
      token: (name, time) => `El token «${name}» caduca el ${time}.`,
      'secret-key': (name, time) => `La clave secreta «${name}» caduca el ${time}.`,
    },
    back: 'Volver a las claves',
  },
};
