import { translated } from '../web/language.ts';

export const deleteJobsTexts = translated({
  en: {
    title: 'Delete jobs',
    deleteThis: 'Delete this job',
    allOf: (count: string) => `Delete all ${count} found jobs`,
    allFound: 'Delete all found jobs',
    foundBy: (text: string) =>
      `This preview has the jobs that the search “${text}” found just now. Later jobs are not included.`,
    leaveOut: (count: string) => `Leave out ${count} malformed ids and go on`,
    leaveOutOne: 'Leave out 1 malformed id and go on',
    intro: 'The next page shows what would be deleted. Nothing happens before you confirm it.',
    ids: 'Job ids',
    hint: 'Up to 10,000, one a line or with commas. A table needs a column “id”. XML feeds work too.',
    file: 'Or read them from a text, CSV, XML or XLSX file',
    notSent:
      'The file could not be sent. Choose it again in a moment, or open it, copy the column with the ids, and paste it above.',
    preview: 'Preview',
    back: 'Back to the jobs',
    edit: 'Change the ids',
    csv: 'Download as CSV',
    previewTitle: 'Delete these jobs?',
    previewOne: 'Delete this job?',
    found: (jobs: string) => `${jobs} will be deleted.`,
    share: (percent: string, all: string) => `That is ${percent} of the ${all} jobs of the account.`,
    shareOfRest: (percent: string, rest: string) =>
      `That is ${percent} of the ${rest} jobs that do not wait for deletion already.`,
    left: (jobs: string) => `${jobs} would be left.`,
    listed: 'Jobs to delete',
    leftOut: {
      heading: 'Left out',
      otherCapitals: 'The account has the id in other capitals',
      removing: 'Another deletion has it already',
      deleted: 'Already deleted',
      absent: 'Not in this account',
      unexplained: 'Not looked up: not in this account, or another deletion has it',
      malformed: 'Malformed: no job has such an id',
      repeated: 'Duplicate, counted once',
      useOne: (id: string) => `Use ${id}`,
      useMany: (count: string) => `Use these ${count} ids`,
    },
    first: (shown: string, all: string) => `The first ${shown} of ${all}:`,
    showAll: (count: string) => `Show all ${count}`,
    setDelay: 'Set a delay',
    allowed: (jobs: string) => `Allowed in addition to the limit: ${jobs}, until`,
    toLimit: 'See or end them',
    permanent: 'The removal starts at once, is permanent, and can’t be undone.',
    delayed: (delay: string) => `The removal starts in ${delay}. Until then, you can cancel it.`,
    count: 'How many jobs are deleted?',
    countHint: (count: string) => `Type ${count} to confirm.`,
    submit: (jobs: string) => `Delete ${jobs}`,
    allows: {
      left: (free: string, most: string) => `The limit still allows ${free} of ${most} jobs in 24 hours.`,
      title: 'What applies',
      rules: 'See the safety rules',
    },
    problems: {
      empty: 'Enter at least one job id.',
      binary:
        'This file can’t be read: it is neither text nor XLSX, or it is damaged, encrypted or too large. Open it, for example in a spreadsheet, copy the column with the ids, and paste it here.',
      xml: 'This XML can’t be read: it is not well-formed, it has a DOCTYPE, or it has no element such as <id>, <jobid> or <referencenumber>. Paste the ids instead.',
      tooMany: (count: string) =>
        `These are ${count} ids. A deletion has at most 10,000 jobs: delete them in parts.`,
      wrong: (words: string, count: number) =>
        `A job id has 4 to 128 letters and digits. ${count === 1 ? 'Not a job id' : 'Not job ids'}: ${words}`,
      line: (word: string, line: number) => `${word} (line ${String(line)})`,
      'too-many':
        'The search finds more than 10,000 jobs, the most that a deletion can have. Add more words.',
      unfinished:
        'The search takes too long at the moment. Nothing was deleted. Add more words, or try again in a moment.',
      noMatch: 'The search finds no job that can be deleted.',
      noneFound: 'The account has none of these jobs, or other deletions already remove them.',
      noColumn: (titles: string) =>
        `The account has none of these jobs, and no column with ids was found. In a table, this column has one of these titles: ${titles}.`,
      count: 'This is not the number of the jobs.',
      expired: 'The form has expired, so nothing was deleted. Confirm it again.',
      delay:
        'The delay before the removal has changed since the preview, so nothing was deleted. This is the new preview.',
      changed: 'The jobs have changed since the preview, so nothing was deleted. This is the new preview.',
      unavailable:
        'The service did not answer in time. Send the form again: it deletes the jobs once, also if the first try has succeeded.',
      unchecked:
        'The service can’t check the jobs at the moment. Nothing was deleted. Try again in a moment.',
    },
  },
  fr: {
    title: 'Supprimer des offres',
    deleteThis: 'Supprimer cette offre',
    allOf: (count) => `Supprimer les ${count} offres trouvées`,
    allFound: 'Supprimer toutes les offres trouvées',
    foundBy: (text) =>
      `Cet aperçu contient les offres que la recherche « ${text} » vient de trouver. Les offres ultérieures n’en font pas partie.`,
    leaveOut: (count) => `Écarter ${count} identifiants mal formés et continuer`,
    leaveOutOne: 'Écarter 1 identifiant mal formé et continuer',
    intro: 'La page suivante montre ce qui serait supprimé. Rien ne se passe avant votre confirmation.',
    ids: 'Identifiants d’offres',
    hint: 'Jusqu’à 10 000, un par ligne ou séparés par des virgules. Un tableau doit avoir une colonne « id ». Un flux XML convient aussi.',
    file: 'Ou lisez-les dans un fichier texte, CSV, XML ou XLSX',
    notSent:
      'Le fichier n’a pas pu être envoyé. Choisissez-le à nouveau dans un instant, ou ouvrez-le, copiez la colonne des identifiants et collez-la ci-dessus.',
    preview: 'Aperçu',
    back: 'Retour aux offres',
    edit: 'Modifier les identifiants',
    csv: 'Télécharger en CSV',
    previewTitle: 'Supprimer ces offres ?',
    previewOne: 'Supprimer cette offre ?',
    found: (jobs) => `${jobs} à supprimer.`,
    share: (percent, all) => `Soit ${percent} des ${all} offres du compte.`,
    shareOfRest: (percent, rest) =>
      `Soit ${percent} des ${rest} offres qui ne sont pas déjà en attente de suppression.`,
    left: (jobs) => `Il resterait ${jobs}.`,
    listed: 'Offres à supprimer',
    leftOut: {
      heading: 'Hors de la suppression',
      otherCapitals: 'Le compte a l’identifiant avec une autre casse',
      removing: 'Déjà dans une autre suppression',
      deleted: 'Déjà supprimée',
      absent: 'Pas dans ce compte',
      unexplained: 'Non vérifié : pas dans ce compte, ou dans une autre suppression',
      malformed: 'Mal formé : aucune offre n’a un tel identifiant',
      repeated: 'Doublon, compté une seule fois',
      useOne: (id) => `Utiliser ${id}`,
      useMany: (count) => `Utiliser ces ${count} identifiants`,
    },
    first: (shown, all) => `Les ${shown} premières sur ${all} :`,
    showAll: (count) => `Afficher les ${count}`,
    setDelay: 'Fixer un délai',
    allowed: (jobs) => `Autorisées en plus de la limite : ${jobs}, jusqu’au`,
    toLimit: 'Voir ces autorisations ou y mettre fin',
    permanent: 'La suppression commence aussitôt, est définitive et ne peut pas être annulée.',
    delayed: (delay) => `La suppression commence dans ${delay}. D’ici là, vous pouvez l’annuler.`,
    count: 'Combien d’offres sont supprimées ?',
    countHint: (count) => `Saisissez ${count} pour confirmer.`,
    submit: (jobs) => `Supprimer ${jobs}`,
    allows: {
      left: (free, most) => `La limite autorise encore ${free} offres sur ${most} en 24 heures.`,
      title: 'Ce qui s’applique',
      rules: 'Voir les garde-fous',
    },
    problems: {
      empty: 'Saisissez au moins un identifiant d’offre.',
      binary:
        'Ce fichier est illisible : il n’est ni du texte ni du XLSX, ou il est endommagé, chiffré ou trop volumineux. Ouvrez-le, par exemple dans un tableur, copiez la colonne des identifiants et collez-la ici.',
      xml: 'Ce XML est illisible : il est mal formé, il a un DOCTYPE, ou il n’a pas d’élément tel que <id>, <jobid> ou <referencenumber>. Collez plutôt les identifiants.',
      tooMany: (count) =>
        `Il y a ${count} identifiants. Une suppression compte au plus 10 000 offres : procédez en plusieurs fois.`,
      wrong: (words, count) =>
        `Un identifiant d’offre a de 4 à 128 lettres et chiffres. ${count === 1 ? 'Celui-ci n’en est pas un' : 'Ceux-ci n’en sont pas'} : ${words}`,
      line: (word, line) => `${word} (ligne ${String(line)})`,
      'too-many':
        'La recherche trouve plus de 10 000 offres, le maximum d’une suppression. Ajoutez des mots.',
      unfinished:
        'La recherche prend trop de temps pour le moment. Rien n’a été supprimé. Ajoutez des mots, ou réessayez dans un instant.',
      noMatch: 'La recherche ne trouve aucune offre qui puisse être supprimée.',
      noneFound: 'Le compte n’a aucune de ces offres, ou d’autres suppressions les retirent déjà.',
      noColumn: (titles) =>
        `Le compte n’a aucune de ces offres, et aucune colonne d’identifiants n’a été trouvée. Dans un tableau, cette colonne porte l’un de ces titres : ${titles}.`,
      count: 'Ce n’est pas le nombre d’offres.',
      expired: 'Le formulaire a expiré : rien n’a été supprimé. Confirmez de nouveau.',
      delay:
        'Le délai avant la suppression a changé depuis l’aperçu : rien n’a été supprimé. Voici le nouvel aperçu.',
      changed: 'Les offres ont changé depuis l’aperçu : rien n’a été supprimé. Voici le nouvel aperçu.',
      unavailable:
        'Le service n’a pas répondu à temps. Envoyez de nouveau le formulaire : il supprime les offres une seule fois, même si le premier essai a réussi.',
      unchecked:
        'Le service ne peut pas vérifier les offres pour le moment. Rien n’a été supprimé. Réessayez dans un instant.',
    },
  },
  es: {
    title: 'Eliminar ofertas',
    deleteThis: 'Eliminar esta oferta',
    allOf: (count) => `Eliminar las ${count} ofertas encontradas`,
    allFound: 'Eliminar todas las ofertas encontradas',
    foundBy: (text) =>
      `Esta vista previa contiene las ofertas que la búsqueda «${text}» acaba de encontrar. Las ofertas posteriores no se incluyen.`,
    leaveOut: (count) => `Omitir ${count} identificadores mal formados y continuar`,
    leaveOutOne: 'Omitir 1 identificador mal formado y continuar',
    intro: 'La página siguiente muestra lo que se eliminaría. No ocurre nada antes de que lo confirme.',
    ids: 'Identificadores de ofertas',
    hint: 'Hasta 10.000, uno por línea o separados por comas. Una tabla necesita una columna «id». También sirve una fuente XML.',
    file: 'O léalos de un archivo de texto, CSV, XML o XLSX',
    notSent:
      'No se pudo enviar el archivo. Elíjalo de nuevo en un momento, o ábralo, copie la columna de los identificadores y péguela arriba.',
    preview: 'Vista previa',
    back: 'Volver a las ofertas',
    edit: 'Cambiar los identificadores',
    csv: 'Descargar en CSV',
    previewTitle: '¿Eliminar estas ofertas?',
    previewOne: '¿Eliminar esta oferta?',
    found: (jobs) => `Se eliminarán ${jobs}.`,
    share: (percent, all) => `Es el ${percent} de las ${all} ofertas de la cuenta.`,
    shareOfRest: (percent, rest) =>
      `Es el ${percent} de las ${rest} ofertas que no esperan ya su eliminación.`,
    left: (jobs) => `Después quedarían: ${jobs}.`,
    listed: 'Ofertas por eliminar',
    leftOut: {
      heading: 'Fuera de la eliminación',
      otherCapitals: 'La cuenta tiene el identificador con otras mayúsculas',
      removing: 'Ya en otra eliminación',
      deleted: 'Ya eliminada',
      absent: 'No está en esta cuenta',
      unexplained: 'Sin comprobar: no está en esta cuenta, o en otra eliminación',
      malformed: 'Mal formado: ninguna oferta tiene un identificador así',
      repeated: 'Duplicado, contado una sola vez',
      useOne: (id) => `Usar ${id}`,
      useMany: (count) => `Usar estos ${count} identificadores`,
    },
    first: (shown, all) => `Las primeras ${shown} de ${all}:`,
    showAll: (count) => `Mostrar las ${count}`,
    setDelay: 'Fijar un plazo',
    allowed: (jobs) => `Permitidas además del límite: ${jobs}, hasta el`,
    toLimit: 'Ver estos permisos o terminarlos',
    permanent: 'La eliminación empieza enseguida, es permanente y no se puede deshacer.',
    delayed: (delay) => `La eliminación empieza dentro de ${delay}. Hasta entonces puede cancelarla.`,
    count: '¿Cuántas ofertas se eliminan?',
    countHint: (count) => `Escriba ${count} para confirmar.`,
    submit: (jobs) => `Eliminar ${jobs}`,
    allows: {
      left: (free, most) => `El límite aún permite ${free} de ${most} ofertas en 24 horas.`,
      title: 'Qué se aplica',
      rules: 'Ver la protección',
    },
    problems: {
      empty: 'Introduzca al menos un identificador de oferta.',
      binary:
        'Este archivo no se puede leer: no es ni texto ni XLSX, o está dañado, cifrado o es demasiado grande. Ábralo, por ejemplo en una hoja de cálculo, copie la columna de los identificadores y péguela aquí.',
      xml: 'Este XML no se puede leer: está mal formado, tiene un DOCTYPE, o no tiene ningún elemento como <id>, <jobid> o <referencenumber>. Pegue los identificadores.',
      tooMany: (count) =>
        `Son ${count} identificadores. Una eliminación tiene como máximo 10.000 ofertas: elimínelas por partes.`,
      wrong: (words, count) =>
        `Un identificador de oferta tiene de 4 a 128 letras y cifras. ${count === 1 ? 'Este no lo es' : 'Estos no lo son'}: ${words}`,
      line: (word, line) => `${word} (línea ${String(line)})`,
      'too-many':
        'La búsqueda encuentra más de 10.000 ofertas, el máximo de una eliminación. Añada más palabras.',
      unfinished:
        'La búsqueda tarda demasiado en este momento. No se ha eliminado nada. Añada más palabras, o inténtelo de nuevo en un momento.',
      noMatch: 'La búsqueda no encuentra ninguna oferta que se pueda eliminar.',
      noneFound: 'La cuenta no tiene ninguna de estas ofertas, o ya las retiran otras eliminaciones.',
      noColumn: (titles) =>
        `La cuenta no tiene ninguna de estas ofertas y no se ha encontrado ninguna columna de identificadores. En una tabla, esta columna lleva uno de estos títulos: ${titles}.`,
      count: 'No es el número de las ofertas.',
      expired: 'El formulario ha caducado: no se ha eliminado nada. Confírmelo de nuevo.',
      delay:
        'El plazo antes de la eliminación ha cambiado desde la vista previa: no se ha eliminado nada. Esta es la nueva.',
      changed: 'Las ofertas han cambiado desde la vista previa: no se ha eliminado nada. Esta es la nueva.',
      unavailable:
        'El servicio no ha respondido a tiempo. Envíe de nuevo el formulario: elimina las ofertas una sola vez, aunque el primer intento haya tenido éxito.',
      unchecked:
        'El servicio no puede comprobar las ofertas en este momento. No se ha eliminado nada. Inténtelo de nuevo en un momento.',
    },
  },
});
