import type { Role } from '@jobs-delete/accounts/people/people';
import type { Translated } from '../web/language.ts';
import type { PasswordProblem } from './proof/password-rules.ts';

interface SignInTexts {
  readonly signIn: string;
  readonly email: string;
  readonly password: string;
  readonly show: string;
  readonly wrong: string;
  readonly blocked: (minutes: number) => string;
  readonly noAccount: { readonly title: string; readonly text: string };
  readonly passkey: {
    readonly signIn: string;
    readonly add: string;
    readonly name: string;
    readonly hint: string;
    readonly problem: string;
    readonly refused: string;
  };
  readonly openId: { readonly signIn: string; readonly refused: string };
  readonly code: {
    readonly title: string;
    readonly label: string;
    readonly hint: string;
    readonly wrong: string;
    readonly confirm: string;
  };
  readonly enrol: { readonly title: string; readonly text: string; readonly withPassword: string };
  readonly newPassword: {
    readonly label: string;
    readonly hint: string;
    readonly save: string;
    readonly problems: Readonly<Record<PasswordProblem, string>>;
  };
  readonly again: {
    readonly title: string;
    readonly text: string;
    readonly noMethod: string;
    readonly profile: string;
    readonly wrong: string;
    readonly confirm: string;
  };
  readonly link: {
    readonly invitation: string;
    readonly invites: (account: string, role: string | undefined) => string;
    readonly accept: string;
    readonly signIn: string;
    readonly signsIn: (account: string) => string;
    readonly signInFirst: (email: string) => string;
    readonly otherAccounts: string;
    readonly unknown: { readonly title: string; readonly text: string };
    readonly roles: Readonly<Record<Role, string>>;
  };
}

