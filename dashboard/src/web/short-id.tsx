/**
 * An id in a list, with the whole id as its title. Its end tells ids apart that begin with the time of their creation, such as
 * Deletion-Ids of the same minute.
 */
export function ShortId({ id }: { readonly id: string }) {
  if (id === '') return <>–</>;
  return <code title={id}>{id.length <= 16 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`}</code>;
}
