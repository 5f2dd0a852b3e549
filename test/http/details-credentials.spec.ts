import { beforeAll, expect, test } from '@jest/globals';
import { useService } from '../harness/use-service.ts';
import { createClient, expectProblem, type Client } from './client.ts';
import type { Code } from './contract.ts';
import { testDetails, type DetailCase } from './details.ts';

const service = useService();
let client: Client;
let other: Client;
beforeAll(async () => {
  client = await createClient(service, 'credentials');
  other = await createClient(service, 'other');
  for (const domain of ['*.wild.example', 'https://port.example:8443'])
    await service.operator.accounts.allowDomain('credentials', domain);
});

type Value = (client: Client) => string | readonly string[] | undefined;
const with_ = (header: string, code: Code, value: Value) => ({
  code,
  call: (caller: Client) => ({ headers: { [header]: value(caller) } }),
});
const authorization = (code: Code, value: Value) => with_('Authorization', code, value);
const secretKey = (value: Value) => with_('Usersecretkey', 'secret_key_invalid', value);
const origin = (value: string | readonly string[] | undefined) =>
  with_('Origin', 'origin_not_allowed', () => value);

const unknown = (prefix: string) => `${prefix}_${'0'.repeat(24)}_${'0'.repeat(64)}`;
const required = 'authentication_required';

