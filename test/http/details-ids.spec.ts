import { expect, test } from '@jest/globals';
import { expectProblem, useClient } from './client.ts';
import type { Code } from './contract.ts';
import { testDetails, type DetailCase } from './details.ts';

const client = useClient('bodies');

const id = (entries: string, code: Code = 'job_id_malformed') => ({
  code,
  call: () => ({ body: `{"jobs":{"job":[${entries}]}}` }),
});

const cases: readonly DetailCase[] = [
  {
    title: 'no id',
    ...id('{"ID":"ABC123"}', 'job_id_required'),
    detail: {
      fr: "L’entrée n’a pas de champ 'id'. Ajoutez-le, en minuscules, ou supprimez l’entrée.",
      en: "The entry has no 'id'. Add it, in lower case, or remove the entry.",
      es: "La entrada no tiene el campo 'id'. Añádalo, en minúsculas, o elimine la entrada.",
    },
  },
  {
    title: 'an id of null',
    ...id('{"id":null}', 'job_id_required'),
    detail: {
      fr: "Le champ 'id' est null. Envoyez l’identifiant d’une offre, ou supprimez l’entrée.",
      en: "The 'id' is null. Send the id of a job, or remove the entry.",
      es: "El campo 'id' es null. Envíe el identificador de una oferta, o elimine la entrada.",
    },
  },
  {
    title: 'an empty id',
    ...id('{"id":""}', 'job_id_required'),
    detail: {
      fr: "Le champ 'id' est vide. Envoyez l’identifiant d’une offre, ou supprimez l’entrée.",
      en: "The 'id' is empty. Send the id of a job, or remove the entry.",
      es: "El campo 'id' está vacío. Envíe el identificador de una oferta, o elimine la entrada.",
    },
  },
  {
    title: 'a number as id',
    ...id('{"id":123456}'),
    detail: {
      fr: "Le champ 'id' est un nombre. Il doit être une chaîne : placez-le entre guillemets doubles.",
      en: "The 'id' is a number. It must be a string: put it between double quotes.",
      es: "El campo 'id' es un número. Debe ser una cadena: póngalo entre comillas dobles.",
    },
  },
  {
    title: 'a list as id',
    ...id('{"id":["ABC123"]}'),
    detail: {
      fr: 'Le champ \'id\' doit être une chaîne, par exemple "ABC123".',
      en: 'The \'id\' must be a string, such as "ABC123".',
      es: 'El campo \'id\' debe ser una cadena, por ejemplo "ABC123".',
    },
  },
  {
    title: 'an id with a space at its end',
    ...id('{"id":"ABC123 "}'),
    detail: {
      fr: "Le champ 'id' a un espace au caractère 7. Supprimez-le.",
      en: "The 'id' has white space at character 7. Remove it.",
      es: "El campo 'id' tiene un espacio en el carácter 7. Elimínelo.",
    },
  },
  {
    title: 'an id with a hyphen',
    ...id('{"id":"ABC-123"}'),
    detail: {
      fr: "Le champ 'id' a « - » au caractère 4. Seuls A à Z, a à z et 0 à 9 sont admis.",
      en: "The 'id' has '-' at character 4. Only A to Z, a to z and 0 to 9 are allowed.",
      es: "El campo 'id' tiene «-» en el carácter 4. Solo se admiten de A a Z, de a a z y de 0 a 9.",
    },
  },
  {
    title: 'an id with a character that nobody sees',
    ...id('{"id":"ABC\\u200b123"}'),
    detail: {
      fr: "Le champ 'id' a « U+200B » au caractère 4. Seuls A à Z, a à z et 0 à 9 sont admis.",
      en: "The 'id' has 'U+200B' at character 4. Only A to Z, a to z and 0 to 9 are allowed.",
      es: "El campo 'id' tiene «U+200B» en el carácter 4. Solo se admiten de A a Z, de a a z y de 0 a 9.",
    },
  },
  {
    title: 'a short id',
    ...id('{"id":"ABC"}'),
    detail: {
      fr: "La longueur du champ 'id' est 3. Elle doit être de 4 à 128 caractères.",
      en: "The length of the 'id' is 3. It must be 4 to 128 characters.",
      es: "La longitud del campo 'id' es 3. Debe ser de 4 a 128 caracteres.",
    },
  },
  {
    title: 'a long id',
    ...id(`{"id":"${'A'.repeat(2_000)}"}`),
    detail: {
      fr: "La longueur du champ 'id' est 2\u202f000. Elle doit être de 4 à 128 caractères.",
      en: "The length of the 'id' is 2,000. It must be 4 to 128 characters.",
      es: "La longitud del campo 'id' es 2000. Debe ser de 4 a 128 caracteres.",
    },
  },
  {
    title: 'an id twice',
    ...id('{"id":"ABC123"},{"id":"DEF456"},{"id":"ABC123"}', 'job_id_duplicated'),
    detail: {
      fr: 'L’entrée 1 de la requête a le même identifiant (/jobs/job/0/id). Supprimez une des deux entrées.',
      en: 'Entry 1 of the request has the same id (/jobs/job/0/id). Remove one of the two entries.',
      es: 'La entrada 1 de la solicitud tiene el mismo identificador (/jobs/job/0/id). Elimine una de las dos entradas.',
    },
  },
];

testDetails(cases, client);

test('each wrong entry has its own detail, and the problem says how many there are', async () => {
  const body = '{"jobs":{"job":[{"id":1},{"id":"ABC123"},{"id":"A"}]}}';
  const { detail, errors } = expectProblem(await client().call({ body }), 'job_id_malformed');
  const details = [
    "The 'id' is a number. It must be a string: put it between double quotes.",
    "The length of the 'id' is 1. It must be 4 to 128 characters.",
  ];
  expect(errors?.map((error) => error.detail)).toEqual(details);
  expect(detail).toBe(`${details[0] ?? ''} 2 entries are wrong: 'errors' lists them.`);
});

test('a list that is cut says so', async () => {
  const { detail } = expectProblem(
    await client().call({ jobIds: Array<string>(101).fill('-') }),
    'job_id_malformed',
  );
  expect(detail).toMatch(/ 'errors' lists only the first 100 wrong entries\.$/);
});
