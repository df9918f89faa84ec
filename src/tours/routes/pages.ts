import type { HttpServer } from '#kernel/http'
import { toursPath } from '../api.ts'
import type { ToursRouteOptions } from '../route-options.ts'

/** Paths that respond with data unless the request prefers a page. */
const dataByDefault = [
  '',
  '/templates',
  '/templates/:template',
  '/:tour',
  '/:tour/analytics',
  '/:tour/versions',
]

/** Paths that respond with a page unless the request prefers data. */
const pageByDefault = ['/:tour/builder', '/:tour/preview', '/:tour/export']

/** Pages that embed pages of other sites in a frame. */
const framing = new Set(['/:tour/builder', '/:tour/preview'])

const access = { open: 'the page itself contains no data' } as const

/** The console pages of tours, at the same URLs as the data. */
export function addTourPages(routes: HttpServer, { sendPage }: Pick<ToursRouteOptions, 'sendPage'>): void {
  // The page itself reports missing permissions, and pages are not rate limited.
  const config = { access, undocumented: true, ratePolicy: false } as const
  for (const path of [...dataByDefault, ...pageByDefault]) {
    const constraints = pageByDefault.includes(path) ? {} : { wants: 'page' }
    routes.get(toursPath + path, { config, constraints }, (_request, reply) =>
      sendPage(reply.header('vary', 'Accept'), { framesAnySite: framing.has(path) }),
    )
  }
}