const cases: readonly DetailCase[] = [
  {
    title: 'no Authorization',
    ...authorization(required, () => undefined),
    detail: {
      fr: 'L’en-tête Authorization est absent. Envoyez « Authorization: Bearer JETON » avec un jeton d’API du compte. Un jeton commence par jdt_.',
      en: "The Authorization header is missing. Send 'Authorization: Bearer TOKEN' with an API token of the account. A token starts with jdt_.",
      es: 'Falta la cabecera Authorization. Envíe «Authorization: Bearer TOKEN» con un token de API de la cuenta. Un token empieza por jdt_.',
    },
  },
  {
    title: 'an empty Authorization',
    ...authorization(required, () => ''),
    detail: {
      fr: 'L’en-tête Authorization est vide. Envoyez « Authorization: Bearer JETON » avec un jeton d’API du compte. Un jeton commence par jdt_.',
      en: "The Authorization header is empty. Send 'Authorization: Bearer TOKEN' with an API token of the account. A token starts with jdt_.",
      es: 'La cabecera Authorization está vacía. Envíe «Authorization: Bearer TOKEN» con un token de API de la cuenta. Un token empieza por jdt_.',
    },
  },
  {
    title: 'two Authorizations',
    ...authorization(required, ({ account }) => [`Bearer ${account.token}`, `Bearer ${account.token}`]),
    detail: {
      fr: 'L’en-tête Authorization figure 2 fois. Envoyez-le une seule fois. Envoyez « Authorization: Bearer JETON » avec un jeton d’API du compte. Un jeton commence par jdt_.',
      en: "The Authorization header occurs 2 times. Send it once. Send 'Authorization: Bearer TOKEN' with an API token of the account. A token starts with jdt_.",
      es: 'La cabecera Authorization aparece 2 veces. Envíela una sola vez. Envíe «Authorization: Bearer TOKEN» con un token de API de la cuenta. Un token empieza por jdt_.',
    },
  },
  {
    title: 'a token without a scheme',
    ...authorization(required, ({ account }) => account.token),
    detail: {
      fr: 'L’en-tête Authorization ne contient pas d’authentification « Bearer ». Envoyez « Authorization: Bearer JETON » avec un jeton d’API du compte. Un jeton commence par jdt_.',
      en: "The Authorization header is not a bearer credential. Send 'Authorization: Bearer TOKEN' with an API token of the account. A token starts with jdt_.",
      es: 'La cabecera Authorization no contiene una autenticación «Bearer». Envíe «Authorization: Bearer TOKEN» con un token de API de la cuenta. Un token empieza por jdt_.',
    },
  },
  {
    title: 'a password',
    ...authorization(required, () => 'Basic dXNlcjpwYXNzd29yZA=='),
    detail: {
      fr: 'L’en-tête Authorization ne contient pas d’authentification « Bearer ». Envoyez « Authorization: Bearer JETON » avec un jeton d’API du compte. Un jeton commence par jdt_.',
      en: "The Authorization header is not a bearer credential. Send 'Authorization: Bearer TOKEN' with an API token of the account. A token starts with jdt_.",
      es: 'La cabecera Authorization no contiene una autenticación «Bearer». Envíe «Authorization: Bearer TOKEN» con un token de API de la cuenta. Un token empieza por jdt_.',
    },
  },
  {
    title: 'a secret key without a scheme',
    ...authorization(required, ({ account }) => account.secretKey),
    detail: {
      fr: 'L’en-tête Authorization contient une clé secrète (jds_…). Envoyez-y le jeton d’API (jdt_…), et la clé secrète dans Usersecretkey.',
      en: 'The Authorization header has a secret key (jds_…). Send the API token (jdt_…) there, and the secret key in Usersecretkey.',
      es: 'La cabecera Authorization contiene una clave secreta (jds_…). Envíe ahí el token de API (jdt_…), y la clave secreta en Usersecretkey.',
    },
  },
  {
    title: 'a secret key as a bearer',
    ...authorization('token_invalid', ({ account }) => `Bearer ${account.secretKey}`),
    detail: {
      fr: 'L’en-tête Authorization contient une clé secrète (jds_…). Envoyez-y le jeton d’API (jdt_…), et la clé secrète dans Usersecretkey.',
      en: 'The Authorization header has a secret key (jds_…). Send the API token (jdt_…) there, and the secret key in Usersecretkey.',
      es: 'La cabecera Authorization contiene una clave secreta (jds_…). Envíe ahí el token de API (jdt_…), y la clave secreta en Usersecretkey.',
    },
  },
  {
    title: 'half a token',
    ...authorization('token_invalid', ({ account }) => `Bearer ${account.token.slice(0, 40)}`),
    detail: {
      fr: 'Ce n’est pas un jeton d’API complet. Un jeton commence par jdt_ et compte 93 caractères. Copiez-le de nouveau.',
      en: 'This is not a whole API token. A token starts with jdt_ and has 93 characters. Copy it again.',
      es: 'No es un token de API completo. Un token empieza por jdt_ y tiene 93 caracteres. Cópielo de nuevo.',
    },
  },
  {
    title: 'an unknown token',
    ...authorization('token_invalid', () => `Bearer ${unknown('jdt')}`),
    detail: {
      fr: 'Le jeton est inconnu, expiré ou révoqué. Si vous l’avez copié correctement, demandez-en un nouveau à l’exploitant du service.',
      en: 'The token is unknown, expired or revoked. If you have copied it correctly, ask the operator of the service for a new one.',
      es: 'El token es desconocido, ha caducado o está revocado. Si lo ha copiado bien, pida uno nuevo al operador del servicio.',
    },
  },
  {
    title: 'no secret key',
    ...secretKey(() => undefined),
    detail: {
      fr: 'L’en-tête Usersecretkey est absent. Envoyez « Usersecretkey: CLÉ » avec une clé secrète du compte. Une clé secrète commence par jds_.',
      en: "The Usersecretkey header is missing. Send 'Usersecretkey: SECRET_KEY' with a secret key of the account. A secret key starts with jds_.",
      es: 'Falta la cabecera Usersecretkey. Envíe «Usersecretkey: CLAVE» con una clave secreta de la cuenta. Una clave secreta empieza por jds_.',
    },
  },
  {
    title: 'two secret keys',
    ...secretKey(({ account }) => [account.secretKey, account.secretKey]),
    detail: {
      fr: 'L’en-tête Usersecretkey figure 2 fois. Envoyez-le une seule fois. Envoyez « Usersecretkey: CLÉ » avec une clé secrète du compte. Une clé secrète commence par jds_.',
      en: "The Usersecretkey header occurs 2 times. Send it once. Send 'Usersecretkey: SECRET_KEY' with a secret key of the account. A secret key starts with jds_.",
      es: 'La cabecera Usersecretkey aparece 2 veces. Envíela una sola vez. Envíe «Usersecretkey: CLAVE» con una clave secreta de la cuenta. Una clave secreta empieza por jds_.',
    },
  },
  {
    title: 'a token as a secret key',
    ...secretKey(({ account }) => account.token),
    detail: {
      fr: 'L’en-tête Usersecretkey contient un jeton d’API (jdt_…). Envoyez-y la clé secrète (jds_…), et le jeton dans Authorization.',
      en: 'The Usersecretkey header has an API token (jdt_…). Send the secret key (jds_…) there, and the token in Authorization.',
      es: 'La cabecera Usersecretkey contiene un token de API (jdt_…). Envíe ahí la clave secreta (jds_…), y el token en Authorization.',
    },
  },
  {
    title: 'a bearer as a secret key',
    ...secretKey(({ account }) => `Bearer ${account.secretKey}`),
    detail: {
      fr: 'Ce n’est pas une clé secrète seule. Une clé secrète commence par jds_ et compte 93 caractères. Copiez-la de nouveau, sans « Bearer » ni guillemets.',
      en: "This is not a secret key alone. A secret key starts with jds_ and has 93 characters. Copy it again, without 'Bearer' and quotes.",
      es: 'No es una clave secreta sola. Una clave secreta empieza por jds_ y tiene 93 caracteres. Cópiela de nuevo, sin «Bearer» ni comillas.',
    },
  },
  {
    title: 'an unknown secret key',
    ...secretKey(() => unknown('jds')),
    detail: {
      fr: 'La clé secrète est inconnue, expirée ou révoquée, ou appartient à un autre compte que celui du jeton. Si vous l’avez copiée correctement, demandez-en une nouvelle à l’exploitant du service.',
      en: 'The secret key is unknown, expired or revoked, or belongs to another account than the token. If you have copied it correctly, ask the operator of the service for a new one.',
      es: 'La clave secreta es desconocida, ha caducado, está revocada o pertenece a una cuenta distinta de la del token. Si la ha copiado bien, pida una nueva al operador del servicio.',
    },
  },
  {
    title: 'no Origin',
    ...origin(undefined),
    detail: {
      fr: 'L’en-tête Origin est absent. Envoyez un domaine autorisé du compte, par exemple « Origin: https://www.example.com ».',
      en: "The Origin header is missing. Send an allowed domain of the account, such as 'Origin: https://www.example.com'.",
      es: 'Falta la cabecera Origin. Envíe un dominio permitido de la cuenta, por ejemplo «Origin: https://www.example.com».',
    },
  },
  {
    title: 'two Origins',
    ...origin(['https://a.example', 'https://b.example']),
    detail: {
      fr: 'L’en-tête Origin figure 2 fois. Envoyez-le une seule fois. Envoyez un domaine autorisé du compte, par exemple « Origin: https://www.example.com ».',
      en: "The Origin header occurs 2 times. Send it once. Send an allowed domain of the account, such as 'Origin: https://www.example.com'.",
      es: 'La cabecera Origin aparece 2 veces. Envíela una sola vez. Envíe un dominio permitido de la cuenta, por ejemplo «Origin: https://www.example.com».',
    },
  },
  {
    title: 'an Origin of null',
    ...origin('null'),
    detail: {
      fr: 'L’en-tête Origin vaut « null » : la page est un fichier local ou un cadre isolé. Ouvrez la page depuis un serveur web d’un domaine autorisé.',
      en: "The Origin is 'null': the page is a local file or a sandboxed frame. Open the page from a web server on an allowed domain.",
      es: 'La cabecera Origin es «null»: la página es un archivo local o un marco aislado. Abra la página desde un servidor web de un dominio permitido.',
    },
  },
  {
    title: 'an Origin with a slash',
    ...origin('https://credentials.example/'),
    detail: {
      fr: 'L’origine « https://credentials.example/ » continue après l’hôte. Supprimez la barre oblique et ce qui la suit.',
      en: "The Origin 'https://credentials.example/' continues after the host. Remove the slash and everything after it.",
      es: 'El origen «https://credentials.example/» continúa después del host. Elimine la barra y lo que sigue.',
    },
  },
  {
    title: 'an Origin without a scheme',
    ...origin('credentials.example'),
    detail: {
      fr: '« credentials.example » n’est pas une origine. Envoyez seulement le schéma, l’hôte et le port éventuel, par exemple https://www.example.com:8443.',
      en: "'credentials.example' is not an origin. Send only the scheme, the host and any port, such as https://www.example.com:8443.",
      es: '«credentials.example» no es un origen. Envíe solo el esquema, el host y el puerto si lo hay, por ejemplo https://www.example.com:8443.',
    },
  },
  {
    title: 'an Origin with another scheme',
    ...origin('http://credentials.example'),
    detail: {
      fr: 'L’origine « http://credentials.example » a un autre schéma que le domaine autorisé. Envoyez « https://credentials.example ».',
      en: "The Origin 'http://credentials.example' has another scheme than the allowed domain. Send 'https://credentials.example'.",
      es: 'El origen «http://credentials.example» tiene un esquema distinto al del dominio permitido. Envíe «https://credentials.example».',
    },
  },
  {
    title: 'an Origin with another port',
    ...origin('https://credentials.example:8443'),
    detail: {
      fr: 'L’origine « https://credentials.example:8443 » a un autre port que le domaine autorisé. Envoyez « https://credentials.example ».',
      en: "The Origin 'https://credentials.example:8443' has another port than the allowed domain. Send 'https://credentials.example'.",
      es: 'El origen «https://credentials.example:8443» tiene un puerto distinto al del dominio permitido. Envíe «https://credentials.example».',
    },
  },
  {
    title: 'an Origin without its port',
    ...origin('https://port.example'),
    detail: {
      fr: 'L’origine « https://port.example » a un autre port que le domaine autorisé. Envoyez « https://port.example:8443 ».',
      en: "The Origin 'https://port.example' has another port than the allowed domain. Send 'https://port.example:8443'.",
      es: 'El origen «https://port.example» tiene un puerto distinto al del dominio permitido. Envíe «https://port.example:8443».',
    },
  },
  {
    title: 'the apex of a wildcard',
    ...origin('https://wild.example'),
    detail: {
      fr: 'Le compte autorise les sous-domaines de « wild.example », mais pas « wild.example » même. Envoyez un sous-domaine, ou demandez à un gestionnaire du compte ou à l’exploitant du service d’autoriser « wild.example ».',
      en: "The account allows the subdomains of 'wild.example', but not 'wild.example' itself. Send a subdomain, or ask a manager of the account or the operator of the service to allow 'wild.example'.",
      es: 'La cuenta permite los subdominios de «wild.example», pero no «wild.example» mismo. Envíe un subdominio, o pida a un gestor de la cuenta o al operador del servicio que permita «wild.example».',
    },
  },
  {
    title: 'a subdomain of a host',
    ...origin('https://www.credentials.example'),
    detail: {
      fr: 'Le compte autorise « credentials.example », mais pas son sous-domaine « https://www.credentials.example ». Envoyez le domaine autorisé, ou demandez à un gestionnaire du compte ou à l’exploitant du service d’autoriser le sous-domaine.',
      en: "The account allows 'credentials.example', but not its subdomain 'https://www.credentials.example'. Send the allowed domain, or ask a manager of the account or the operator of the service to allow the subdomain.",
      es: 'La cuenta permite «credentials.example», pero no su subdominio «https://www.credentials.example». Envíe el dominio permitido, o pida a un gestor de la cuenta o al operador del servicio que permita el subdominio.',
    },
  },
  {
    title: 'an Origin that is not allowed',
    ...origin('https://elsewhere.example'),
    detail: {
      fr: 'L’origine « https://elsewhere.example » ne correspond à aucun domaine autorisé du compte. Envoyez un domaine autorisé, ou demandez à un gestionnaire du compte ou à l’exploitant du service d’autoriser celui-ci.',
      en: "The Origin 'https://elsewhere.example' matches no allowed domain of the account. Send an allowed domain, or ask a manager of the account or the operator of the service to allow this one.",
      es: 'El origen «https://elsewhere.example» no corresponde a ningún dominio permitido de la cuenta. Envíe un dominio permitido, o pida a un gestor de la cuenta o al operador del servicio que permita este.',
    },
  },
];

testDetails(cases, () => client);

test('what is revoked, or of another account, reads like what is unknown', async () => {
  const detailOf = async (there: Client, headers: Record<string, string>, code: Code) =>
    expectProblem(await there.call({ headers }), code).detail;
  const revoked = async (kind: 'token' | 'secret-key') => {
    const there = await createClient(service, `revoked-${kind}`);
    const { accountId, token, secretKey: key } = there.account;
    const [, id = ''] = (kind === 'token' ? token : key).split('_');
    await service.operator.accounts.revokeCredential(accountId, { kind, id }, Date.now());
    return there;
  };
  const key = await detailOf(client, { Usersecretkey: unknown('jds') }, 'secret_key_invalid');
  expect(await detailOf(client, { Usersecretkey: other.account.secretKey }, 'secret_key_invalid')).toBe(key);
  expect(await detailOf(await revoked('secret-key'), {}, 'secret_key_invalid')).toBe(key);
  const token = await detailOf(client, { Authorization: `Bearer ${unknown('jdt')}` }, 'token_invalid');
  expect(await detailOf(await revoked('token'), {}, 'token_invalid')).toBe(token);
});
