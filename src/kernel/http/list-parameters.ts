type Query = Record<string, string | string[] | undefined>

/** Reads each query parameter that is an array as its values, however it was written: `name=a&name=b`, `name=a,b` or `name[]=a`. */
export function readListParameters(schema: object, query: Query): void {
  for (const name of listNamesOf(schema)) {
    const bracketed = `${name}[]`
    const given = [query[name] ?? [], query[bracketed] ?? []].flat()
    if (given.length === 0) continue
    delete query[bracketed]
    query[name] = given.flatMap((text) => text.split(',')).map((value) => value.trim())
  }
}

function listNamesOf(schema: object): readonly string[] {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, { type?: string }>> }
  return Object.keys(properties).filter((name) => properties[name]?.type === 'array')
}
