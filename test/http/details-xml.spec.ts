import { useClient } from './client.ts';
import type { Code } from './contract.ts';
import { testDetails, type DetailCase } from './details.ts';

const client = useClient('bodies');

const xml = (body: string, code: Code = 'body_malformed') => ({
  code,
  call: () => ({ format: 'xml' as const, body }),
});
const jobs = '<job><id>ABC123</id></job>';
const cases: readonly DetailCase[] = [
  {
    title: 'an element that is not closed',
    ...xml(`<jobs>\n  <job><id>ABC123</id>\n</jobs>`),
    detail: {
      fr: 'Le corps n’est pas du XML bien formé : il y a une erreur à la ligne 3, colonne 7. Fermez chaque élément, et écrivez &amp; pour & et &lt; pour <.',
      en: 'The body is not well-formed XML: there is an error at line 3, column 7. Close every element, and write &amp; for & and &lt; for <.',
      es: 'El cuerpo no es XML bien formado: hay un error en la línea 3, columna 7. Cierre todos los elementos, y escriba &amp; en lugar de & y &lt; en lugar de <.',
    },
  },
  {
    title: 'JSON in place of XML',
    ...xml('{"jobs":{"job":[{"id":"ABC123"}]}}'),
    detail: {
      fr: 'Le corps ressemble à du JSON. Envoyez du XML à ce chemin, ou envoyez ce corps au chemin pour le JSON.',
      en: 'The body looks like JSON. Send XML to this path, or send this body to the JSON path.',
      es: 'El cuerpo parece JSON. Envíe XML a esta ruta, o envíe este cuerpo a la ruta para JSON.',
    },
  },
  {
    title: 'deep XML',
    ...xml('<x>'.repeat(40)),
    detail: {
      fr: 'Le corps compte plus de 32 niveaux d’imbrication. Supprimez les champs qui ne sont pas nécessaires.',
      en: 'The body is nested more than 32 levels deep. Remove the members that are not needed.',
      es: 'El cuerpo tiene más de 32 niveles de anidamiento. Elimine los campos que no sean necesarios.',
    },
  },
  {
    title: 'a DOCTYPE',
    ...xml(`<!DOCTYPE jobs><jobs>${jobs}</jobs>`),
    detail: {
      fr: 'Les DOCTYPE et les instructions de traitement ne sont pas admis. Supprimez-les.',
      en: 'A DOCTYPE or a processing instruction is not allowed. Remove it.',
      es: 'No se admiten DOCTYPE ni instrucciones de procesamiento. Elimínelos.',
    },
  },
  {
    title: 'another encoding',
    ...xml(`<?xml version="1.0" encoding="ISO-8859-1"?><jobs>${jobs}</jobs>`),
    detail: {
      fr: 'La déclaration XML doit indiquer la version 1.0 et, le cas échéant, l’encodage UTF-8. Corrigez-la ou supprimez-la.',
      en: 'The XML declaration must state version 1.0 and, where it states an encoding, UTF-8. Correct it, or remove it.',
      es: 'La declaración XML debe indicar la versión 1.0 y, si indica una codificación, UTF-8. Corríjala o elimínela.',
    },
  },
  {
    title: 'another root',
    ...xml(`<Jobs>${jobs}</Jobs>`),
    detail: {
      fr: 'L’élément racine doit être <jobs>, et non « Jobs ». La forme attendue est <jobs><job><id>ABC123</id></job><job><id>DEF456</id></job></jobs>.',
      en: "The root element must be <jobs>, not 'Jobs'. The expected form is <jobs><job><id>ABC123</id></job><job><id>DEF456</id></job></jobs>.",
      es: 'El elemento raíz debe ser <jobs>, y no «Jobs». La forma esperada es <jobs><job><id>ABC123</id></job><job><id>DEF456</id></job></jobs>.',
    },
  },
  {
    title: 'no job',
    ...xml('<jobs/>'),
    detail: {
      fr: 'L’élément <jobs> doit contenir au moins un élément <job>. La forme attendue est <jobs><job><id>ABC123</id></job><job><id>DEF456</id></job></jobs>.',
      en: 'The <jobs> element must hold at least one <job> element. The expected form is <jobs><job><id>ABC123</id></job><job><id>DEF456</id></job></jobs>.',
      es: 'El elemento <jobs> debe contener al menos un elemento <job>. La forma esperada es <jobs><job><id>ABC123</id></job><job><id>DEF456</id></job></jobs>.',
    },
  },
  {
    title: 'text outside an id',
    ...xml('<jobs><job>ABC123</job></jobs>'),
    detail: {
      fr: 'Du texte figure hors d’un élément <id>. Supprimez-le ou placez-le dans un élément <id>.',
      en: 'There is text outside an <id> element. Remove it, or put it into an <id> element.',
      es: 'Hay texto fuera de un elemento <id>. Elimínelo o póngalo en un elemento <id>.',
    },
  },
  {
    title: 'an element in an id',
    ...xml('<jobs><job><id><b>ABC123</b></id></job></jobs>'),
    detail: {
      fr: 'Un élément <id> ne contient que du texte. Retirez-en le commentaire ou l’élément.',
      en: 'An <id> element holds text only. Remove the comment or element from it.',
      es: 'Un elemento <id> contiene solo texto. Quite de él el comentario o el elemento.',
    },
  },
  {
    title: 'two ids in a job',
    ...xml('<jobs><job><id>ABC123</id><id>DEF456</id></job></jobs>'),
    detail: {
      fr: 'Un élément <job> contient plusieurs éléments <id>. Utilisez un élément <job> pour chaque identifiant.',
      en: 'A <job> element holds more than one <id> element. Use one <job> element for each id.',
      es: 'Un elemento <job> contiene más de un elemento <id>. Use un elemento <job> para cada identificador.',
    },
  },
];

testDetails(cases, client);
