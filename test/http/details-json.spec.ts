import { expect, test } from '@jest/globals';
import { xmlBody } from '../harness/http-client.ts';
import { expectProblem, useClient } from './client.ts';
import type { Code } from './contract.ts';
import { testDetails, type DetailCase } from './details.ts';

const client = useClient('bodies');

const json = (body: string | Buffer, code: Code = 'body_malformed') => ({ code, call: () => ({ body }) });

const cases: readonly DetailCase[] = [
  {
    title: 'no body',
    ...json(''),
    detail: {
      fr: 'Aucun corps n’a été reçu. Envoyez l’en-tête Content-Length : certains clients et serveurs mandataires suppriment le corps d’une requête DELETE.',
      en: 'No body was received. Send a Content-Length header: some clients and proxies strip the body of a DELETE request.',
      es: 'No se recibió ningún cuerpo. Envíe la cabecera Content-Length: algunos clientes y proxies suprimen el cuerpo de una solicitud DELETE.',
    },
  },
  {
    title: 'a body that is not UTF-8',
    ...json(Buffer.from('{"é":1}', 'latin1')),
    detail: {
      fr: 'Le corps n’est pas encodé en UTF-8. Encodez-le en UTF-8, sans compression.',
      en: 'The body is not encoded in UTF-8. Encode it in UTF-8, without compression.',
      es: 'El cuerpo no está codificado en UTF-8. Codifíquelo en UTF-8, sin compresión.',
    },
  },
  {
    title: 'deep JSON',
    ...json('['.repeat(40)),
    detail: {
      fr: 'Le corps compte plus de 32 niveaux d’imbrication. Supprimez les champs qui ne sont pas nécessaires.',
      en: 'The body is nested more than 32 levels deep. Remove the members that are not needed.',
      es: 'El cuerpo tiene más de 32 niveles de anidamiento. Elimine los campos que no sean necesarios.',
    },
  },
  {
    title: 'XML in place of JSON',
    ...json(xmlBody(['ABC123'])),
    detail: {
      fr: 'Le corps ressemble à du XML. Envoyez du JSON à ce chemin, ou envoyez ce corps au chemin pour le XML.',
      en: 'The body looks like XML. Send JSON to this path, or send this body to the XML path.',
      es: 'El cuerpo parece XML. Envíe JSON a esta ruta, o envíe este cuerpo a la ruta para XML.',
    },
  },
  {
    title: 'a comma too many',
    ...json('{"jobs":{"job":[\n  {"id":"ABC123"},\n]}}'),
    detail: {
      fr: 'Le corps n’est pas du JSON valide : « ] » n’est pas admis à la ligne 3, colonne 1. Supprimez la virgule qui précède.',
      en: "The body is not valid JSON: ']' is not allowed at line 3, column 1. Remove the comma before it.",
      es: 'El cuerpo no es JSON válido: no se admite «]» en la línea 3, columna 1. Elimine la coma anterior.',
    },
  },
  {
    title: 'single quotes',
    ...json("{'jobs':{}}"),
    detail: {
      fr: "Le corps n’est pas du JSON valide : « ' » n’est pas admis à la ligne 1, colonne 2. Placez les noms et les textes entre guillemets doubles.",
      en: "The body is not valid JSON: ''' is not allowed at line 1, column 2. Put names and texts between double quotes.",
      es: "El cuerpo no es JSON válido: no se admite «'» en la línea 1, columna 2. Ponga los nombres y los textos entre comillas dobles.",
    },
  },
  {
    title: 'a line break in a text',
    ...json('{"jobs":{"job":[{"id":"ABC123\n"}]}}'),
    detail: {
      fr: 'Le corps n’est pas du JSON valide : « U+000A » n’est pas admis à la ligne 1, colonne 30. Fermez chaque guillemet, crochet et accolade.',
      en: "The body is not valid JSON: 'U+000A' is not allowed at line 1, column 30. Close every quote, bracket and brace.",
      es: 'El cuerpo no es JSON válido: no se admite «U+000A» en la línea 1, columna 30. Cierre todas las comillas, corchetes y llaves.',
    },
  },
  {
    title: 'two values',
    ...json('{} {}'),
    detail: {
      fr: 'Le corps n’est pas du JSON valide : « { » n’est pas admis à la ligne 1, colonne 4. Corrigez le corps à cet endroit.',
      en: "The body is not valid JSON: '{' is not allowed at line 1, column 4. Correct the body at this place.",
      es: 'El cuerpo no es JSON válido: no se admite «{» en la línea 1, columna 4. Corrija el cuerpo en ese lugar.',
    },
  },
  {
    title: 'half a body',
    ...json('{"jobs":{"job":[{"id":"ABC123"}'),
    detail: {
      fr: 'Le corps n’est pas du JSON valide : il finit trop tôt, à la ligne 1, colonne 32. Fermez chaque guillemet, crochet et accolade.',
      en: 'The body is not valid JSON: it ends too early, at line 1, column 32. Close every quote, bracket and brace.',
      es: 'El cuerpo no es JSON válido: termina demasiado pronto, en la línea 1, columna 32. Cierre todas las comillas, corchetes y llaves.',
    },
  },
  {
    title: 'a member twice',
    ...json('{"jobs":{"job":[{"id":"ABC123"}]},"x":1,"x":2}'),
    detail: {
      fr: 'Le nom « x » figure plusieurs fois dans un objet JSON. Gardez-en un seul.',
      en: "The name 'x' occurs more than once in a JSON object. Keep one of them.",
      es: 'El nombre «x» aparece varias veces en un objeto JSON. Deje solo uno.',
    },
  },
  {
    title: 'a list in place of the body',
    ...json('[{"id":"ABC123"}]'),
    detail: {
      fr: 'Le corps doit être un objet dont le champ \'jobs\' est un objet. La forme attendue est {"jobs": {"job": [{"id": "ABC123"}, {"id": "DEF456"}]}}.',
      en: 'The body must be an object whose \'jobs\' field is an object. The expected form is {"jobs": {"job": [{"id": "ABC123"}, {"id": "DEF456"}]}}.',
      es: 'El cuerpo debe ser un objeto cuyo campo \'jobs\' sea un objeto. La forma esperada es {"jobs": {"job": [{"id": "ABC123"}, {"id": "DEF456"}]}}.',
    },
  },
  {
    title: 'a lone job',
    ...json('{"jobs":{"job":{"id":"ABC123"}}}'),
    detail: {
      fr: 'Le champ \'jobs.job\' doit être une liste non vide, même pour une seule offre. La forme attendue est {"jobs": {"job": [{"id": "ABC123"}, {"id": "DEF456"}]}}.',
      en: 'The \'jobs.job\' field must be a list that is not empty, even for one job. The expected form is {"jobs": {"job": [{"id": "ABC123"}, {"id": "DEF456"}]}}.',
      es: 'El campo \'jobs.job\' debe ser una lista no vacía, también para una sola oferta. La forma esperada es {"jobs": {"job": [{"id": "ABC123"}, {"id": "DEF456"}]}}.',
    },
  },
  {
    title: 'ids without objects',
    ...json('{"jobs":{"job":["ABC123"]}}'),
    detail: {
      fr: 'Chaque élément de \'jobs.job\' doit être un objet, par exemple {"id": "ABC123"}.',
      en: 'Each entry of \'jobs.job\' must be an object, such as {"id": "ABC123"}.',
      es: 'Cada elemento de \'jobs.job\' debe ser un objeto, por ejemplo {"id": "ABC123"}.',
    },
  },
];

testDetails(cases, client);

test('a long name is cut to 64 characters', async () => {
  const name = 'x'.repeat(4_000);
  const { detail } = expectProblem(
    await client().call({ body: `{"${name}":1,"${name}":2}` }),
    'body_malformed',
  );
  expect(detail).toContain(`The name '${'x'.repeat(64)}…' occurs`);
});
