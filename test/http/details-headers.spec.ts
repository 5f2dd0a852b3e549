import { expect, test } from '@jest/globals';
import { expectProblem, pathOf, useClient } from './client.ts';
import { testDetails, type DetailCase } from './details.ts';

const client = useClient('headers');

const with_ = (header: string, value: string | readonly string[] | undefined) => ({
  code: 'header_invalid' as const,
  header,
  call: () => ({ headers: { [header]: value } }),
});

const cases: readonly DetailCase[] = [
  {
    title: 'no User-Agent',
    ...with_('User-Agent', undefined),
    detail: {
      fr: 'L’en-tête User-Agent est absent. Commencez par le nom et la version de votre client, sous la forme nom/version : « User-Agent: mon-client/1.0 ».',
      en: "The User-Agent header is missing. Start with the name and version of your client, as name/version: 'User-Agent: my-client/1.0'.",
      es: 'Falta la cabecera User-Agent. Empiece por el nombre y la versión de su cliente, en la forma nombre/versión: «User-Agent: mi-cliente/1.0».',
    },
  },
  {
    title: 'an empty User-Agent',
    ...with_('User-Agent', ''),
    detail: {
      fr: 'L’en-tête User-Agent est vide. Commencez par le nom et la version de votre client, sous la forme nom/version : « User-Agent: mon-client/1.0 ».',
      en: "The User-Agent header is empty. Start with the name and version of your client, as name/version: 'User-Agent: my-client/1.0'.",
      es: 'La cabecera User-Agent está vacía. Empiece por el nombre y la versión de su cliente, en la forma nombre/versión: «User-Agent: mi-cliente/1.0».',
    },
  },
  {
    title: 'two User-Agents',
    ...with_('User-Agent', ['a/1', 'b/1']),
    detail: {
      fr: 'L’en-tête User-Agent figure 2 fois. Envoyez-le une seule fois. Commencez par le nom et la version de votre client, sous la forme nom/version : « User-Agent: mon-client/1.0 ».',
      en: "The User-Agent header occurs 2 times. Send it once. Start with the name and version of your client, as name/version: 'User-Agent: my-client/1.0'.",
      es: 'La cabecera User-Agent aparece 2 veces. Envíela una sola vez. Empiece por el nombre y la versión de su cliente, en la forma nombre/versión: «User-Agent: mi-cliente/1.0».',
    },
  },
  {
    title: 'the User-Agent of fetch in Node',
    ...with_('User-Agent', 'node'),
    detail: {
      fr: 'La valeur « node » n’est pas valide. Commencez par le nom et la version de votre client, sous la forme nom/version : « User-Agent: mon-client/1.0 ».',
      en: "The value 'node' is not valid. Start with the name and version of your client, as name/version: 'User-Agent: my-client/1.0'.",
      es: 'El valor «node» no es válido. Empiece por el nombre y la versión de su cliente, en la forma nombre/versión: «User-Agent: mi-cliente/1.0».',
    },
  },
  {
    title: 'no Content-Type',
    ...with_('Content-Type', undefined),
    detail: {
      fr: 'L’en-tête Content-Type est absent. Envoyez « Content-Type: application/json ». Le seul jeu de caractères admis est utf-8.',
      en: "The Content-Type header is missing. Send 'Content-Type: application/json'. The only allowed charset is utf-8.",
      es: 'Falta la cabecera Content-Type. Envíe «Content-Type: application/json». El único juego de caracteres admitido es utf-8.',
    },
  },
  {
    title: 'the Content-Type of curl',
    ...with_('Content-Type', 'application/x-www-form-urlencoded'),
    detail: {
      fr: 'La valeur « application/x-www-form-urlencoded » n’est pas valide. Envoyez « Content-Type: application/json ». Le seul jeu de caractères admis est utf-8.',
      en: "The value 'application/x-www-form-urlencoded' is not valid. Send 'Content-Type: application/json'. The only allowed charset is utf-8.",
      es: 'El valor «application/x-www-form-urlencoded» no es válido. Envíe «Content-Type: application/json». El único juego de caracteres admitido es utf-8.',
    },
  },
  {
    title: 'JSON at the path for XML',
    ...with_('Content-Type', 'application/json'),
    call: () => ({ path: pathOf('xml'), headers: { 'Content-Type': 'application/json' } }),
    detail: {
      fr: 'La valeur « application/json » n’est pas valide. Envoyez « Content-Type: application/xml ». Le seul jeu de caractères admis est utf-8.',
      en: "The value 'application/json' is not valid. Send 'Content-Type: application/xml'. The only allowed charset is utf-8.",
      es: 'El valor «application/json» no es válido. Envíe «Content-Type: application/xml». El único juego de caracteres admitido es utf-8.',
    },
  },
  {
    title: 'another charset',
    ...with_('Content-Type', 'application/json; charset=latin1'),
    detail: {
      fr: 'La valeur « application/json; charset=latin1 » n’est pas valide. Envoyez « Content-Type: application/json ». Le seul jeu de caractères admis est utf-8.',
      en: "The value 'application/json; charset=latin1' is not valid. Send 'Content-Type: application/json'. The only allowed charset is utf-8.",
      es: 'El valor «application/json; charset=latin1» no es válido. Envíe «Content-Type: application/json». El único juego de caracteres admitido es utf-8.',
    },
  },
  {
    title: 'a compressed body',
    ...with_('Content-Encoding', 'gzip'),
    detail: {
      fr: 'La valeur « gzip » n’est pas valide. Supprimez cet en-tête et envoyez le corps sans compression.',
      en: "The value 'gzip' is not valid. Remove this header and send the body uncompressed.",
      es: 'El valor «gzip» no es válido. Elimine esta cabecera y envíe el cuerpo sin compresión.',
    },
  },
  {
    title: 'no X-Client-Lang',
    ...with_('X-Client-Lang', undefined),
    detail: {
      fr: 'L’en-tête X-Client-Lang est absent. Envoyez la technologie de votre client en 1 à 64 caractères imprimables, par exemple « X-Client-Lang: PHP ».',
      en: "The X-Client-Lang header is missing. Send the technology of your client in 1 to 64 printable characters, such as 'X-Client-Lang: PHP'.",
      es: 'Falta la cabecera X-Client-Lang. Envíe la tecnología de su cliente en 1 a 64 caracteres imprimibles, por ejemplo «X-Client-Lang: PHP».',
    },
  },
  {
    title: 'a long X-Client-Lang',
    ...with_('X-Client-Lang', 'y'.repeat(65)),
    detail: {
      fr: 'La valeur « yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy… » n’est pas valide. Envoyez la technologie de votre client en 1 à 64 caractères imprimables, par exemple « X-Client-Lang: PHP ».',
      en: "The value 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…' is not valid. Send the technology of your client in 1 to 64 printable characters, such as 'X-Client-Lang: PHP'.",
      es: 'El valor «yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…» no es válido. Envíe la tecnología de su cliente en 1 a 64 caracteres imprimibles, por ejemplo «X-Client-Lang: PHP».',
    },
  },
  {
    title: 'an empty Idempotency-Key',
    ...with_('Idempotency-Key', ''),
    detail: {
      fr: 'L’en-tête Idempotency-Key est vide. Envoyez de 1 à 255 caractères ASCII imprimables, ou supprimez cet en-tête.',
      en: 'The Idempotency-Key header is empty. Send 1 to 255 printable ASCII characters, or remove this header.',
      es: 'La cabecera Idempotency-Key está vacía. Envíe de 1 a 255 caracteres ASCII imprimibles, o elimine esta cabecera.',
    },
  },
  {
    title: 'an Idempotency-Key that is not ASCII',
    ...with_('Idempotency-Key', 'cl\u00e9'),
    detail: {
      fr: 'La valeur « clé » n’est pas valide. Envoyez de 1 à 255 caractères ASCII imprimables, ou supprimez cet en-tête.',
      en: "The value 'clé' is not valid. Send 1 to 255 printable ASCII characters, or remove this header.",
      es: 'El valor «clé» no es válido. Envíe de 1 a 255 caracteres ASCII imprimibles, o elimine esta cabecera.',
    },
  },
];