export const signInTexts: Translated<SignInTexts> = {
  en: {
    signIn: 'Sign in',
    email: 'E-mail address',
    password: 'Password',
    show: 'Show the password',
    wrong: 'The e-mail address or the password is wrong.',
    blocked: (minutes) =>
      `Too many wrong attempts. Try again in ${minutes} min, use a passkey, or use a browser with which you have signed in before.`,
    noAccount: { title: 'No account', text: 'You are a member of no account. Ask an owner to invite you.' },
    passkey: {
      signIn: 'Sign in with a passkey',
      add: 'Add a passkey',
      name: 'Name of the passkey',
      hint: 'Your device proves who you are by your fingerprint, face or PIN.',
      problem: 'The passkey was not used. Try again, or sign in with your password.',
      refused: 'The passkey was refused. Try again.',
    },
    openId: {
      signIn: 'Sign in with your organisation',
      refused:
        'The sign-in with your organisation was refused. Your verified address there must belong to an invited person.',
    },
    code: {
      title: 'Second factor',
      label: 'Code',
      hint: 'Six digits from your authenticator app, or a recovery code.',
      wrong: 'The code is wrong, or it was used before. Wait for the next one.',
      confirm: 'Confirm',
    },
    enrol: {
      title: 'Choose how you sign in',
      text: 'Your link works only once. From now on, you sign in with a passkey or a password.',
      withPassword: 'Choose a password',
    },
    newPassword: {
      label: 'New password',
      hint: 'At least 15 characters, of any kind. A sentence is easy to remember.',
      save: 'Save the password',
      problems: {
        short: 'The password is too short. It needs at least 15 characters.',
        long: 'The password is too long. It may have at most 128 characters.',
        common: 'The password is easy to guess: it is common, or it repeats itself. Choose another one.',
        personal:
          'The password is easy to guess: it is your address, your account or our name. Choose another one.',
      },
    },
    again: {
      title: 'Confirm that it is you',
      text: 'This change needs a sign-in of the last 15 minutes.',
      noMethod: 'You have neither a password nor a passkey yet. Add one first, or use a new sign-in link.',
      profile: 'Choose how you sign in',
      wrong: 'The password is wrong.',
      confirm: 'Confirm',
    },
    link: {
      invitation: 'Invitation',
      invites: (account, role) =>
        role === undefined
          ? `You are invited to the account ${account}.`
          : `You are invited to the account ${account} as ${role}.`,
      accept: 'Accept the invitation',
      signIn: 'Sign in',
      signsIn: (account) => `This link signs you in to the account ${account}. It works once.`,
      signInFirst: (email) => `Sign in as ${email} first. Then you can accept the invitation.`,
      otherAccounts:
        'This address already belongs to another account and has no password or passkey. Sign in there first, and choose one.',
      unknown: {
        title: 'The link does not work',
        text: 'It was used before, it has expired, or a part of it is missing. Ask for a new one.',
      },
      roles: { owner: 'owner', manager: 'manager', viewer: 'viewer' },
    },
  },
  fr: {
    signIn: 'Se connecter',
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    show: 'Afficher le mot de passe',
    wrong: 'L’adresse e-mail ou le mot de passe est incorrect.',
    blocked: (minutes) =>
      `Trop de tentatives erronées. Réessayez dans ${minutes} min, utilisez une clé d’accès, ou un navigateur avec lequel vous vous êtes déjà connecté.`,
    noAccount: {
      title: 'Aucun compte',
      text: 'Vous n’êtes membre d’aucun compte. Demandez une invitation à un propriétaire.',
    },
    passkey: {
      signIn: 'Se connecter avec une clé d’accès',
      add: 'Ajouter une clé d’accès',
      name: 'Nom de la clé d’accès',
      hint: 'Votre appareil confirme votre identité par empreinte, visage ou code PIN.',
      problem: 'La clé d’accès n’a pas été utilisée. Réessayez, ou connectez-vous avec votre mot de passe.',
      refused: 'La clé d’accès a été refusée. Réessayez.',
    },
    openId: {
      signIn: 'Se connecter avec votre organisation',
      refused:
        'La connexion avec votre organisation a été refusée. Votre adresse vérifiée doit appartenir à une personne invitée.',
    },
    code: {
      title: 'Second facteur',
      label: 'Code',
      hint: 'Six chiffres de votre application d’authentification, ou un code de récupération.',
      wrong: 'Le code est incorrect ou a déjà été utilisé. Attendez le suivant.',
      confirm: 'Confirmer',
    },
    enrol: {
      title: 'Choisissez votre mode de connexion',
      text: 'Votre lien ne fonctionne qu’une fois. Désormais, vous vous connectez avec une clé d’accès ou un mot de passe.',
      withPassword: 'Choisir un mot de passe',
    },
    newPassword: {
      label: 'Nouveau mot de passe',
      hint: 'Au moins 15 caractères, quels qu’ils soient. Une phrase est facile à retenir.',
      save: 'Enregistrer le mot de passe',
      problems: {
        short: 'Le mot de passe est trop court. Il doit compter au moins 15 caractères.',
        long: 'Le mot de passe est trop long. Il doit compter au plus 128 caractères.',
        common: 'Le mot de passe est facile à deviner : il est courant ou se répète. Choisissez-en un autre.',
        personal:
          'Le mot de passe est facile à deviner : c’est votre adresse, votre compte ou notre nom. Choisissez-en un autre.',
      },
    },
    again: {
      title: 'Confirmez votre identité',
      text: 'Cette modification exige une connexion de moins de 15 minutes.',
      noMethod:
        'Vous n’avez encore ni mot de passe ni clé d’accès. Ajoutez-en d’abord un, ou utilisez un nouveau lien de connexion.',
      profile: 'Choisir votre mode de connexion',
      wrong: 'Le mot de passe est incorrect.',
      confirm: 'Confirmer',
    },
    link: {
      invitation: 'Invitation',
      invites: (account, role) =>
        role === undefined
          ? `Vous êtes invité à rejoindre le compte ${account}.`
          : `Vous êtes invité à rejoindre le compte ${account} avec le rôle « ${role} ».`,
      accept: 'Accepter l’invitation',
      signIn: 'Se connecter',
      signsIn: (account) => `Ce lien vous connecte au compte ${account}. Il fonctionne une fois.`,
      signInFirst: (email) =>
        `Connectez-vous d’abord avec l’adresse ${email}. Ensuite, vous pourrez accepter l’invitation.`,
      otherAccounts:
        'Cette adresse appartient déjà à un autre compte et n’a ni mot de passe ni clé d’accès. Connectez-vous d’abord à ce compte et choisissez-en un.',
      unknown: {
        title: 'Le lien ne fonctionne pas',
        text: 'Il a déjà servi, il a expiré, ou il est incomplet. Demandez-en un nouveau.',
      },
      roles: { owner: 'propriétaire', manager: 'gestionnaire', viewer: 'lecteur' },
    },
  },
  es: {
    signIn: 'Iniciar sesión',
    email: 'Correo electrónico',
    password: 'Contraseña',
    show: 'Mostrar la contraseña',
    wrong: 'El correo electrónico o la contraseña no son correctos.',
    blocked: (minutes) =>
      `Demasiados intentos fallidos. Inténtelo de nuevo en ${minutes} min, use una llave de acceso, o un navegador con el que ya haya iniciado sesión.`,
    noAccount: {
      title: 'Sin cuenta',
      text: 'No es miembro de ninguna cuenta. Pida una invitación a un propietario.',
    },
    passkey: {
      signIn: 'Iniciar sesión con una llave de acceso',
      add: 'Añadir una llave de acceso',
      name: 'Nombre de la llave de acceso',
      hint: 'Su dispositivo confirma su identidad con la huella, la cara o el PIN.',
      problem: 'La llave de acceso no se ha usado. Inténtelo de nuevo, o inicie sesión con su contraseña.',
      refused: 'Se ha rechazado la llave de acceso. Inténtelo de nuevo.',
    },
    openId: {
      signIn: 'Iniciar sesión con su organización',
      refused:
        'Se ha rechazado el inicio de sesión con su organización. Su dirección verificada debe pertenecer a una persona invitada.',
    },
    code: {
      title: 'Segundo factor',
      label: 'Código',
      hint: 'Seis dígitos de su aplicación de autenticación, o un código de recuperación.',
      wrong: 'El código no es correcto o ya se ha usado. Espere al siguiente.',
      confirm: 'Confirmar',
    },
    enrol: {
      title: 'Elija cómo iniciar sesión',
      text: 'Su enlace funciona una sola vez. A partir de ahora, inicie sesión con una llave de acceso o una contraseña.',
      withPassword: 'Elegir una contraseña',
    },
    newPassword: {
      label: 'Nueva contraseña',
      hint: 'Al menos 15 caracteres de cualquier tipo. Una frase es fácil de recordar.',
      save: 'Guardar la contraseña',
      problems: {
        short: 'La contraseña es demasiado corta. Necesita al menos 15 caracteres.',
        long: 'La contraseña es demasiado larga. Puede tener 128 caracteres como máximo.',
        common: 'La contraseña es fácil de adivinar: es común o se repite. Elija otra.',
        personal: 'La contraseña es fácil de adivinar: es su correo, su cuenta o nuestro nombre. Elija otra.',
      },
    },
    again: {
      title: 'Confirme su identidad',
      text: 'Este cambio requiere un inicio de sesión de los últimos 15 minutos.',
      noMethod:
        'Todavía no tiene contraseña ni llave de acceso. Añada primero una, o use un nuevo enlace de acceso.',
      profile: 'Elegir cómo iniciar sesión',
      wrong: 'La contraseña no es correcta.',
      confirm: 'Confirmar',
    },
    link: {
      invitation: 'Invitación',
      invites: (account, role) =>
        role === undefined
          ? `Le han invitado a unirse a la cuenta ${account}.`
          : `Le han invitado a unirse a la cuenta ${account} con el rol de ${role}.`,
      accept: 'Aceptar la invitación',
      signIn: 'Iniciar sesión',
      signsIn: (account) => `Este enlace inicia su sesión en la cuenta ${account}. Funciona una vez.`,
      signInFirst: (email) => `Inicie sesión primero como ${email}. Después podrá aceptar la invitación.`,
      otherAccounts:
        'Esta dirección ya pertenece a otra cuenta y no tiene contraseña ni llave de acceso. Inicie sesión allí primero y elija una.',
      unknown: {
        title: 'El enlace no funciona',
        text: 'Ya se ha usado, ha caducado o está incompleto. Pida uno nuevo.',
      },
      roles: { owner: 'propietario', manager: 'gestor', viewer: 'lector' },
    },
  },
};
