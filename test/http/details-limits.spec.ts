import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startAnotherGateway, startService, type TestService } from '../harness/service.ts';
import { createClient, expectProblem, newJobIds, type Client, type ClientCall } from './client.ts';
import { languages, type Texts } from './contract.ts';
import { testDetails, type DetailCase } from './details.ts';

let service: TestService;
let small: Awaited<ReturnType<typeof startAnotherGateway>>;
let cutOff: Awaited<ReturnType<typeof startAnotherGateway>>;
let client: Client;
beforeAll(async () => {
  service = await startService();
  const env = { MAX_BODY_BYTES: '1500', MAX_JOBS_PER_REQUEST: '5', BASE_PATH: '/api' };
  const load = { maxConcurrent: 1_024, maxBufferedBytes: 2_000 };
  small = await startAnotherGateway(service, env, { protection: { load } });
  cutOff = await startAnotherGateway(service, { DELETER_ADDRESS: '127.0.0.1:1' });
  client = await createClient(service, 'limits');
  await client.call({ jobIds: await client.newJobs(1), idempotencyKey: 'used' });
});
afterAll(async () => {
  await cutOff.stop();
  await small.stop();
  await service.stop();
});

const deletionPath = '/v1/deletions/01936d5e-7d53-7000-8000-0123456789ab';
const status = (query: string): ClientCall => ({ method: 'GET', path: deletionPath + query });
const large = ' '.repeat(2_000);

const cases: readonly DetailCase[] = [
  {
    title: 'an unknown path',
    code: 'route_not_found',
    call: () => ({ path: '/v1/json/jobs-delete/' }),
    detail: {
      fr: 'Le chemin « /v1/json/jobs-delete/ » n’existe pas. La casse compte, et il n’y a pas de barre oblique finale. Les chemins sont /v1/json/jobs-delete, /v1/xml/jobs-delete, /v1-sandbox/json/jobs-delete, /v1-sandbox/xml/jobs-delete, /v1/whoami, /v1/jobs, /v1/deletions/{Deletion-Id}.',
      en: "There is no path '/v1/json/jobs-delete/'. Paths are case-sensitive and have no slash at the end. The paths are /v1/json/jobs-delete, /v1/xml/jobs-delete, /v1-sandbox/json/jobs-delete, /v1-sandbox/xml/jobs-delete, /v1/whoami, /v1/jobs, /v1/deletions/{Deletion-Id}.",
      es: 'No existe la ruta «/v1/json/jobs-delete/». Las rutas distinguen mayúsculas y minúsculas y no tienen barra final. Las rutas son /v1/json/jobs-delete, /v1/xml/jobs-delete, /v1-sandbox/json/jobs-delete, /v1-sandbox/xml/jobs-delete, /v1/whoami, /v1/jobs, /v1/deletions/{Deletion-Id}.',
    },
  },
  {
    title: 'GET at a deleting path',
    code: 'method_not_allowed',
    call: () => ({ method: 'GET' }),
    detail: {
      fr: 'Ce chemin n’accepte pas GET. Utilisez DELETE.',
      en: 'This path does not accept GET. Use DELETE.',
      es: 'Esta ruta no acepta GET. Use DELETE.',
    },
  },
  {
    title: 'POST at the path of a deletion',
    code: 'method_not_allowed',
    allow: 'GET, HEAD, DELETE',
    call: () => ({ method: 'POST', path: deletionPath }),
    detail: {
      fr: 'Ce chemin n’accepte pas POST. Utilisez GET, HEAD, DELETE.',
      en: 'This path does not accept POST. Use GET, HEAD, DELETE.',
      es: 'Esta ruta no acepta POST. Use GET, HEAD, DELETE.',
    },
  },
  {
    title: 'a long wait',
    code: 'query_invalid',
    header: 'wait',
    call: () => status('?wait=1m'),
    detail: {
      fr: 'La valeur « 1m » n’est pas valide. Envoyez un seul nombre entier de 0 à 30, par exemple « ?wait=30 ».',
      en: "The value '1m' is not valid. Send one whole number from 0 to 30, such as '?wait=30'.",
      es: 'El valor «1m» no es válido. Envíe un solo número entero de 0 a 30, por ejemplo «?wait=30».',
    },
  },
  {
    title: 'two waits',
    code: 'query_invalid',
    header: 'wait',
    call: () => status('?wait=1&wait=2'),
    detail: {
      fr: 'Le paramètre « wait » figure 2 fois. Envoyez un seul nombre entier de 0 à 30, par exemple « ?wait=30 ».',
      en: "The 'wait' parameter occurs 2 times. Send one whole number from 0 to 30, such as '?wait=30'.",
      es: 'El parámetro «wait» aparece 2 veces. Envíe un solo número entero de 0 a 30, por ejemplo «?wait=30».',
    },
  },
  {
    title: 'an unknown deletion',
    code: 'deletion_not_found',
    call: () => status(''),
    detail: {
      fr: 'Utilisez l’en-tête Deletion-Id d’une réponse 200 à une requête du compte.',
      en: "Use the Deletion-Id header of an answer with status 200 to one of the account's requests.",
      es: 'Use la cabecera Deletion-Id de una respuesta 200 a una solicitud de la cuenta.',
    },
  },
  {
    title: 'an unknown job',
    code: 'job_not_found',
    call: () => ({ jobIds: ['NoSuchJob1'] }),
    detail: {
      fr: 'Le compte n’a pas d’offre « NoSuchJob1 » : elle est inconnue, déjà supprimée, ou appartient à un autre compte. La casse compte. La requête n’a supprimé aucune offre : supprimez l’entrée et renvoyez la requête.',
      en: "The account has no job 'NoSuchJob1': it is unknown, already deleted, or belongs to another account. Ids are case-sensitive. The request has deleted no job: remove the entry, and send the request again.",
      es: 'La cuenta no tiene la oferta «NoSuchJob1»: es desconocida, ya está eliminada o pertenece a otra cuenta. Se distinguen mayúsculas y minúsculas. La solicitud no ha eliminado ninguna oferta: elimine la entrada y envíe de nuevo la solicitud.',
    },
  },
  {
    title: 'a used key',
    code: 'idempotency_key_reused',
    call: () => ({ jobIds: newJobIds(1), idempotencyKey: 'used' }),
    detail: {
      fr: 'Envoyez une nouvelle clé avec une nouvelle requête. Pour répéter la requête précédente, envoyez les mêmes identifiants dans le même ordre.',
      en: 'Send a new key with a new request. To repeat the earlier request, send the same ids in the same order.',
      es: 'Envíe una clave nueva con una solicitud nueva. Para repetir la solicitud anterior, envíe los mismos identificadores en el mismo orden.',
    },
  },
  {
    title: 'too many jobs',
    code: 'too_many_jobs',
    call: () => ({ jobIds: newJobIds(10_001) }),
    detail: {
      fr: 'La requête contient 10\u202f001 offres. La limite est de 10\u202f000. Répartissez les offres sur 2 requêtes.',
      en: 'The request names 10,001 jobs. The limit is 10,000. Split the jobs into 2 requests.',
      es: 'La solicitud contiene 10.001 ofertas. El límite es 10.000. Reparta las ofertas entre 2 solicitudes.',
    },
  },
];
testDetails(cases, () => client);

