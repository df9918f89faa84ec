import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { HttpServer } from '#kernel/http'
import type { ToursOptions } from '../route-options.ts'
import { openToAnySite } from './any-site.ts'
import { hasTag } from './has-tag.ts'
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

const folder = fileURLToPath(new URL('../../../player/dist/', import.meta.url))

/** A script as it is sent, in every encoding there is of it. */
interface PlayerFile {
  readonly tag: string
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly br: Buffer
}

/** Reads one of the player's built files; they are small and asked for all the time. */
function readPlayerFile(name: 'player.js' | 'picker.js'): PlayerFile {
  const file = folder + name
  if (!existsSync(file)) throw new Error('the tour player is not built; run: npm run prepare')
  const plain = readFileSync(file)
  return {
    // Weak, because it stands for all encodings.
    tag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    plain,
    gzip: readFileSync(`${file}.gz`),
    br: readFileSync(`${file}.br`),
  }
}

/** The encoding a browser takes, the smallest first. */
export function chooseEncoding(accepted: string | undefined): 'br' | 'gzip' | 'plain' {
  const wanted = new Set(
    (accepted ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => part.trim().split(/\s*;\s*/))
      .filter(([, quality]) => quality === undefined || !/^q=0(?:\.0*)?$/.test(quality))
      .map(([name]) => name),
  )
  if (wanted.has('br')) return 'br'
  return wanted.has('gzip') ? 'gzip' : 'plain'
}
