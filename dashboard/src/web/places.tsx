/** Where a page of a list begins. */
interface Place {
  /** The number of its first entry. */
  readonly first: number;
  /** The entry before it, or the page token. Empty for the first page. */
  readonly after: string;
}

export type Places = readonly [Place, ...Place[]];

const start: Place = { first: 1, after: '' };
/** An address of 4,000 characters passes every proxy. */
const maxPathLength = 3_900;
/** More do not fit into an address. */
const maxPlaces = 100;

/**
 * Returns the places of this page and of those before it. Stores only read forward, so the address keeps the places of
 * earlier pages. Reads the latest 100.
 * @param isAfter whether a text can be the `after` of a place
 */
export function readPlaces(query: URLSearchParams, isAfter: (text: string) => boolean): Places {
  const texts = (query.get('pages') ?? '').split(' ').slice(-maxPlaces);
  const [first, ...others] = texts.flatMap((each) => {
    const [, number, after] = /^(\d{1,9}):([\w.-]{0,200})$/.exec(each) ?? [];
    const isPlace = number !== undefined && after !== undefined && (after === '' || isAfter(after));
    return isPlace ? [{ first: Number(number), after }] : [];
  });
  return first === undefined ? [start] : [first, ...others];
}

/** Returns the field `pages` of an address; undefined for the first page. */
export function writePlaces(places: readonly Place[]): string | undefined {
  const text = places.map(({ first, after }) => `${String(first)}:${after}`).join(' ');
  return text === '1:' ? undefined : text;
}

export function lastOf(places: Places): Place {
  return places.at(-1) ?? places[0];
}

export function isFirstPage(places: Places): boolean {
  return lastOf(places).after === '';
}

interface Listed {
  /** The entries of this page. */
  readonly count: number;
  /** The `after` of the next page. Undefined on the last one. */
  readonly next: string | undefined;
  /** Returns the path of the list with this field `pages`. */
  readonly pathOf: (pages: string | undefined) => string;
}

/** Returns the paths of the first page, of the one before and of the next one, as far as they are others than this page. */
export function pathsOf(places: Places, { count, next, pathOf }: Listed) {
  const to = (all: readonly Place[]) => {
    for (let kept = all; ; kept = kept.slice(1)) {
      const path = pathOf(writePlaces(kept));
      if (path.length <= maxPathLength || kept.length === 1) return path;
    }
  };
  const nextFirst = lastOf(places).first + count;
  return {
    first: isFirstPage(places) ? undefined : to([start]),
    previous: places.length > 1 ? to(places.slice(0, -1)) : undefined,
    next: next === undefined ? undefined : to([...places, { first: nextFirst, after: next }]),
  };
}

interface PlaceLinksProps {
  readonly to: ReturnType<typeof pathsOf>;
  readonly texts: Readonly<Record<'first' | 'previous' | 'next', string>>;
  /** Where this page stands in the list. */
  readonly position?: string | undefined;
}

/** Links to the other pages of a list, if there are any. */
export function PlaceLinks({ to, texts, position }: PlaceLinksProps) {
  if (!to.first && !to.next) return null;
  return (
    <p class="inline">
      {to.first && <a href={to.first}>{texts.first}</a>}
      {to.previous && <a href={to.previous}>{texts.previous}</a>}
      {position !== undefined && <span class="muted">{position}</span>}
      {to.next && <a href={to.next}>{texts.next}</a>}
    </p>
  );
}

/** The last entry of a page whose entries are ordered by their time, then by their id. */
export interface Cursor {
  readonly atMs: number;
  readonly id: string;
}

export function writeCursor({ atMs, id }: Cursor): string {
  return `${String(atMs)}.${id}`;
}

/** Returns undefined for a text that is no cursor. */
export function readCursor(text: string): Cursor | undefined {
  const [, atMs, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(text) ?? [];
  return atMs === undefined || id === undefined ? undefined : { atMs: Number(atMs), id };
}