testDetails(cases, client);

test.each<[string, string | readonly string[] | undefined, string]>([
  ['no Accept-Language', undefined, 'L’en-tête Accept-Language est absent.'],
  ['an empty Accept-Language', '', 'L’en-tête Accept-Language est vide.'],
  ['another language', 'de', 'La valeur « de » n’est pas valide.'],
  ['two other languages', ['de', 'it'], 'La valeur « de, it » n’est pas valide.'],
  ['a wrong weight', 'en;q=high', 'La valeur « en;q=high » n’est pas valide.'],
])('%s is explained in French, and the detail names the languages', async (_, value, fault) => {
  const answer = await client().call({ headers: { 'Accept-Language': value } });
  const problem = expectProblem(answer, 'header_invalid', { language: 'fr', header: 'Accept-Language' });
  const detail = `${fault} Envoyez au moins une des langues prises en charge (fr, en, es), par exemple « Accept-Language: fr ».`;
  expect(problem.detail).toBe(detail);
  expect(problem.errors).toMatchObject([{ header: 'Accept-Language', detail }]);
});

test('each wrong header has its own detail, and the problem counts them', async () => {
  const headers = { 'User-Agent': 'node', 'X-Client-Lang': undefined };
  const { detail, errors } = expectProblem(await client().call({ headers }), 'header_invalid', {
    header: 'User-Agent',
  });
  expect(errors?.map((error) => [error.header, error.detail])).toEqual([
    [
      'User-Agent',
      "The value 'node' is not valid. Start with the name and version of your client, as name/version: 'User-Agent: my-client/1.0'.",
    ],
    [
      'X-Client-Lang',
      "The X-Client-Lang header is missing. Send the technology of your client in 1 to 64 printable characters, such as 'X-Client-Lang: PHP'.",
    ],
  ]);
  expect(detail).toBe(`${errors?.[0]?.detail ?? ''} 2 entries are wrong: 'errors' lists them.`);
});

test('a long value is cut to 64 characters', async () => {
  const answer = await client().call({ headers: { 'User-Agent': 'x'.repeat(4_000) } });
  const { detail } = expectProblem(answer, 'header_invalid', { header: 'User-Agent' });
  expect(detail).toContain(`'${'x'.repeat(64)}…'`);
});
