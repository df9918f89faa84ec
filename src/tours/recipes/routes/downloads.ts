import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { toursFailure } from '../../errors.ts'
import type { ToursOptions } from '../../route-options.ts'
import { mediaTypes } from '../pack-recipe.ts'
import { type Download, findDownload } from '../store/downloads.ts'

export const downloadPath = '/tours/exports'

/** Exports that wait to be fetched. */
export function addDownloadRoute(routes: HttpServer, { database }: Pick<ToursOptions, 'database'>): void {
  const file = { schema: Type.String({ format: 'binary' }) }
  routes.get(
    `${downloadPath}/:token/:filename`,
    {
      config: { access: { open: 'the token in the address is the permission, for an hour' } },
      schema: {
        operationId: 'downloadTourExport',
        summary: 'An exported recipe',
        params: Type.Object({
          token: Type.String({ maxLength: 100 }),
          filename: Type.String({ maxLength: 100 }),
        }),
        response: {
          200: {
            description: 'The file.',
            content: Object.fromEntries(Object.values(mediaTypes).map((type) => [type, file])),
          },
        },
      },
    },
    async ({ params }, reply) => {
      const download = await findDownload(database, params.token, params.filename)
      if (download === undefined) throw toursFailure('download_not_found')
      return sendDownload(reply, download)
    },
  )
}

/** Sends a file to be saved, not shown. Its name is made of our ids, so it needs no escaping. */
export function sendDownload(reply: FastifyReply, { filename, mediaType, content }: Download): FastifyReply {
  return reply
    .headers({
      'content-type': mediaType,
      'content-disposition': `attachment; filename="${filename}"`,
      'cache-control': 'private, no-store',
    })
    .send(Buffer.from(content))
}
