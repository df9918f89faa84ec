import type { HttpServer } from '#kernel/http'
import { toursPath } from '../interface.ts'
import type { ToursRouteOptions } from '../route-options.ts'

/** Answers with data unless a page is preferred. */
const pagesToo = ['', '/templates', '/templates/:template', '/:tour', '/:tour/analytics']

/** Answers with a page unless data is preferred. */
const pagesFirst = ['/:tour/builder', '/:tour/preview', '/:tour/export']

/** Pages that show pages of other sites in a frame. */
const framing = new Set(['/:tour/builder', '/:tour/preview'])

const access = { open: 'the application itself holds no data' } as const

/** The console's pages for tours: at the same addresses as the data, for those who prefer a page. */
export function addTourPages(routes: HttpServer, { sendPage }: Pick<ToursRouteOptions, 'sendPage'>): void {
  // Whoever may read nothing sees the page say so; a page is not what the limits are about.
  const config = { access, undocumented: true, ratePolicy: false } as const
  for (const path of [...pagesToo, ...pagesFirst]) {
    const constraints = pagesFirst.includes(path) ? {} : { wants: 'page' }
    routes.get(toursPath + path, { config, constraints }, (_request, reply) =>
      sendPage(reply.header('vary', 'Accept'), { framesOthers: framing.has(path) }),
    )
  }
}
