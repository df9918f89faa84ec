import type { HttpServer } from '#kernel/http'
import type { ToursOptions } from '../route-options.ts'
import { openToAnySite } from './any-site.ts'
import { hasTag } from './has-tag.ts'
import { chooseEncoding, readPlayerFile } from './player-files.ts'
import { addPublishedRoute } from './published-route.ts'

/** Long enough for a visit, short enough for a mended player to arrive. */
const cacheSeconds = 300

/** What a page with the player's tag asks for: the player, and the tours to show. */
export function addPlayerRoutes(routes: HttpServer, options: Pick<ToursOptions, 'database'>): void {
  for (const name of ['player.js', 'picker.js'] as const) {
    const file = readPlayerFile(name)
    routes.get(
      `/tours/${name}`,
      {
        // Every visitor of every page loads it: it costs next to nothing, and a page must not lose its tours.
        config: { access: { open: 'loaded by pages of any site' }, undocumented: true, ratePolicy: false },
        onRequest: openToAnySite,
      },
      (request, reply) => {
        reply.headers({
          'cache-control': `public, max-age=${cacheSeconds}`,
          etag: file.tag,
          vary: 'Accept-Encoding',
        })
        if (hasTag(request.headers['if-none-match'], file.tag)) return reply.code(304).send()
        const encoding = chooseEncoding(request.headers['accept-encoding'])
        if (encoding !== 'plain') reply.header('content-encoding', encoding)
        return reply.type('text/javascript; charset=utf-8').send(file[encoding])
      },
    )
  }
  addPublishedRoute(routes, options)
}
