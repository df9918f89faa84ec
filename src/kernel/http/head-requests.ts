interface RawRequest {
  method?: string | undefined
  readonly url?: string | undefined
}

/**
 * Routes HEAD requests as GET: routes of their own would be a third of all routes, and of the time to register them. Node.js sends no body
 * to them.
 */
export function createHeadRequests() {
  const requests = new WeakSet<RawRequest>()
  return {
    /** Before a request is routed: a HEAD request becomes a GET. Returns its URL as it is. */
    routeAsGet(this: void, request: RawRequest): string {
      if (request.method === 'HEAD') {
        request.method = 'GET'
        requests.add(request)
      }
      return request.url ?? ''
    },
    /** After it was routed: it has its method again. */
    restore(request: RawRequest): void {
      if (requests.has(request)) request.method = 'HEAD'
    },
  }
}
