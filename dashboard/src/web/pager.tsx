import { translated, type Language } from './language.ts';

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Counts from 1. */
  readonly number: number;
  readonly count: number;
}

/** Returns the page that the query's field asks for, or the nearest one. */
export function pageOf<Item>(
  items: readonly Item[],
  query: URLSearchParams,
  size: number,
  field = 'page',
): Page<Item> {
  const count = Math.max(1, Math.ceil(items.length / size));
  const text = query.get(field) ?? '';
  const wanted = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
  const number = Math.min(wanted, count);
  return { items: items.slice((number - 1) * size, number * size), number, count };
}

export interface PagerProps {
  readonly page: Page<unknown>;
  readonly path: string;
  /** The field of the query. Default: `page`. */
  readonly field?: string;
  readonly language: Language;
}

/** Links to the pages before and after. Shows nothing if there is one page. */
export function Pager({ page: { number, count }, path, field = 'page', language }: PagerProps) {
  if (count === 1) return null;
  const texts = pagerTexts[language];
  return (
    <p class="inline">
      {number > 1 && <a href={`${path}?${field}=${String(number - 1)}`}>{texts.previous}</a>}
      <span>{texts.position(number, count)}</span>
      {number < count && <a href={`${path}?${field}=${String(number + 1)}`}>{texts.next}</a>}
    </p>
  );
}

const pagerTexts = translated({
  en: {
    previous: 'Previous page',
    next: 'Next page',
    position: (number: number, count: number) => `Page ${String(number)} of ${String(count)}`,
  },
  fr: {
    previous: 'Page précédente',
    next: 'Page suivante',
    position: (number, count) => `Page ${String(number)} sur ${String(count)}`,
  },
  es: {
    previous: 'Página anterior',
    next: 'Página siguiente',
    position: (number, count) => `Página ${String(number)} de ${String(count)}`,
  },
});
