import type { Role } from '@jobs-delete/accounts/people/people';
import type { Translated } from '../web/language.ts';

export interface PeopleTexts {
  readonly title: string;
  readonly intro: string;
  readonly members: string;
  readonly address: string;
  readonly role: string;
  readonly roles: Readonly<Record<Role, string>>;
  readonly methods: string;
  readonly passkeys: (count: number) => string;
  readonly openId: string;
  readonly noMethod: string;
  readonly actions: string;
  readonly change: string;
  readonly you: string;
  readonly invite: string;
  readonly inviteSubmit: string;
  readonly addressHint: string;
  readonly addressProblems: Readonly<Record<'malformed' | 'member', string>>;
  readonly roleHint: string;
  readonly roleProblem: string;
  readonly linkTitle: string;
  readonly linkHint: string;
  readonly copy: string;
  readonly validUntil: string;
  readonly sentAlreadyTitle: string;
  readonly sentAlready: string;
  readonly pending: string;
  readonly pendingNone: string;
  readonly invitedBy: string;
  readonly noOwner: string;
  readonly withdraw: string;
  readonly withdrawTitle: string;
  readonly withdrawWarning: string;
  readonly withdrawSubmit: string;
  readonly memberTitle: string;
  readonly changeRole: string;
  readonly changeRoleSubmit: string;
  readonly remove: string;
  readonly removeWarning: string;
  readonly removeSubmit: string;
  readonly leave: string;
  readonly leaveWarning: string;
  readonly leaveSubmit: string;
  readonly lastOwner: string;
  readonly back: string;
}