describe('at a gateway with small limits', () => {
  const there: readonly DetailCase[] = [
    {
      title: 'too many jobs',
      code: 'too_many_jobs',
      call: () => ({ jobIds: newJobIds(11) }),
      detail: {
        fr: 'La requête contient 11 offres. La limite est de 5. Répartissez les offres sur 3 requêtes.',
        en: 'The request names 11 jobs. The limit is 5. Split the jobs into 3 requests.',
        es: 'La solicitud contiene 11 ofertas. El límite es 5. Reparta las ofertas entre 3 solicitudes.',
      },
    },
    {
      title: 'a large body',
      code: 'body_too_large',
      call: () => ({ body: large }),
      detail: {
        fr: 'Le corps compte 2\u202f000 octets. La limite est de 1\u202f500. Répartissez les offres sur plusieurs requêtes.',
        en: 'The body has 2,000 bytes. The limit is 1,500. Split the jobs into several requests.',
        es: 'El cuerpo tiene 2000 bytes. El límite es 1500. Reparta las ofertas entre varias solicitudes.',
      },
    },
    {
      title: 'a large body without its size',
      code: 'body_too_large',
      call: () => ({ body: large, headers: { 'Transfer-Encoding': 'chunked' } }),
      detail: {
        fr: 'Le corps compte plus de 1\u202f500 octets. Répartissez les offres sur plusieurs requêtes.',
        en: 'The body has more than 1,500 bytes. Split the jobs into several requests.',
        es: 'El cuerpo tiene más de 1500 bytes. Reparta las ofertas entre varias solicitudes.',
      },
    },
    {
      title: 'a path without the base path',
      code: 'route_not_found',
      call: () => ({ path: '/x' }),
      detail: {
        fr: 'Le chemin « /api/x » n’existe pas. La casse compte, et il n’y a pas de barre oblique finale. Les chemins sont /api/v1/json/jobs-delete, /api/v1/xml/jobs-delete, /api/v1-sandbox/json/jobs-delete, /api/v1-sandbox/xml/jobs-delete, /api/v1/whoami, /api/v1/jobs, /api/v1/deletions/{Deletion-Id}.',
        en: "There is no path '/api/x'. Paths are case-sensitive and have no slash at the end. The paths are /api/v1/json/jobs-delete, /api/v1/xml/jobs-delete, /api/v1-sandbox/json/jobs-delete, /api/v1-sandbox/xml/jobs-delete, /api/v1/whoami, /api/v1/jobs, /api/v1/deletions/{Deletion-Id}.",
        es: 'No existe la ruta «/api/x». Las rutas distinguen mayúsculas y minúsculas y no tienen barra final. Las rutas son /api/v1/json/jobs-delete, /api/v1/xml/jobs-delete, /api/v1-sandbox/json/jobs-delete, /api/v1-sandbox/xml/jobs-delete, /api/v1/whoami, /api/v1/jobs, /api/v1/deletions/{Deletion-Id}.',
      },
    },
  ];
  testDetails(there, () => client.at(small.baseUrl));
});

