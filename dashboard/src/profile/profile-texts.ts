import type { Translated } from '../web/language.ts';

interface ProfileTexts {
  readonly title: string;
  readonly confirmFirst: string;
  readonly confirm: string;
  readonly withProvider: string;
  readonly name: string;
  readonly created: string;
  readonly lastUsed: string;
  readonly never: string;
  readonly remove: string;
  readonly action: string;
  readonly passkeys: {
    readonly title: string;
    readonly none: string;
    readonly addAnother: string;
    readonly tooMany: string;
    readonly exists: string;
    readonly last: string;
  };
  readonly sessions: {
    readonly title: string;
    readonly browser: string;
    readonly network: string;
    readonly lastSeen: string;
    readonly current: string;
    readonly unknown: string;
    readonly end: string;
    readonly endOthers: string;
  };
}

export const profileTexts: Translated<ProfileTexts> = {
  en: {
    title: 'Your sign-in',
    confirmFirst: 'Confirm that it is you before you change how you sign in.',
    confirm: 'Confirm',
    withProvider: 'You sign in at your organisation.',
    name: 'Name',
    created: 'Created',
    lastUsed: 'Last used',
    never: 'never',
    remove: 'Remove',
    action: 'Action',
    passkeys: {
      title: 'Passkeys',
      none: 'You have no passkey.',
      addAnother: 'Add a second passkey, on another device. Without any passkey you need a new invitation.',
      tooMany: 'You have 20 passkeys. Remove one first.',
      exists: 'This passkey is already registered.',
      last: 'This is your only passkey. Add another one first.',
    },
    sessions: {
      title: 'Sessions',
      browser: 'Browser',
      network: 'Network',
      lastSeen: 'Last seen',
      current: 'this browser',
      unknown: 'Unknown browser',
      end: 'End',
      endOthers: 'End all other sessions',
    },
  },
  fr: {
    title: 'Votre connexion',
    confirmFirst: 'Confirmez votre identité avant de modifier votre mode de connexion.',
    confirm: 'Confirmer',
    withProvider: 'Vous vous connectez auprès de votre organisation.',
    name: 'Nom',
    created: 'Date de création',
    lastUsed: 'Dernière utilisation',
    never: 'jamais',
    remove: 'Supprimer',
    action: 'Action',
    passkeys: {
      title: 'Clés d’accès',
      none: 'Vous n’avez pas de clé d’accès.',
      addAnother:
        'Ajoutez une deuxième clé d’accès, sur un autre appareil. Sans aucune clé, il vous faut une nouvelle invitation.',
      tooMany: 'Vous avez 20 clés d’accès. Supprimez-en une d’abord.',
      exists: 'Cette clé d’accès est déjà enregistrée.',
      last: 'C’est votre seule clé d’accès. Ajoutez-en d’abord une autre.',
    },
    sessions: {
      title: 'Sessions',
      browser: 'Navigateur',
      network: 'Réseau',
      lastSeen: 'Dernière activité',
      current: 'ce navigateur',
      unknown: 'Navigateur inconnu',
      end: 'Terminer',
      endOthers: 'Terminer toutes les autres sessions',
    },
  },
  es: {
    title: 'Su acceso',
    confirmFirst: 'Confirme su identidad antes de cambiar cómo inicia sesión.',
    confirm: 'Confirmar',
    withProvider: 'Inicia sesión en su organización.',
    name: 'Nombre',
    created: 'Fecha de creación',
    lastUsed: 'Último uso',
    never: 'nunca',
    remove: 'Eliminar',
    action: 'Acción',
    passkeys: {
      title: 'Llaves de acceso',
      none: 'No tiene ninguna llave de acceso.',
      addAnother:
        'Añada una segunda llave de acceso, en otro dispositivo. Sin ninguna llave necesita una nueva invitación.',
      tooMany: 'Tiene 20 llaves de acceso. Elimine una primero.',
      exists: 'Esta llave de acceso ya está registrada.',
      last: 'Es su única llave de acceso. Añada primero otra.',
    },
    sessions: {
      title: 'Sesiones',
      browser: 'Navegador',
      network: 'Red',
      lastSeen: 'Última actividad',
      current: 'este navegador',
      unknown: 'Navegador desconocido',
      end: 'Cerrar',
      endOthers: 'Cerrar todas las demás sesiones',
    },
  },
};
