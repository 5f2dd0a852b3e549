import type { Translated } from './language.ts';

interface LayoutTexts {
  readonly product: string;
  readonly skip: string;
  readonly menu: string;
  readonly keys: string;
  readonly domains: string;
  readonly activity: string;
  readonly sandbox: string;
  readonly people: string;
  readonly trail: string;
  readonly profile: string;
  readonly signOut: string;
  readonly language: string;
  readonly change: string;
  readonly account: string;
  readonly notFound: { readonly title: string; readonly text: string };
  readonly forbidden: { readonly title: string; readonly text: string };
  readonly expiredForm: { readonly title: string; readonly text: string };
  readonly badRequest: { readonly title: string; readonly text: string };
  readonly unavailable: { readonly title: string; readonly text: string };
  readonly failure: { readonly title: string; readonly text: string };
  readonly disabled: { readonly title: string; readonly text: string };
  readonly tooMany: { readonly title: string; readonly text: string };
}

export const layoutTexts: Translated<LayoutTexts> = {
  en: {
    product: 'jobs-delete',
    skip: 'Skip to the content',
    menu: 'Main menu',
    keys: 'Keys',
    domains: 'Allowed domains',
    activity: 'Activity',
    sandbox: 'Sandbox',
    people: 'People',
    trail: 'Audit trail',
    profile: 'Your sign-in',
    signOut: 'Sign out',
    language: 'Language',
    change: 'Change',
    account: 'Account',
    notFound: { title: 'Page not found', text: 'There is nothing at this address.' },
    forbidden: { title: 'Not allowed', text: 'Your role in this account does not include this page.' },
    expiredForm: {
      title: 'The form has expired',
      text: 'Nothing was changed. Go back, reload the page and send the form again.',
    },
    badRequest: { title: 'The request is not valid', text: 'Nothing was changed.' },
    unavailable: {
      title: 'Not available at the moment',
      text: 'A part of the service does not answer. Try again in a moment.',
    },
    failure: { title: 'Something went wrong', text: 'The error is in the log of the service. Try again.' },
    disabled: {
      title: 'The account is disabled',
      text: 'The operator of the service has disabled this account. Its keys do not work, and nothing can be changed here.',
    },
    tooMany: {
      title: 'Too many changes',
      text: 'Nothing was changed. You have sent very many forms. Try again in 15 minutes.',
    },
  },
  fr: {
    product: 'jobs-delete',
    skip: 'Aller au contenu',
    menu: 'Menu principal',
    keys: 'Clés',
    domains: 'Domaines autorisés',
    activity: 'Activité',
    sandbox: 'Bac à sable',
    people: 'Membres',
    trail: 'Journal d’audit',
    profile: 'Votre connexion',
    signOut: 'Se déconnecter',
    language: 'Langue',
    change: 'Changer',
    account: 'Compte',
    notFound: { title: 'Page introuvable', text: 'Il n’y a rien à cette adresse.' },
    forbidden: { title: 'Accès refusé', text: 'Votre rôle dans ce compte ne donne pas accès à cette page.' },
    expiredForm: {
      title: 'Le formulaire a expiré',
      text: 'Rien n’a été modifié. Revenez en arrière, rechargez la page et renvoyez le formulaire.',
    },
    badRequest: { title: 'La requête n’est pas valide', text: 'Rien n’a été modifié.' },
    unavailable: {
      title: 'Indisponible pour le moment',
      text: 'Une partie du service ne répond pas. Réessayez dans un instant.',
    },
    disabled: {
      title: 'Le compte est désactivé',
      text: 'L’exploitant du service a désactivé ce compte. Ses clés ne fonctionnent pas, et rien ne peut être modifié ici.',
    },
    tooMany: {
      title: 'Trop de modifications',
      text: 'Rien n’a été modifié. Vous avez envoyé un très grand nombre de formulaires. Réessayez dans 15 minutes.',
    },
    failure: {
      title: 'Une erreur est survenue',
      text: 'L’erreur est dans le journal du service. Réessayez.',
    },
  },
  es: {
    product: 'jobs-delete',
    skip: 'Ir al contenido',
    menu: 'Menú principal',
    keys: 'Claves',
    domains: 'Dominios permitidos',
    activity: 'Actividad',
    sandbox: 'Entorno de pruebas',
    people: 'Miembros',
    trail: 'Registro de auditoría',
    profile: 'Su acceso',
    signOut: 'Cerrar sesión',
    language: 'Idioma',
    change: 'Cambiar',
    account: 'Cuenta',
    notFound: { title: 'Página no encontrada', text: 'No hay nada en esta dirección.' },
    forbidden: { title: 'Acceso denegado', text: 'Su rol en esta cuenta no incluye esta página.' },
    expiredForm: {
      title: 'El formulario ha caducado',
      text: 'No se ha cambiado nada. Vuelva atrás, recargue la página y envíe el formulario de nuevo.',
    },
    badRequest: { title: 'La solicitud no es válida', text: 'No se ha cambiado nada.' },
    unavailable: {
      title: 'No disponible por el momento',
      text: 'Una parte del servicio no responde. Inténtelo de nuevo en un momento.',
    },
    disabled: {
      title: 'La cuenta está desactivada',
      text: 'El operador del servicio ha desactivado esta cuenta. Sus claves no funcionan y aquí no se puede cambiar nada.',
    },
    tooMany: {
      title: 'Demasiados cambios',
      text: 'No se ha cambiado nada. Ha enviado muchísimos formularios. Inténtelo de nuevo en 15 minutos.',
    },
    failure: {
      title: 'Se ha producido un error',
      text: 'El error está en el registro del servicio. Inténtelo de nuevo.',
    },
  },
};
