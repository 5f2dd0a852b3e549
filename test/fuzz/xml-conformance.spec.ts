import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { decodeBody } from '@jobs-delete/gateway/http/body/read-body';
import { scanXml } from '@jobs-delete/gateway/http/body/scan-xml';
import { describeWith } from '../servers/describe-with.ts';

/** A document of the suite, with the attributes of its TEST (testcases.dtd). */
interface Case {
  readonly id: string;
  readonly type: string;
  /** Has a DOCTYPE or a processing instruction. */
  readonly hasRefusedMarkup: boolean;
  readonly outcome: string;
}

describeWith('xml conformance suite', 'the XML reader and the conformance suite of W3C', (folder) => {
  let cases: Case[] = [];
  let wellFormed: Case[] = [];
  beforeAll(() => {
    cases = readCases(folder);
    wellFormed = cases.filter(({ type }) => type === 'valid' || type === 'invalid');
  });
  const idsOf = (some: readonly Case[]) => some.map(({ id, outcome }) => `${id}: ${outcome}`);

  test('it refuses every document that is not well-formed', () => {
    const documents = cases.filter(({ type }) => type === 'not-wf');
    expect(documents.length).toBeGreaterThan(900);
    expect(idsOf(documents.filter(({ outcome }) => outcome === 'read'))).toEqual([]);
  });

  test('it reads every well-formed document without DOCTYPE and processing instructions', () => {
    const documents = wellFormed.filter(({ hasRefusedMarkup }) => !hasRefusedMarkup);
    expect(documents.length).toBeGreaterThan(40);
    expect(idsOf(documents.filter(({ outcome }) => outcome !== 'read'))).toEqual([]);
  });

  test('it refuses these two as such, not as an error of syntax', () => {
    const documents = wellFormed.filter(({ hasRefusedMarkup }) => hasRefusedMarkup);
    expect(documents.length).toBeGreaterThan(500);
    expect(idsOf(documents.filter(({ outcome }) => outcome !== 'xml_construct_refused'))).toEqual([]);
  });
});

/** Returns the documents in XML 1.0, fifth edition, and UTF-8. Namespaces are nothing to the reader. */
function readCases(folder: string): Case[] {
  const ignore = () => undefined;
  const visitor = { open: ignore, close: ignore, text: ignore, comment: ignore };
  const list = readFileSync(join(folder, 'xmlconf.xml'), 'utf8');
  return [...list.matchAll(/<!ENTITY \S+\s+SYSTEM "([^"]+)">/g)].flatMap(([, part = '']) => {
    const tests = readFileSync(join(folder, part), 'utf8').matchAll(/<TEST\s([^>]*)>/g);
    return [...tests].flatMap(([, attributes = '']) => {
      const valueOf = (name: string) =>
        new RegExp(`\\b${name}\\s*=\\s*["'](.*?)["']`).exec(attributes)?.[1] ?? '';
      const isOfOtherEdition = valueOf('EDITION') !== '' && !valueOf('EDITION').includes('5');
      if (valueOf('VERSION') === '1.1' || isOfOtherEdition || valueOf('RECOMMENDATION').startsWith('NS'))
        return [];
      const body = readFileSync(join(folder, dirname(part), valueOf('URI')));
      const text = decodeBody(body);
      if (typeof text !== 'string') return [];
      const outcome = scanXml(text, 1_000, visitor)?.code ?? 'read';
      const markup = text.replace(/<!--.*?-->|<!\[CDATA\[.*?\]\]>/gs, '');
      const hasRefusedMarkup = /<!DOCTYPE|<\?(?!xml\s)/.test(markup);
      return [{ id: valueOf('ID'), type: valueOf('TYPE'), hasRefusedMarkup, outcome }];
    });
  });
}
