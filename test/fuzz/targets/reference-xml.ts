/** An element of a document. `comment` marks the place of a comment. */
export interface XmlElement {
  readonly name: string;
  readonly children: XmlChild[];
}
export type XmlChild = XmlElement | { readonly text: string } | 'comment';

const start =
  ':A-Z_a-z\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C-\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF' +
  '\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const name = `[${start}][\\u0300-\\u036F\\u203F-\\u2040${start}\\-.0-9\\xB7]*`;
const space = '[ \\t\\n]';
const equals = `${space}*=${space}*`;
const attribute = `${space}+${name}${equals}(?:"[^<"]*"|'[^<']*')`;

const allowed = /^[\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const declaration = new RegExp(
  `^<\\?xml${space}+version${equals}(?:"1\\.0"|'1\\.0')` +
    `(?:${space}+encoding${equals}(?:"[Uu][Tt][Ff]-8"|'[Uu][Tt][Ff]-8'))?` +
    `(?:${space}+standalone${equals}(?:"(?:yes|no)"|'(?:yes|no)'))?${space}*\\?>`,
);
const token = new RegExp(
  [
    '(?<comment><!--(?:(?!--)[^])*-->)',
    '<!\\[CDATA\\[(?<cdata>[^]*?)\\]\\]>',
    `</(?<close>${name})${space}*>`,
    `<(?<open>${name})(?<attributes>(?:${attribute})*)${space}*(?<empty>/?)>`,
    '(?<text>[^<&]+)',
    '(?<reference>&[^;&<]*;)',
  ].join('|'),
  'uy',
);
const entities = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
]);

/**
 * Returns the root of an XML 1.0 document in UTF-8, by the productions of the recommendation. Returns undefined when it is
 * not well-formed, or has a DOCTYPE or a processing instruction.
 */
export function parseReferenceXml(source: string): XmlElement | undefined {
  if (!allowed.test(source)) return undefined;
  const text = source.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const document: XmlElement = { name: '', children: [] };
  const open = [document];
  token.lastIndex = declaration.exec(text)?.[0].length ?? 0;
  while (token.lastIndex < text.length) {
    const parts = token.exec(text)?.groups;
    const parent = open.at(-1);
    if (parts === undefined || parent === undefined) return undefined;
    const found = parts.reference === undefined ? parts.text : referenced(parts.reference);
    if (parts.comment !== undefined) parent.children.push('comment');
    else if (parts.open !== undefined) {
      if (!areAttributes(parts.attributes ?? '')) return undefined;
      const element = { name: parts.open, children: [] };
      parent.children.push(element);
      if (parts.empty === '') open.push(element);
    } else if (parts.close !== undefined) {
      if (open.pop()?.name !== parts.close || open.length === 0) return undefined;
    } else {
      const isOutside = open.length === 1;
      if (parts.cdata === undefined && (found === undefined || found.includes(']]>'))) return undefined;
      if (isOutside && (parts.text === undefined || /[^ \t\n]/.test(parts.text))) return undefined;
      if (!isOutside) parent.children.push({ text: parts.cdata ?? found ?? '' });
    }
  }
  const [root, ...others] = document.children.filter((child) => typeof child === 'object' && 'name' in child);
  return open.length === 1 && others.length === 0 ? root : undefined;
}

function areAttributes(source: string): boolean {
  const pattern = new RegExp(`${space}+(${name})${equals}(?:"([^<"]*)"|'([^<']*)')`, 'gu');
  const attributes = [...source.matchAll(pattern)];
  const values = attributes.map(([, , quoted, apostrophed]) => quoted ?? apostrophed ?? '');
  return (
    new Set(attributes.map(([, attributeName]) => attributeName)).size === attributes.length &&
    values.every((value) => (value.match(/&[^;&]*;?/g) ?? []).every((each) => referenced(each) !== undefined))
  );
}

function referenced(reference: string): string | undefined {
  const [, decimal, hexadecimal] = /^&#(?:(\d+)|x([0-9A-Fa-f]+));$/.exec(reference) ?? [];
  const code = decimal === undefined ? parseInt(hexadecimal ?? '', 16) : parseInt(decimal, 10);
  if (!(code <= 0x10ffff)) return entities.get(reference);
  const character = String.fromCodePoint(code);
  return allowed.test(character) ? character : undefined;
}

/** Returns the text of an element itself, without white space around it. */
export function textOf({ children }: XmlElement): string {
  const text = children.map((child) => (typeof child === 'object' && 'text' in child ? child.text : ''));
  return text.join('').replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
}