describe('without a deleter', () => {
  const there: readonly DetailCase[] = [
    {
      title: 'a valid request',
      code: 'unavailable',
      call: () => ({ jobIds: newJobIds(1) }),
      detail: {
        fr: 'Attendez le nombre de secondes indiqué par l’en-tête Retry-After, puis renvoyez la même requête. Avec la même Idempotency-Key, le service ne supprime les offres qu’une fois.',
        en: 'Wait as many seconds as the Retry-After header states, then send the same request again. With the same Idempotency-Key, the service deletes the jobs only once.',
        es: 'Espere los segundos que indica la cabecera Retry-After y envíe de nuevo la misma solicitud. Con la misma Idempotency-Key, el servicio elimina las ofertas una sola vez.',
      },
    },
  ];
  testDetails(there, () => client.at(cutOff.baseUrl));
});

describe('beyond a limit of the rate', () => {
  const window = { RATE_LIMIT_WINDOW_SECONDS: '7200' };
  let gateway: Awaited<ReturnType<typeof startAnotherGateway>> | undefined;
  afterEach(() => gateway?.stop());
  const wrong: ClientCall = { headers: { Usersecretkey: 'wrong' } };

  test.each<[string, NodeJS.ProcessEnv, ClientCall, Texts]>([
    [
      'of requests',
      { RATE_LIMIT_REQUESTS: '2' },
      {},
      {
        fr: 'Les requêtes du compte sont limitées à 2 en 7\u202f200 s. Attendez SECONDS s, puis renvoyez la requête.',
        en: 'The requests of the account are limited to 2 in 7,200 s. Wait SECONDS s, then send the request again.',
        es: 'Las solicitudes de la cuenta están limitadas a 2 en 7200 s. Espere SECONDS s y envíe de nuevo la solicitud.',
      },
    ],
    [
      'of jobs',
      { RATE_LIMIT_JOBS: '2', MAX_JOBS_PER_REQUEST: '2' },
      { jobIds: newJobIds(2) },
      {
        fr: 'Les offres dans les requêtes du compte sont limitées à 2 en 7\u202f200 s. Attendez SECONDS s, puis renvoyez la requête.',
        en: 'The jobs in requests of the account are limited to 2 in 7,200 s. Wait SECONDS s, then send the request again.',
        es: 'Las ofertas en las solicitudes de la cuenta están limitadas a 2 en 7200 s. Espere SECONDS s y envíe de nuevo la solicitud.',
      },
    ],
    [
      'of failures',
      { FAILED_AUTHENTICATIONS_LIMIT: '2' },
      wrong,
      {
        fr: 'Trop de requêtes de votre réseau avaient de mauvais identifiants de connexion. Corrigez-les, attendez SECONDS s, puis renvoyez la requête.',
        en: 'Too many requests from your network had wrong credentials. Correct the credentials, wait SECONDS s, then send the request again.',
        es: 'Demasiadas solicitudes de su red tenían credenciales incorrectas. Corrija las credenciales, espere SECONDS s y envíe de nuevo la solicitud.',
      },
    ],
  ])('%s, the detail states the limit and the time to wait', async (name, env, call, detail) => {
    gateway = await startAnotherGateway(service, { ...env, ...window });
    const there = (await createClient(service, `rate-${name.replaceAll(' ', '-')}`)).at(gateway.baseUrl);
    for (let request = 0; request < 2; request++) await there.call(call);
    for (const language of languages) {
      const answer = await there.call({ ...call, language });
      const problem = expectProblem(answer, 'too_many_requests', { language });
      const seconds = Number(answer.headers['retry-after']).toLocaleString(language);
      expect(problem.detail).toBe(detail[language].replace('SECONDS', seconds));
    }
  });
});
