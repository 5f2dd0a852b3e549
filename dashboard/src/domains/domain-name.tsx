import { domainToUnicode } from 'node:url';

/** An entry of the list of domains. One with letters beyond ASCII has the spelling that the API reads below it. */
export function DomainName({ domain }: { readonly domain: string }) {
  const unicode = unicodeOf(domain);
  if (unicode === domain) return <code>{domain}</code>;
  return (
    <>
      <bdi>{unicode}</bdi>{' '}
      <span class="second">
        <code>{domain}</code>
      </span>
    </>
  );
}

/** Returns an entry of the list of domains for a sentence, in both spellings if it has letters beyond ASCII. */
export function domainText(domain: string): string {
  const unicode = unicodeOf(domain);
  return unicode === domain ? domain : `${unicode} (${domain})`;
}

function unicodeOf(domain: string): string {
  return domain.replace(/xn--[a-z0-9-]+/g, (label) => domainToUnicode(label) || label);
}
