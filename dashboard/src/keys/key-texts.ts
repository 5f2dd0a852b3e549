import type { CredentialKind } from '@jobs-delete/accounts/accounts';
import type { Translated } from '../web/language.ts';

export interface KeyTexts {
  readonly title: string;
  readonly intro: string;
  readonly kinds: Readonly<Record<CredentialKind, string>>;
  readonly none: Readonly<Record<CredentialKind, string>>;
  readonly name: string;
  readonly id: string;
  readonly created: string;
  readonly lastUsed: string;
  readonly lastRefused: string;
  readonly expires: string;
  readonly state: string;
  readonly states: { readonly valid: string; readonly expired: string; readonly revoked: string };
  readonly never: string;
}

export const keyTexts: Translated<KeyTexts> = {
  en: {
    title: 'Keys',
    intro: 'Each request to the API carries a token and a secret key of the same account.',
    kinds: { token: 'Tokens', 'secret-key': 'Secret keys' },
    none: { token: 'There is no token yet.', 'secret-key': 'There is no secret key yet.' },
    name: 'Name',
    id: 'Public id',
    created: 'Created',
    lastUsed: 'Last used',
    lastRefused: 'Last refused',
    expires: 'Expires',
    state: 'State',
    states: { valid: 'Valid', expired: 'Expired', revoked: 'Revoked' },
    never: 'never',
  },
  fr: {
    title: 'Clés',
    intro: 'Chaque requête à l’API porte un jeton et une clé secrète du même compte.',
    kinds: { token: 'Jetons', 'secret-key': 'Clés secrètes' },
    none: { token: 'Il n’y a pas encore de jeton.', 'secret-key': 'Il n’y a pas encore de clé secrète.' },
    name: 'Nom',
    id: 'Identifiant public',
    created: 'Créé le',
    lastUsed: 'Dernière utilisation',
    lastRefused: 'Dernier refus',
    expires: 'Expire le',
    state: 'État',
    states: { valid: 'Valide', expired: 'Expiré', revoked: 'Révoqué' },
    never: 'jamais',
  },
  es: {
    title: 'Claves',
    intro: 'Cada solicitud a la API lleva un token y una clave secreta de la misma cuenta.',
    kinds: { token: 'Tokens', 'secret-key': 'Claves secretas' },
    none: { token: 'Todavía no hay ningún token.', 'secret-key': 'Todavía no hay ninguna clave secreta.' },
    name: 'Nombre',
    id: 'Identificador público',
    created: 'Creado',
    lastUsed: 'Último uso',
    lastRefused: 'Último rechazo',
    expires: 'Caduca',
    state: 'Estado',
    states: { valid: 'Válido', expired: 'Caducado', revoked: 'Revocado' },
    never: 'nunca',
  },
};
