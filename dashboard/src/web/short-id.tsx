/** An id in a list, with the whole id as its title. */
export function ShortId({ id }: { readonly id: string }) {
  if (id === '') return <>–</>;
  return <code title={id}>{shortId(id)}</code>;
}

/**
 * Returns the begin and the end of an id. The end tells ids apart that begin with the time of their creation, such as
 * Deletion-Ids of the same minute.
 */
export function shortId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`;
}
