import { readXmlJobs } from '@jobs-delete/gateway/http/body/read-xml-jobs';
import type { Target } from '../fuzz.ts';
import { decodeUtf8, judgeIds, malformedOutcome, maxJobs, readerOutcome } from './job-outcome.ts';
import { parseReferenceXml, textOf, type XmlChild, type XmlElement } from './reference-xml.ts';

export const xmlBody: Target = {
  name: 'xml-body',
  seeds: [
    '<?xml version="1.0" encoding="UTF-8"?>\n<jobs><job><id>ABC123</id></job><job><id><![CDATA[DEF456]]></id></job></jobs>',
    `\ufeff<!-- a --><jobs a='1' b="&lt;"><job>\r\n<x:y><id/>t</x:y><id> A&#66;CD </id></job></jobs><!-- b -->`,
    '<jobs><job/><job><id/></job><job><id>AAAA</id></job><job><id>AAAA</id></job><job><id>A-A</id></job></jobs>',
    // The greatest depth, and one more.
    `<jobs><job><id>AAAA</id>${'<a>'.repeat(30)}${'</a>'.repeat(30)}</job></jobs>`,
    `<jobs><job><id>AAAA</id>${'<a>'.repeat(31)}${'</a>'.repeat(31)}</job></jobs>`,
  ],
  words: [
    ...[
      '<',
      '>',
      '</',
      '/>',
      '<!--',
      '-->',
      '--',
      '<![CDATA[',
      ']]>',
      ']]',
      '<?',
      '?>',
      '&',
      ';',
      '&amp;',
      '&apos;',
    ],
    ...[
      '&#x41;',
      '&#65;',
      '&#0;',
      '&#xd800;',
      '&#x110000;',
      '&#13;',
      '&nbsp;',
      '&#x;',
      '&#99999999999999999999;',
    ],
    ...[
      '<job>',
      '</job>',
      '<id>',
      '</id>',
      '<job><id>BBBB</id></job>',
      '<id>',
      '<jobs>',
      '</jobs>',
      '<job/>',
      '<id/>',
    ],
    ...[
      ' a="1"',
      " b='2'",
      ' xmlns="u"',
      ' xml:lang="fr"',
      '="',
      '=',
      '"',
      "'",
      ' ',
      '\r',
      '\n',
      '\u0085',
      '\u2028',
    ],
    ...[
      '<!DOCTYPE jobs>',
      '<?xml version="1.0"?>',
      ' encoding="utf-8"',
      ' standalone="yes"',
      '1.1',
      '1.0',
      'UTF-16',
    ],
    ...['<p:job>', ':', '-', '.', '\u00b7', '\u0300', '\u{10000}', '\ufeff', '<a>', '</a>', '<a>'.repeat(31)],
  ],
  run: (input) => readerOutcome(readXmlJobs(input, maxJobs)),
  judge: (input) => {
    const text = decodeUtf8(input);
    const root = text === undefined ? undefined : parseReferenceXml(text);
    if (root?.name !== 'jobs' || isDeeperThan(32, root) || hasText(root)) return malformedOutcome;
    const jobs = elements(root).filter(({ name }) => name === 'job');
    const ids = jobs.map((job) => elements(job).filter(({ name }) => name === 'id'));
    const isMalformed =
      jobs.length === 0 ||
      jobs.some(hasText) ||
      ids.some((each) => each.length > 1) ||
      ids.flat().some(({ children }) => !children.every(isText));
    return isMalformed ? malformedOutcome : judgeIds(ids.map(([id]) => id && textOf(id)));
  },
};

function elements({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => typeof child === 'object' && 'name' in child);
}

function isText(child: XmlChild): child is { readonly text: string } {
  return typeof child === 'object' && 'text' in child;
}

/** Returns whether the element itself holds more text than white space. */
function hasText(element: XmlElement): boolean {
  return textOf(element) !== '';
}

function isDeeperThan(levels: number, element: XmlElement): boolean {
  return levels === 0 || elements(element).some((child) => isDeeperThan(levels - 1, child));
}
