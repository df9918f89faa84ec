const nativePaths = new Set(['/api/generate', '/api/chat', '/api/embed', '/api/embeddings', '/api/show'])

/** Plain names only: a path that a node might read differently, with `..` or an escape in it, reaches no node. */
const compatiblePath = /^\/v1(?:\/[a-z][a-z0-9_-]*)+$/

/** Whether requests to this path are passed on to a node. Lists are not: those are merged from what all nodes have. */
export function isPassedOn(path: string): boolean {
  if (nativePaths.has(path)) return true
  return path.startsWith('/v1/') && !path.startsWith('/v1/models') && compatiblePath.test(path)
}

/** The path of an address, without its query. */
export function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}
