import { translated } from '../web/language.ts';

export const signInTexts = translated({
  en: {
    signIn: 'Sign in',
    product:
      'jobs-delete deletes job postings in bulk, with a limit, a delay to cancel, and a trail of who deleted what.',
    ended: 'Your session has ended.',
    noAccess: 'No invitation, or no passkey any more?',
    needsInvitation:
      'Only invited people can sign in. If you lost every passkey, ask an owner of the account for a new invitation.',
    passkey: {
      signIn: 'Sign in with a passkey',
      add: 'Add a passkey',
      name: 'Name of the passkey',
      nameProblem: 'The name is too long, or it has a character that is not shown.',
      hint: 'Your device proves who you are by your fingerprint, face or PIN.',
      problem: 'The passkey was not used. Try again, or on another device if this one has none.',
      exists: 'This device already has one of your passkeys. Add the next one on another device.',
      refused: 'The passkey was refused. Try again.',
      unknown:
        'No account has a member with this passkey. Use another one, or ask an owner of the account for an invitation.',
      gone: 'This passkey is no longer one of yours. Use another one.',
      needsScript: 'Passkeys need JavaScript and a current browser.',
    },
    openId: {
      signIn: 'Sign in with your organisation',
      refused: 'The sign-in with your organisation was refused. Only invited people can sign in.',
    },
    continue: {
      title: 'You are signed in',
      text: 'Close this tab, and continue in the tab with your form.',
    },
    again: {
      title: 'Confirm that it is you',
      text: 'The next page needs a sign-in of the last 15 minutes.',
      cancel: 'Cancel',
      afterLink: 'Continue after the sign-in',
    },
    link: {
      invitation: 'Invitation',
      operator: 'The operator of the service',
      invites: {
        owner: (by: string, account: string) => `${by} invites you to the account ${account} as an owner.`,
        manager: (by: string, account: string) => `${by} invites you to the account ${account} as a manager.`,
        viewer: (by: string, account: string) => `${by} invites you to the account ${account} as a viewer.`,
      },
      label: 'Invitation for',
      signedInAs: (email: string, account: string) => `You are signed in as ${email} (${account}).`,
      joinsAs: (email: string, account: string) =>
        `You join with the same sign-in. The account ${account} shows you as ${email}.`,
      join: 'Join the account',
      joinWithPasskey: 'Create a passkey and join',
      newHere: 'New here? Create a passkey on this device.',
      hasPasskey: 'You already sign in here? Use the passkey that you have.',
      signInFirst: 'Sign in, then join',
      signsIn: (account: string) => `This link signs you in to the account ${account}. It works once.`,
      signsInAs: 'Signs in as',
      alreadyMember: {
        title: 'You are already a member',
        text: 'The invitation was not used.',
        advice: 'Send its link to the invited person, who opens it in another browser.',
      },
      identityTaken: {
        title: 'You are known here already',
        text: 'The invitation was not used.',
        advice: 'Sign in first, then open the link again.',
      },
      unknown: {
        title: 'The link does not work',
        text: 'It was used before, it has expired, or a part of it is missing.',
        advice:
          'If you have used it already, sign in. Otherwise ask the person who sent it for a new one. A link works once, and only before it expires.',
      },
      signedInAlready: (email: string, account: string) =>
        `You are signed in to ${account} as ${email}, so you need no link for it. To join another one, ask the person who sent the link for a new one.`,
      rights: {
        owner: 'An owner may do everything: also invite people, and set the limit and the delay.',
        manager: 'A manager creates keys, allows domains, deletes jobs and cancels deletions.',
        viewer: 'A viewer sees keys, domains, jobs and deletions, and changes nothing.',
      },
    },
  },
  fr: {
    signIn: 'Se connecter',
    product:
      'jobs-delete supprime des offres d’emploi en masse, avec une limite, un délai pour annuler et un journal de qui a supprimé quoi.',
    ended: 'Votre session a pris fin.',
    noAccess: 'Pas d’invitation, ou plus de clé d’accès ?',
    needsInvitation:
      'Seules les personnes invitées peuvent se connecter. Si vous avez perdu toutes vos clés d’accès, demandez une nouvelle invitation à un propriétaire du compte.',
    passkey: {
      signIn: 'Se connecter avec une clé d’accès',
      add: 'Ajouter une clé d’accès',
      name: 'Nom de la clé d’accès',
      nameProblem: 'Le nom est trop long, ou il contient un caractère qui ne s’affiche pas.',
      hint: 'Votre appareil confirme votre identité par empreinte, visage ou code PIN.',
      problem:
        'La clé d’accès n’a pas été utilisée. Réessayez, ou sur un autre appareil si celui-ci n’en a pas.',
      exists: 'Cet appareil a déjà l’une de vos clés d’accès. Ajoutez la prochaine sur un autre appareil.',
      refused: 'La clé d’accès a été refusée. Réessayez.',
      unknown:
        'Aucun compte n’a de membre avec cette clé d’accès. Utilisez-en une autre, ou demandez une invitation à un propriétaire du compte.',
      gone: 'Cette clé d’accès ne fait plus partie des vôtres. Utilisez-en une autre.',
      needsScript: 'Les clés d’accès exigent JavaScript et un navigateur récent.',
    },
    openId: {
      signIn: 'Se connecter avec votre organisation',
      refused:
        'La connexion avec votre organisation a été refusée. Seules les personnes invitées peuvent se connecter.',
    },
    continue: {
      title: 'Vous êtes connecté',
      text: 'Fermez cet onglet et continuez dans celui de votre formulaire.',
    },
    again: {
      title: 'Confirmez votre identité',
      text: 'La page suivante exige une connexion de moins de 15 minutes.',
      cancel: 'Annuler',
      afterLink: 'Continuer après la connexion',
    },
    link: {
      invitation: 'Invitation',
      operator: 'L’exploitant du service',
      invites: {
        owner: (by, account) => `${by} vous invite à rejoindre le compte ${account} comme propriétaire.`,
        manager: (by, account) => `${by} vous invite à rejoindre le compte ${account} comme gestionnaire.`,
        viewer: (by, account) => `${by} vous invite à rejoindre le compte ${account} comme lecteur.`,
      },
      label: 'Invitation pour',
      signedInAs: (email, account) => `Vous êtes connecté en tant que ${email} (${account}).`,
      joinsAs: (email, account) =>
        `Vous rejoignez le compte ${account} avec la même connexion. Il vous affiche comme ${email}.`,
      join: 'Rejoindre le compte',
      joinWithPasskey: 'Créer une clé d’accès et rejoindre',
      newHere: 'Première visite ? Créez une clé d’accès sur cet appareil.',
      hasPasskey: 'Vous vous connectez déjà ici ? Utilisez la clé d’accès que vous avez.',
      signInFirst: 'Se connecter, puis rejoindre',
      signsIn: (account) => `Ce lien vous connecte au compte ${account}. Il fonctionne une fois.`,
      signsInAs: 'Connecte',
      alreadyMember: {
        title: 'Vous êtes déjà membre',
        text: 'L’invitation n’a pas été utilisée.',
        advice: 'Envoyez son lien à la personne invitée, qui l’ouvre dans un autre navigateur.',
      },
      identityTaken: {
        title: 'Vous êtes déjà connu ici',
        text: 'L’invitation n’a pas été utilisée.',
        advice: 'Connectez-vous d’abord, puis ouvrez de nouveau le lien.',
      },
      unknown: {
        title: 'Le lien ne fonctionne pas',
        text: 'Il a déjà servi, il a expiré, ou il est incomplet.',
        advice:
          'Si vous l’avez déjà utilisé, connectez-vous. Sinon, demandez-en un nouveau à la personne qui l’a envoyé. Un lien sert une fois, jusqu’à son expiration.',
      },
      signedInAlready: (email, account) =>
        `Vous êtes connecté à ${account} en tant que ${email} : ce compte n’exige pas de lien. Pour en rejoindre un autre, demandez un nouveau lien à la personne qui l’a envoyé.`,
      rights: {
        owner:
          'Un propriétaire peut tout faire : aussi inviter des personnes et fixer la limite et le délai.',
        manager:
          'Un gestionnaire crée des clés, autorise des domaines, supprime des offres et annule des suppressions.',
        viewer: 'Un lecteur voit les clés, domaines, offres et suppressions, et ne modifie rien.',
      },
    },
  },
  es: {
    signIn: 'Iniciar sesión',
    product:
      'jobs-delete elimina ofertas de empleo de forma masiva, con un límite, un plazo para cancelar y un registro de quién ha eliminado qué.',
    ended: 'Su sesión ha terminado.',
    noAccess: '¿Sin invitación, o ya sin llave de acceso?',
    needsInvitation:
      'Solo las personas invitadas pueden iniciar sesión. Si ha perdido todas sus llaves de acceso, pida una nueva invitación a un propietario de la cuenta.',
    passkey: {
      signIn: 'Iniciar sesión con una llave de acceso',
      add: 'Añadir una llave de acceso',
      name: 'Nombre de la llave de acceso',
      nameProblem: 'El nombre es demasiado largo o tiene un carácter que no se muestra.',
      hint: 'Su dispositivo confirma su identidad con la huella, la cara o el PIN.',
      problem:
        'La llave de acceso no se ha usado. Inténtelo de nuevo, o en otro dispositivo si este no tiene ninguna.',
      exists:
        'Este dispositivo ya tiene una de sus llaves de acceso. Añada la siguiente en otro dispositivo.',
      refused: 'Se ha rechazado la llave de acceso. Inténtelo de nuevo.',
      unknown:
        'Ninguna cuenta tiene un miembro con esta llave de acceso. Use otra, o pida una invitación a un propietario de la cuenta.',
      gone: 'Esta llave de acceso ya no es una de las suyas. Use otra.',
      needsScript: 'Las llaves de acceso necesitan JavaScript y un navegador actual.',
    },
    openId: {
      signIn: 'Iniciar sesión con su organización',
      refused:
        'Se ha rechazado el inicio de sesión con su organización. Solo las personas invitadas pueden iniciar sesión.',
    },
    continue: {
      title: 'Ha iniciado sesión',
      text: 'Cierre esta pestaña y continúe en la de su formulario.',
    },
    again: {
      title: 'Confirme su identidad',
      text: 'La página siguiente requiere un inicio de sesión de los últimos 15 minutos.',
      cancel: 'Cancelar',
      afterLink: 'Continuar tras iniciar sesión',
    },
    link: {
      invitation: 'Invitación',
      operator: 'El operador del servicio',
      invites: {
        owner: (by, account) => `${by} le invita a unirse a la cuenta ${account} como propietario.`,
        manager: (by, account) => `${by} le invita a unirse a la cuenta ${account} como gestor.`,
        viewer: (by, account) => `${by} le invita a unirse a la cuenta ${account} como lector.`,
      },
      label: 'Invitación para',
      signedInAs: (email, account) => `Ha iniciado sesión como ${email} (${account}).`,
      joinsAs: (email, account) =>
        `Se une con el mismo inicio de sesión. La cuenta ${account} le muestra como ${email}.`,
      join: 'Unirse a la cuenta',
      joinWithPasskey: 'Crear una llave de acceso y unirse',
      newHere: '¿Es su primera visita? Cree una llave de acceso en este dispositivo.',
      hasPasskey: '¿Ya inicia sesión aquí? Use la llave de acceso que tiene.',
      signInFirst: 'Iniciar sesión y unirse',
      signsIn: (account) => `Este enlace inicia su sesión en la cuenta ${account}. Funciona una vez.`,
      signsInAs: 'Inicia la sesión de',
      alreadyMember: {
        title: 'Ya es miembro',
        text: 'La invitación no se ha usado.',
        advice: 'Envíe su enlace a la persona invitada, que lo abre en otro navegador.',
      },
      identityTaken: {
        title: 'Ya se le conoce aquí',
        text: 'La invitación no se ha usado.',
        advice: 'Inicie sesión primero y abra el enlace de nuevo.',
      },
      unknown: {
        title: 'El enlace no funciona',
        text: 'Ya se ha usado, ha caducado o está incompleto.',
        advice:
          'Si ya lo usó, inicie sesión. Si no, pida uno nuevo a quien lo envió. Un enlace sirve una vez, hasta que caduca.',
      },
      signedInAlready: (email, account) =>
        `Ha iniciado sesión en ${account} como ${email}, así que no necesita ningún enlace para esa cuenta. Para unirse a otra, pida uno nuevo a quien envió el enlace.`,
      rights: {
        owner: 'Un propietario puede hacer todo: también invitar a personas y fijar el límite y el plazo.',
        manager: 'Un gestor crea claves, permite dominios, elimina ofertas y cancela eliminaciones.',
        viewer: 'Un lector ve claves, dominios, ofertas y eliminaciones, y no cambia nada.',
      },
    },
  },
});
