/**
 * The order of the keys in all objects with one of these names, as one text: the fields of forms are shown in it. The order of all other
 * keys means nothing.
 */
export function fieldOrder(value: unknown, names: readonly string[]): string {
  const orders: string[] = []

  function visit(inner: unknown, path: string): void {
    if (typeof inner !== 'object' || inner === null) return
    const keys = Object.keys(inner)
    if (names.includes(path.slice(path.lastIndexOf('/') + 1))) orders.push(`${path} ${JSON.stringify(keys)}`)
    for (const key of keys) visit((inner as Readonly<Record<string, unknown>>)[key], `${path}/${key}`)
  }

  visit(value, '')
  return orders.toSorted().join('\n')
}
