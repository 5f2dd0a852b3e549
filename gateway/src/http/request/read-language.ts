import { type Language, languages } from '../../messages/messages.ts';

/**
 * One member of the list, which may be empty: a language range and its weight (RFC 9110, 12.5.4). Neighbouring parts
 * never match the same character, so the pattern only backtracks over white space.
 */
const member =
  /^[ \t]*(?:(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?[ \t]*)?$/i;

type Range = Language | '*';

interface Listing {
  /** The highest weight of the range, and its first position with that weight. */
  weight: number;
  position: number;
  /** True if the range without a region has q=0. */
  excluded: boolean;
}

/**
 * Returns the language of the answer. `fr-CA` means `fr`. `*` means French or, when French has q=0, the first language
 * that is not listed. The highest weight wins, and of equal weights the first.
 * Returns undefined when the header is missing or malformed, or names no language that the gateway speaks.
 */
export function readLanguage(acceptLanguage = ''): Language | undefined {
  // A request asks twice, and most callers send one of a few values.
  if (acceptLanguage !== latest.text) latest = { text: acceptLanguage, language: findBest(acceptLanguage) };
  return latest.language;
}

let latest: { readonly text: string; readonly language: Language | undefined } = {
  text: '',
  language: undefined,
};

function findBest(acceptLanguage: string): Language | undefined {
  const listings = parseListings(acceptLanguage);
  if (listings === undefined) return undefined;

  let best: { language: Language; weight: number; position: number } | undefined;
  for (const [range, { weight, position, excluded }] of listings) {
    const language = range === '*' ? anyLanguage(listings) : range;
    if (language === undefined || excluded || weight === 0) continue;
    const wins =
      best === undefined || weight > best.weight || (weight === best.weight && position < best.position);
    if (wins) best = { language, weight, position };
  }
  return best?.language;
}

function parseListings(header: string): Map<Range, Listing> | undefined {
  const listings = new Map<Range, Listing>();
  for (const [position, text] of header.split(',').entries()) {
    const match = member.exec(text);
    if (match === null) return undefined;
    const tag = match[1]?.toLowerCase();
    const range = tag === '*' ? tag : languages.find((language) => language === tag?.split('-', 1)[0]);
    if (range === undefined) continue;

    const weight = Number(match[2] ?? 1);
    const listing = listings.get(range) ?? { weight: -1, position, excluded: false };
    listing.excluded ||= tag === range && weight === 0;
    if (weight > listing.weight) Object.assign(listing, { weight, position });
    listings.set(range, listing);
  }
  return listings;
}

function anyLanguage(listings: ReadonlyMap<Range, Listing>): Language | undefined {
  const french = listings.get('fr');
  if (french !== undefined && !french.excluded && french.weight > 0) return 'fr';
  // French comes first.
  return languages.find((language) => !listings.has(language));
}
