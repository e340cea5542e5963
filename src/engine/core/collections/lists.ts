/** Appends an item to the list of its key. */
export const addTo = <K, A>(lists: Map<K, Array<A>>, key: K, item: A): void => {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [item])
  else known.push(item)
}
