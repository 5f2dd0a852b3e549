import { translated } from '../web/language.ts';

export const keyActionTexts = translated({
  en: {
    createTitle: 'Create credentials',
    choice: 'What to create',
    choices: {
      both: 'A token and a secret key (recommended: each request needs both)',
      token: 'A token only',
      'secret-key': 'A secret key only',
    },
    choiceProblem: 'Choose what to create.',
    createSubmit: 'Create',
    name: 'Name',
    nameHint: 'Where the key is used, such as “shop server”. Up to 100 characters.',
    nameProblem: 'Enter a name of 1 to 100 characters, without control characters.',
    expiry: 'Valid for',
    expiryHint: 'The list of keys warns 14 days before a key expires.',
    expiryProblem: 'Choose one of these durations.',
    expiries: { 30: '30 days', 90: '90 days', 180: '180 days', 365: '1 year', never: 'no limit' },
    submit: { token: 'Create the token', 'secret-key': 'Create the secret key' },
    tooMany: {
      token: 'The account has 100 valid tokens, which is the most. Revoke one first.',
      'secret-key': 'The account has 100 valid secret keys, which is the most. Revoke one first.',
    },
    createdTitle: {
      both: 'Your new credentials',
      token: 'Your new token',
      'secret-key': 'Your new secret key',
    },
    shownHere: {
      both: 'Only this page shows the token and the secret key, for 15 minutes: store both in a safe place before you leave it.',
      token:
        'Only this page shows the token, for 15 minutes: store it in a safe place before you leave the page.',
      'secret-key':
        'Only this page shows the secret key, for 15 minutes: store it in a safe place before you leave the page.',
    },
    namedAlike: (name: string) =>
      `Another valid key has the name “${name}” too. Rename one of them, to tell them apart.`,
    secretHeading: { token: 'Token', 'secret-key': 'Secret key' },
    copySecret: { token: 'Copy the token', 'secret-key': 'Copy the secret key' },
    copyEnv: 'Copy both as .env',
    copy: { command: 'Copy the command', program: 'Copy the program' },
    examplesHeading: 'Try it',
    examplesHint: (names: string, count: number) =>
      `The command and the programs call the sandbox, which checks the request and deletes nothing.${count === 0 ? '' : ` Replace ${names} with your own ${count === 1 ? 'value' : 'values'}.`}`,
    runInShell: 'Run it in a terminal.',
    saveAs: 'Save it as',
    runWith: 'Run:',
    noDomain: (origin: string) =>
      `The account has no allowed domain yet. Add one, and replace ${origin} with it.`,
    toDomains: 'Allowed domains',
    clientHint: (token: string, secretKey: string) =>
      `The program uses the package @jobs-delete/client. It reads the credentials from the environment variables ${token} and ${secretKey}. Remove the line with “sandbox” to delete jobs.`,
    rotateTitle: {
      token: (name: string) => `Rotate the token “${name}”`,
      'secret-key': (name: string) => `Rotate the secret key “${name}”`,
    },
    stepsHeading: 'How to finish',
    stepReplace: 'Put the new credentials into your programs. The old ones still work.',
    stepWatch: 'Wait until no program uses the old ones any more. Last used:',
    stepRevoke: { token: 'Revoke the old token', 'secret-key': 'Revoke the old secret key' },
    renameTitle: {
      token: (name: string) => `Rename the token “${name}”`,
      'secret-key': (name: string) => `Rename the secret key “${name}”`,
    },
    renameSubmit: 'Rename',
    renamedMeanwhile: (name: string) =>
      `Somebody has renamed the key meanwhile: its name is “${name}”. Send your name again to replace that one.`,
    pauseTitle: {
      token: (name: string) => `Pause the token “${name}”?`,
      'secret-key': (name: string) => `Pause the secret key “${name}”?`,
    },
    pauseWarning:
      'Every program that uses this key is refused within 5 seconds, as if it were revoked, until somebody resumes it.',
    pause: { token: 'Pause this token', 'secret-key': 'Pause this secret key' },
    resumeTitle: {
      token: (name: string) => `Resume the token “${name}”?`,
      'secret-key': (name: string) => `Resume the secret key “${name}”?`,
    },
    resumeWarning: 'Programs that use this key are served again within 5 seconds.',
    resume: { token: 'Resume this token', 'secret-key': 'Resume this secret key' },
    inUse: (ago: string) => `Last used ${ago}. Its requests will be refused.`,
    otherInUse: (ago: string) => `The other key was last used ${ago}.`,
    revokeTitle: {
      token: (name: string) => `Revoke the token “${name}”?`,
      'secret-key': (name: string) => `Revoke the secret key “${name}”?`,
    },
    revokeWarning:
      'Every program that uses this key is refused within 5 seconds. A revocation cannot be undone.',
    pauseInstead: 'Pause instead',
    pauseHint: 'A pause refuses the same requests, but you can resume the key later.',
    revoke: { token: 'Revoke this token', 'secret-key': 'Revoke this secret key' },
  },
  fr: {
    createTitle: 'Créer des clés',
    choice: 'À créer',
    choices: {
      both: 'Un jeton et une clé secrète (recommandé : chaque requête a besoin des deux)',
      token: 'Un jeton seulement',
      'secret-key': 'Une clé secrète seulement',
    },
    choiceProblem: 'Choisissez ce qui doit être créé.',
    createSubmit: 'Créer',
    name: 'Nom',
    nameHint: 'L’endroit où la clé est utilisée, par exemple « serveur boutique ». 100 caractères au plus.',
    nameProblem: 'Saisissez un nom de 1 à 100 caractères, sans caractère de contrôle.',
    expiry: 'Durée de validité',
    expiryHint: 'La liste des clés affiche un avertissement 14 jours avant l’expiration.',
    expiryProblem: 'Choisissez une de ces durées.',
    expiries: { 30: '30 jours', 90: '90 jours', 180: '180 jours', 365: '1 an', never: 'sans limite' },
    submit: { token: 'Créer le jeton', 'secret-key': 'Créer la clé secrète' },
    tooMany: {
      token: 'Le compte a 100 jetons valides, le maximum. Révoquez-en un d’abord.',
      'secret-key': 'Le compte a 100 clés secrètes valides, le maximum. Révoquez-en une d’abord.',
    },
    createdTitle: {
      both: 'Vos nouvelles clés',
      token: 'Votre nouveau jeton',
      'secret-key': 'Votre nouvelle clé secrète',
    },
    shownHere: {
      both: 'Seule cette page affiche le jeton et la clé secrète, pendant 15 minutes : conservez-les en lieu sûr avant de la quitter.',
      token:
        'Seule cette page affiche le jeton, pendant 15 minutes : conservez-le en lieu sûr avant de la quitter.',
      'secret-key':
        'Seule cette page affiche la clé secrète, pendant 15 minutes : conservez-la en lieu sûr avant de quitter la page.',
    },
    namedAlike: (name) =>
      `Une autre clé valide porte aussi le nom « ${name} ». Renommez l’une des deux pour les distinguer.`,
    secretHeading: { token: 'Jeton', 'secret-key': 'Clé secrète' },
    copySecret: { token: 'Copier le jeton', 'secret-key': 'Copier la clé secrète' },
    copyEnv: 'Copier les deux en .env',
    copy: { command: 'Copier la commande', program: 'Copier le programme' },
    examplesHeading: 'Essayer',
    examplesHint: (names, count) =>
      `La commande et les programmes appellent le bac à sable, qui vérifie la requête et ne supprime rien.${count === 0 ? '' : ` Remplacez ${names} par ${count === 1 ? 'votre propre valeur' : 'vos propres valeurs'}.`}`,
    runInShell: 'Exécutez-la dans un terminal.',
    saveAs: 'Enregistrez-le sous',
    runWith: 'Exécutez :',
    noDomain: (origin) =>
      `Le compte n’a pas encore de domaine autorisé. Ajoutez-en un, et mettez-le à la place de ${origin}.`,
    toDomains: 'Domaines autorisés',
    clientHint: (token, secretKey) =>
      `Le programme utilise le paquet @jobs-delete/client. Il lit les clés dans les variables d’environnement ${token} et ${secretKey}. Retirez la ligne « sandbox » pour supprimer des offres.`,
    rotateTitle: {
      token: (name) => `Renouveler le jeton « ${name} »`,
      'secret-key': (name) => `Renouveler la clé secrète « ${name} »`,
    },
    stepsHeading: 'Pour terminer',
    stepReplace: 'Mettez les nouvelles clés dans vos programmes. Les anciennes fonctionnent encore.',
    stepWatch: 'Attendez qu’aucun programme n’utilise plus les anciennes. Dernière utilisation :',
    stepRevoke: { token: 'Révoquez l’ancien jeton', 'secret-key': 'Révoquez l’ancienne clé secrète' },
    renameTitle: {
      token: (name) => `Renommer le jeton « ${name} »`,
      'secret-key': (name) => `Renommer la clé secrète « ${name} »`,
    },
    renameSubmit: 'Renommer',
    renamedMeanwhile: (name) =>
      `Quelqu’un a renommé la clé entre-temps : son nom est « ${name} ». Envoyez de nouveau votre nom pour le remplacer.`,
    pauseTitle: {
      token: (name) => `Suspendre le jeton « ${name} » ?`,
      'secret-key': (name) => `Suspendre la clé secrète « ${name} » ?`,
    },
    pauseWarning:
      'Tout programme qui utilise cette clé est refusé sous 5 secondes, comme si elle était révoquée, jusqu’à sa réactivation.',
    pause: { token: 'Suspendre ce jeton', 'secret-key': 'Suspendre cette clé secrète' },
    resumeTitle: {
      token: (name) => `Réactiver le jeton « ${name} » ?`,
      'secret-key': (name) => `Réactiver la clé secrète « ${name} » ?`,
    },
    resumeWarning: 'Les programmes qui utilisent cette clé sont de nouveau acceptés sous 5 secondes.',
    resume: { token: 'Réactiver ce jeton', 'secret-key': 'Réactiver cette clé secrète' },
    inUse: (ago) => `Dernière utilisation : ${ago}. Ses requêtes seront refusées.`,
    otherInUse: (ago) => `Dernière utilisation de l’autre clé : ${ago}.`,
    revokeTitle: {
      token: (name) => `Révoquer le jeton « ${name} » ?`,
      'secret-key': (name) => `Révoquer la clé secrète « ${name} » ?`,
    },
    revokeWarning:
      'Tout programme qui utilise cette clé est refusé sous 5 secondes. Une révocation est définitive.',
    pauseInstead: 'Suspendre plutôt',
    pauseHint: 'Une suspension bloque les mêmes requêtes, mais vous pourrez réactiver la clé.',
    revoke: { token: 'Révoquer ce jeton', 'secret-key': 'Révoquer cette clé secrète' },
  },
  es: {
    createTitle: 'Crear credenciales',
    choice: 'Qué se crea',
    choices: {
      both: 'Un token y una clave secreta (recomendado: cada solicitud necesita ambos)',
      token: 'Solo un token',
      'secret-key': 'Solo una clave secreta',
    },
    choiceProblem: 'Elija qué se crea.',
    createSubmit: 'Crear',
    name: 'Nombre',
    nameHint: 'Dónde se usa la clave, por ejemplo «servidor de la tienda». Hasta 100 caracteres.',
    nameProblem: 'Escriba un nombre de 1 a 100 caracteres, sin caracteres de control.',
    expiry: 'Validez',
    expiryHint: 'La lista de claves avisa 14 días antes de la caducidad.',
    expiryProblem: 'Elija una de estas duraciones.',
    expiries: { 30: '30 días', 90: '90 días', 180: '180 días', 365: '1 año', never: 'sin límite' },
    submit: { token: 'Crear el token', 'secret-key': 'Crear la clave secreta' },
    tooMany: {
      token: 'La cuenta tiene 100 tokens válidos, el máximo. Revoque uno primero.',
      'secret-key': 'La cuenta tiene 100 claves secretas válidas, el máximo. Revoque una primero.',
    },
    createdTitle: {
      both: 'Sus nuevas credenciales',
      token: 'Su nuevo token',
      'secret-key': 'Su nueva clave secreta',
    },
    shownHere: {
      both: 'Solo esta página muestra el token y la clave secreta, durante 15 minutos: guárdelos en un lugar seguro antes de salir de ella.',
      token:
        'Solo esta página muestra el token, durante 15 minutos: guárdelo en un lugar seguro antes de salir de ella.',
      'secret-key':
        'Solo esta página muestra la clave secreta, durante 15 minutos: guárdela en un lugar seguro antes de salir de la página.',
    },
    namedAlike: (name) =>
      `Otra clave válida tiene también el nombre «${name}». Renombre una de ellas para distinguirlas.`,
    secretHeading: { token: 'Token', 'secret-key': 'Clave secreta' },
    copySecret: { token: 'Copiar el token', 'secret-key': 'Copiar la clave secreta' },
    copyEnv: 'Copiar ambos como .env',
    copy: { command: 'Copiar el comando', program: 'Copiar el programa' },
    examplesHeading: 'Probar',
    examplesHint: (names, count) =>
      `El comando y los programas llaman al entorno de pruebas, que comprueba la solicitud y no elimina nada.${count === 0 ? '' : ` Sustituya ${names} por ${count === 1 ? 'su propio valor' : 'sus propios valores'}.`}`,
    runInShell: 'Ejecútelo en una terminal.',
    saveAs: 'Guárdelo como',
    runWith: 'Ejecute:',
    noDomain: (origin) =>
      `La cuenta todavía no tiene ningún dominio permitido. Añada uno y póngalo en lugar de ${origin}.`,
    toDomains: 'Dominios permitidos',
    clientHint: (token, secretKey) =>
      `El programa usa el paquete @jobs-delete/client. Lee las credenciales de las variables de entorno ${token} y ${secretKey}. Quite la línea «sandbox» para eliminar ofertas.`,
    rotateTitle: {
      token: (name) => `Renovar el token «${name}»`,
      'secret-key': (name) => `Renovar la clave secreta «${name}»`,
    },
    stepsHeading: 'Cómo terminar',
    stepReplace: 'Ponga las claves nuevas en sus programas. Las antiguas aún funcionan.',
    stepWatch: 'Espere hasta que ningún programa use las antiguas. Último uso:',
    stepRevoke: { token: 'Revoque el token antiguo', 'secret-key': 'Revoque la clave secreta antigua' },
    renameTitle: {
      token: (name) => `Renombrar el token «${name}»`,
      'secret-key': (name) => `Renombrar la clave secreta «${name}»`,
    },
    renameSubmit: 'Renombrar',
    renamedMeanwhile: (name) =>
      `Alguien ha renombrado la clave entretanto: su nombre es «${name}». Envíe de nuevo su nombre para sustituirlo.`,
    pauseTitle: {
      token: (name) => `¿Pausar el token «${name}»?`,
      'secret-key': (name) => `¿Pausar la clave secreta «${name}»?`,
    },
    pauseWarning:
      'Todo programa que use esta clave dejará de ser aceptado en 5 segundos, como si estuviera revocada, hasta que alguien la reanude.',
    pause: { token: 'Pausar este token', 'secret-key': 'Pausar esta clave secreta' },
    resumeTitle: {
      token: (name) => `¿Reanudar el token «${name}»?`,
      'secret-key': (name) => `¿Reanudar la clave secreta «${name}»?`,
    },
    resumeWarning: 'Los programas que usan esta clave vuelven a ser aceptados en 5 segundos.',
    resume: { token: 'Reanudar este token', 'secret-key': 'Reanudar esta clave secreta' },
    inUse: (ago) => `Último uso: ${ago}. Sus solicitudes se rechazarán.`,
    otherInUse: (ago) => `Último uso de la otra clave: ${ago}.`,
    revokeTitle: {
      token: (name) => `¿Revocar el token «${name}»?`,
      'secret-key': (name) => `¿Revocar la clave secreta «${name}»?`,
    },
    revokeWarning:
      'Todo programa que use esta clave dejará de ser aceptado en 5 segundos. Una revocación no se puede deshacer.',
    pauseInstead: 'Pausar en su lugar',
    pauseHint: 'Una pausa bloquea las mismas solicitudes, pero podrá reanudar la clave.',
    revoke: { token: 'Revocar este token', 'secret-key': 'Revocar esta clave secreta' },
  },
});
