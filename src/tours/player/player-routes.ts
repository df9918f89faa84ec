import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { HttpServer } from '#kernel/http'
import type { ToursOptions } from '../route-options.ts'
import { addPublishedRoute, allowAnyOrigin, matchesETag } from './published-route.ts'

/** Long enough for a visit, short enough for a fixed player to be loaded soon. */
const cacheSeconds = 300

/** The scripts of the player, and the published tours. */
export function addPlayerRoutes(
  routes: HttpServer,
  options: Pick<ToursOptions, 'database' | 'publicUrl'>,
): void {
  for (const name of ['player.js', 'picker.js'] as const) {
    const file = readPlayerFile(name)
    routes.get(
      `/tours/${name}`,
      {
        // Every visitor loads the script: it is cheap to send, and a rate limit would disable the tours of a page.
        config: { access: { open: 'loaded by pages of any site' }, undocumented: true, ratePolicy: false },
        onRequest: allowAnyOrigin,
      },
      (request, reply) => {
        reply.headers({
          'cache-control': `public, max-age=${cacheSeconds}`,
          etag: file.tag,
          vary: 'Accept-Encoding',
        })
        if (matchesETag(request.headers['if-none-match'], file.tag)) return reply.code(304).send()
        const encoding = chooseEncoding(request.headers['accept-encoding'])
        if (encoding !== 'plain') reply.header('content-encoding', encoding)
        return reply.type('text/javascript; charset=utf-8').send(file[encoding])
      },
    )
  }
  addPublishedRoute(routes, options)
}

const folder = fileURLToPath(new URL('../../../player/dist/', import.meta.url))

/** A script in every content encoding. */
interface PlayerFile {
  readonly tag: string
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly br: Buffer
}

/** Reads a built script into memory: the files are small and requested often. */
function readPlayerFile(name: 'player.js' | 'picker.js'): PlayerFile {
  const file = folder + name
  if (!existsSync(file)) throw new Error('the tour player is not built; run: npm run prepare')
  const plain = readFileSync(file)
  return {
    // A weak ETag, because it is the same for all encodings.
    tag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    plain,
    gzip: readFileSync(`${file}.gz`),
    br: readFileSync(`${file}.br`),
  }
}

/** The smallest encoding that the browser accepts. */
export function chooseEncoding(accepted: string | undefined): 'br' | 'gzip' | 'plain' {
  const encodings = new Set(
    (accepted ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => part.trim().split(/\s*;\s*/))
      .filter(([, quality]) => quality === undefined || !/^q=0(?:\.0*)?$/.test(quality))
      .map(([name]) => name),
  )
  if (encodings.has('br')) return 'br'
  return encodings.has('gzip') ? 'gzip' : 'plain'
}
