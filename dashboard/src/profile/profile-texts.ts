import type { Translated } from '../web/language.ts';

interface ProfileTexts {
  readonly title: string;
  readonly confirmFirst: string;
  readonly confirm: string;
  readonly noMethod: string;
  readonly name: string;
  readonly created: string;
  readonly lastUsed: string;
  readonly never: string;
  readonly remove: string;
  readonly action: string;
  readonly password: { readonly title: string; readonly set: string; readonly none: string };
  readonly passkeys: {
    readonly title: string;
    readonly none: string;
    readonly ipAddress: string;
    readonly exists: string;
    readonly last: string;
  };
  readonly factor: {
    readonly title: string;
    readonly text: string;
    readonly none: string;
    readonly set: (codes: number) => string;
    readonly needsPassword: string;
    readonly add: string;
    readonly newCodes: string;
    readonly scan: string;
    readonly qr: string;
    readonly secret: string;
    readonly expired: string;
  };
  readonly recovery: { readonly title: string; readonly text: string; readonly done: string };
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
    noMethod:
      'You have signed in with a link. Add a passkey or a password now, or you will need a new link next time.',
    name: 'Name',
    created: 'Created',
    lastUsed: 'Last used',
    never: 'never',
    remove: 'Remove',
    action: 'Action',
    password: {
      title: 'Password',
      set: 'You have a password. A new one ends all your other sessions.',
      none: 'You have no password.',
    },
    passkeys: {
      title: 'Passkeys',
      none: 'You have no passkey.',
      ipAddress: 'Passkeys need a host name. The address of this dashboard is an IP address.',
      exists: 'This passkey is already registered.',
      last: 'This is your only way to sign in. Add a password or another passkey first.',
    },
    factor: {
      title: 'Second factor',
      text: 'With an authenticator app, a stolen password is not enough to sign in.',
      none: 'You have no authenticator app.',
      set: (codes) => `You have an authenticator app. Unused recovery codes: ${codes}.`,
      needsPassword: 'Only a password needs a second factor. A passkey has one already.',
      add: 'Set up an authenticator app',
      newCodes: 'Create new recovery codes',
      scan: 'Scan the picture with your authenticator app, or type the secret. Then enter the code that the app shows.',
      qr: 'QR code with the secret below',
      secret: 'Secret',
      expired: 'The page has expired. Scan the new picture.',
    },
    recovery: {
      title: 'Your recovery codes',
      text: 'Each code replaces your authenticator app once. Keep them in a safe place: they are not shown again. Older codes no longer work.',
      done: 'I have saved the codes',
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
    noMethod:
      'Vous vous êtes connecté avec un lien. Ajoutez maintenant une clé d’accès ou un mot de passe, sinon il vous faudra un nouveau lien la prochaine fois.',
    name: 'Nom',
    created: 'Date de création',
    lastUsed: 'Dernière utilisation',
    never: 'jamais',
    remove: 'Supprimer',
    action: 'Action',
    password: {
      title: 'Mot de passe',
      set: 'Vous avez un mot de passe. Un nouveau mot de passe met fin à toutes vos autres sessions.',
      none: 'Vous n’avez pas de mot de passe.',
    },
    passkeys: {
      title: 'Clés d’accès',
      none: 'Vous n’avez pas de clé d’accès.',
      ipAddress:
        'Les clés d’accès exigent un nom d’hôte. L’adresse de ce tableau de bord est une adresse IP.',
      exists: 'Cette clé d’accès est déjà enregistrée.',
      last: 'C’est votre seul moyen de connexion. Ajoutez d’abord un mot de passe ou une autre clé d’accès.',
    },
    factor: {
      title: 'Second facteur',
      text: 'Avec une application d’authentification, un mot de passe volé ne suffit pas pour se connecter.',
      none: 'Vous n’avez pas d’application d’authentification.',
      set: (codes) =>
        `Vous avez une application d’authentification. Codes de récupération restants : ${codes}.`,
      needsPassword: 'Seul un mot de passe a besoin d’un second facteur. Une clé d’accès en a déjà un.',
      add: 'Configurer une application d’authentification',
      newCodes: 'Créer de nouveaux codes de récupération',
      scan: 'Scannez l’image avec votre application d’authentification, ou saisissez le secret. Saisissez ensuite le code que l’application affiche.',
      qr: 'Code QR qui contient le secret ci-dessous',
      secret: 'Secret',
      expired: 'La page a expiré. Scannez la nouvelle image.',
    },
    recovery: {
      title: 'Vos codes de récupération',
      text: 'Chaque code remplace une fois votre application d’authentification. Conservez-les en lieu sûr : ils ne s’afficheront plus. Les anciens codes ne fonctionnent plus.',
      done: 'J’ai enregistré les codes',
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
    noMethod:
      'Ha iniciado sesión con un enlace. Añada ahora una llave de acceso o una contraseña, o necesitará un nuevo enlace la próxima vez.',
    name: 'Nombre',
    created: 'Fecha de creación',
    lastUsed: 'Último uso',
    never: 'nunca',
    remove: 'Eliminar',
    action: 'Acción',
    password: {
      title: 'Contraseña',
      set: 'Tiene una contraseña. Una nueva cierra todas sus demás sesiones.',
      none: 'No tiene contraseña.',
    },
    passkeys: {
      title: 'Llaves de acceso',
      none: 'No tiene ninguna llave de acceso.',
      ipAddress:
        'Las llaves de acceso necesitan un nombre de host. La dirección de este panel es una dirección IP.',
      exists: 'Esta llave de acceso ya está registrada.',
      last: 'Es su única forma de iniciar sesión. Añada primero una contraseña u otra llave de acceso.',
    },
    factor: {
      title: 'Segundo factor',
      text: 'Con una aplicación de autenticación, una contraseña robada no basta para iniciar sesión.',
      none: 'No tiene ninguna aplicación de autenticación.',
      set: (codes) => `Tiene una aplicación de autenticación. Códigos de recuperación restantes: ${codes}.`,
      needsPassword: 'Solo una contraseña necesita un segundo factor. Una llave de acceso ya tiene uno.',
      add: 'Configurar una aplicación de autenticación',
      newCodes: 'Crear nuevos códigos de recuperación',
      scan: 'Escanee la imagen con su aplicación de autenticación, o escriba el secreto. Después introduzca el código que muestra la aplicación.',
      qr: 'Código QR con el secreto de abajo',
      secret: 'Secreto',
      expired: 'La página ha caducado. Escanee la nueva imagen.',
    },
    recovery: {
      title: 'Sus códigos de recuperación',
      text: 'Cada código sustituye una vez a su aplicación de autenticación. Guárdelos en un lugar seguro: no se vuelven a mostrar. Los códigos anteriores ya no funcionan.',
      done: 'He guardado los códigos',
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
