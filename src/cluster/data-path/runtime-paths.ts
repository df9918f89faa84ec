const nativePaths = new Set(['/api/generate', '/api/chat', '/api/embed', '/api/embeddings', '/api/show'])

/** Plain names only: a path with `..` or an escape, which a node might decode differently, is not forwarded. */
const compatiblePath = /^\/v1(?:\/[a-z][a-z0-9_-]*)+$/

/** Whether requests to this path are forwarded to a node. Model lists are not: the cluster merges the lists of all nodes. */
export function isForwarded(path: string): boolean {
  if (nativePaths.has(path)) return true
  return path.startsWith('/v1/') && !path.startsWith('/v1/models') && compatiblePath.test(path)
}

/** The path of an address, without its query. */
export function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}
