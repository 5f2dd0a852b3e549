import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { type Language, languages } from '../../../messages/messages.ts';
import { problemTable } from '../../../messages/problems.ts';
import { gatewayVariables, protectionVariables } from '../../../config.ts';
import { apiPaths } from '../../endpoints.ts';
import { docsPages } from './docs-page.ts';
import { highlight } from './elements.ts';
import { exampleLanguages, exampleVariables, formats, readExample } from './examples.ts';

const settings = { basePath: '/api', publicUrl: '', maxJobsPerRequest: 12_345, maxBodyBytes: 65_536 };
const pageIn = (language: Language, more: Partial<typeof settings> = {}): string => {
  const [page] = docsPages({ ...settings, ...more });
  return page?.render(language).body ?? '';
};

describe.each(languages)('the documentation in %s', (language) => {
  const page = pageIn(language);

  test('names every endpoint and every problem', () => {
    const names = [...apiPaths, ...problemTable.map(({ code }) => code)];
    expect(names.filter((name) => !page.includes(name))).toEqual([]);
  });

  test('lists every problem once, by what to do', () => {
    const linked = [...page.matchAll(/<td><a href="\.\/problems\/[\w-]+"><code>(\w+)<\/code>/g)];
    expect(linked.map(([, code]) => code).sort()).toEqual(problemTable.map(({ code }) => code).sort());
  });

  test('has no word that only operators know', () => {
    const texts = page.replace(/<(pre|script|style)\b[^]*?<\/\1>/g, '');
    const variables = Object.keys({ ...gatewayVariables, ...protectionVariables }).join('|');
    expect(texts.match(new RegExp(`\\b(${variables})\\b`, 'g'))).toBe(null);
    expect(texts.match(/mongodb|kafka|r[eé]plica|grpc|sqlite|operator|exploitant/gi)).toBe(null);
  });

  test('contains every example', () => {
    expect(page.match(/<div class="example"/g)).toHaveLength(exampleLanguages.length * formats.length);
  });

  test('formats all code of its texts', () => {
    const texts = page.replace(/<(pre|script|style)\b[^]*?<\/\1>/g, '');
    expect(texts).not.toContain('`');
    expect(texts).not.toMatch(/\{\w+\}/);
  });

  test('states the limits of the gateway', () => {
    expect(page).toContain((12_345).toLocaleString(language));
    expect(page).toContain((65_536).toLocaleString(language));
  });
});

test('the page states PUBLIC_URL, which the script then leaves unchanged', () => {
  const page = pageIn('en', { publicUrl: 'https://api.example' });
  expect(page).toContain("export JOBS_DELETE_URL='https://api.example/api'");
  expect(page).toContain('"https://api.example/api/problems/job-not-found"'.replaceAll('"', '&#34;'));
});

describe('the examples', () => {
  test('are exactly the files in gateway/examples', () => {
    for (const format of formats) {
      const folder = new URL(`../../../../examples/${format}`, import.meta.url);
      expect(readdirSync(folder).sort()).toEqual(exampleLanguages.map(({ file }) => file).sort());
    }
  });

  test('escape code, and mark its comments and strings', () => {
    expect(highlight(`// a "<b>"\nx = "</span>" + 'it' // no`)).toBe(
      '<span class="comment">// a &#34;&#60;b&#62;&#34;</span>\nx = <span class="string">&#34;&#60;/span&#62;&#34;</span> + <span class="string">&#39;it&#39;</span> // no',
    );
  });

  test.each(exampleLanguages)('in $name read all variables and call the sandbox', (language) => {
    for (const format of formats) {
      const example = readExample(language, format);
      const names = [...Object.keys(exampleVariables), `/v1-sandbox/${format}/jobs-delete`];
      expect(names.filter((name) => !example.includes(name))).toEqual([]);
    }
  });
});