export const peopleTexts: Translated<PeopleTexts> = {
  en: {
    title: 'People',
    intro: 'The people who may use this account in the dashboard.',
    members: 'Members',
    address: 'E-mail address',
    role: 'Role',
    roles: { owner: 'Owner', manager: 'Manager', viewer: 'Viewer' },
    methods: 'Signs in with',
    passkeys: (count) => (count === 1 ? 'one passkey' : `${count} passkeys`),
    openId: 'organisation',
    noMethod: 'nothing yet',
    actions: 'Actions',
    change: 'Change',
    you: 'you',
    invite: 'Invite a person',
    inviteSubmit: 'Create the link',
    addressHint: 'A label that tells you who it is. Nothing checks it: whoever has the link can join.',
    addressProblems: {
      malformed: 'Enter an e-mail address such as ada@example.com.',
      member: 'This person is already a member. Change the role in the list of members.',
    },
    roleHint: 'A viewer only reads. A manager changes keys and domains. An owner manages people too.',
    roleProblem: 'Choose one of these roles.',
    linkTitle: 'Send this link to the person',
    linkHint:
      'The dashboard sends no e-mail. Copy the link now and send it to this person only: the person who uses it becomes a member of the account. It works once, and no page shows it again.',
    copy: 'Copy the link',
    validUntil: 'Valid until',
    sentAlreadyTitle: 'The form was already sent',
    sentAlready: 'No second link was created. If you did not copy the first one, invite the person again.',
    pending: 'Pending invitations',
    pendingNone: 'No invitation is pending.',
    invitedBy: 'Invited by',
    noOwner: 'No longer an owner: the link does not work.',
    withdraw: 'Withdraw',
    withdrawTitle: 'Withdraw an invitation',
    withdrawWarning: 'The link of this invitation stops working at once.',
    withdrawSubmit: 'Withdraw the invitation',
    memberTitle: 'Change a member',
    changeRole: 'Role',
    changeRoleSubmit: 'Change the role',
    remove: 'Remove from the account',
    removeWarning:
      'The person loses access with the next request. Keys that the person created stay valid: revoke those that the person knows.',
    removeSubmit: 'Remove the person',
    leave: 'Leave the account',
    leaveWarning: 'You lose access at once. Only another owner can invite you again.',
    leaveSubmit: 'Leave the account',
    lastOwner: 'An account needs an owner, and this is the last one. Make another member an owner first.',
    back: 'Back to the people',
  },
  fr: {
    title: 'Membres',
    intro: 'Les personnes qui peuvent utiliser ce compte dans le tableau de bord.',
    members: 'Liste des membres',
    address: 'Adresse e-mail',
    role: 'Rôle',
    roles: { owner: 'Propriétaire', manager: 'Gestionnaire', viewer: 'Lecteur' },
    methods: 'Se connecte avec',
    passkeys: (count) => (count === 1 ? 'une clé d’accès' : `${count} clés d’accès`),
    openId: 'organisation',
    noMethod: 'rien pour l’instant',
    actions: 'Actions',
    change: 'Modifier',
    you: 'vous',
    invite: 'Inviter une personne',
    inviteSubmit: 'Créer le lien',
    addressHint:
      'Un repère pour reconnaître la personne. Rien ne le vérifie : quiconque a le lien peut rejoindre le compte.',
    addressProblems: {
      malformed: 'Saisissez une adresse e-mail, par exemple ada@example.com.',
      member: 'Cette personne est déjà membre. Modifiez son rôle dans la liste des membres.',
    },
    roleHint:
      'Un lecteur consulte seulement. Un gestionnaire modifie les clés et les domaines. Un propriétaire gère aussi les membres.',
    roleProblem: 'Choisissez l’un de ces rôles.',
    linkTitle: 'Envoyez ce lien à la personne',
    linkHint:
      'Le tableau de bord n’envoie pas d’e-mail. Copiez le lien maintenant et envoyez-le à cette personne seulement : la personne qui l’utilise devient membre du compte. Il fonctionne une fois, et aucune page ne l’affichera de nouveau.',
    copy: 'Copier le lien',
    validUntil: 'Valable jusqu’au',
    sentAlreadyTitle: 'Le formulaire a déjà été envoyé',
    sentAlready:
      'Aucun second lien n’a été créé. Si vous n’avez pas copié le premier, invitez la personne de nouveau.',
    pending: 'Invitations en attente',
    pendingNone: 'Aucune invitation n’est en attente.',
    invitedBy: 'Invité par',
    noOwner: 'N’est plus propriétaire : le lien ne fonctionne pas.',
    withdraw: 'Annuler',
    withdrawTitle: 'Annuler une invitation',
    withdrawWarning: 'Le lien de cette invitation cesse de fonctionner immédiatement.',
    withdrawSubmit: 'Annuler l’invitation',
    memberTitle: 'Modifier un membre',
    changeRole: 'Rôle du membre',
    changeRoleSubmit: 'Modifier le rôle',
    remove: 'Retirer du compte',
    removeWarning:
      'La personne perd l’accès dès la requête suivante. Les clés qu’elle a créées restent valides : révoquez celles qu’elle connaît.',
    removeSubmit: 'Retirer la personne',
    leave: 'Quitter le compte',
    leaveWarning:
      'Vous perdez l’accès immédiatement. Seul un autre propriétaire peut vous inviter de nouveau.',
    leaveSubmit: 'Quitter le compte',
    lastOwner:
      'Un compte a besoin d’un propriétaire, et c’est le dernier. Nommez d’abord un autre membre propriétaire.',
    back: 'Retour aux membres',
  },
  es: {
    title: 'Miembros',
    intro: 'Las personas que pueden usar esta cuenta en el panel.',
    members: 'Lista de miembros',
    address: 'Correo electrónico',
    role: 'Rol',
    roles: { owner: 'Propietario', manager: 'Gestor', viewer: 'Lector' },
    methods: 'Inicia sesión con',
    passkeys: (count) => (count === 1 ? 'una llave de acceso' : `${count} llaves de acceso`),
    openId: 'organización',
    noMethod: 'nada todavía',
    actions: 'Acciones',
    change: 'Modificar',
    you: 'usted',
    invite: 'Invitar a una persona',
    inviteSubmit: 'Crear el enlace',
    addressHint:
      'Una etiqueta para reconocer a la persona. Nada la comprueba: quien tiene el enlace puede unirse.',
    addressProblems: {
      malformed: 'Escriba una dirección de correo electrónico, por ejemplo ada@example.com.',
      member: 'Esta persona ya es miembro. Cambie su rol en la lista de miembros.',
    },
    roleHint:
      'Un lector solo consulta. Un gestor cambia claves y dominios. Un propietario gestiona también a los miembros.',
    roleProblem: 'Elija uno de estos roles.',
    linkTitle: 'Envíe este enlace a la persona',
    linkHint:
      'El panel no envía correos. Copie el enlace ahora y envíelo solo a esta persona: quien lo usa pasa a ser miembro de la cuenta. Funciona una vez, y ninguna página lo volverá a mostrar.',
    copy: 'Copiar el enlace',
    validUntil: 'Válido hasta el',
    sentAlreadyTitle: 'El formulario ya se envió',
    sentAlready: 'No se ha creado un segundo enlace. Si no copió el primero, invite a la persona de nuevo.',
    pending: 'Invitaciones pendientes',
    pendingNone: 'No hay ninguna invitación pendiente.',
    invitedBy: 'Invitado por',
    noOwner: 'Ya no es propietario: el enlace no funciona.',
    withdraw: 'Anular',
    withdrawTitle: 'Anular una invitación',
    withdrawWarning: 'El enlace de esta invitación deja de funcionar de inmediato.',
    withdrawSubmit: 'Anular la invitación',
    memberTitle: 'Modificar un miembro',
    changeRole: 'Rol del miembro',
    changeRoleSubmit: 'Cambiar el rol',
    remove: 'Retirar de la cuenta',
    removeWarning:
      'La persona pierde el acceso con la siguiente solicitud. Las claves que creó siguen siendo válidas: revoque las que conozca.',
    removeSubmit: 'Retirar a la persona',
    leave: 'Abandonar la cuenta',
    leaveWarning: 'Pierde el acceso de inmediato. Solo otro propietario puede volver a invitarle.',
    leaveSubmit: 'Abandonar la cuenta',
    lastOwner:
      'Una cuenta necesita un propietario, y este es el último. Nombre antes propietario a otro miembro.',
    back: 'Volver a los miembros',
  },
};
