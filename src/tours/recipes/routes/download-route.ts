import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { toursFailure } from '../../errors.ts'
import type { ToursOptions } from '../../route-options.ts'
import { mediaTypes } from '../pack-recipe.ts'
import { type Download, findDownload } from '../store/downloads.ts'

export const downloadPath = '/tours/exports'

export function addDownloadRoute(routes: HttpServer, { database }: Pick<ToursOptions, 'database'>): void {
  const file = { schema: Type.String({ format: 'binary' }) }
  routes.get(
    `${downloadPath}/:token/:filename`,
    {
      config: { access: { open: 'the token in the URL is the credential, valid for an hour' } },
      schema: {
        operationId: 'downloadTourExport',
        summary: 'Download an exported recipe',
        description: 'The URL is in `download_url` of an export and is valid for an hour.',
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

/** Sends a file as an attachment. Its name consists of ids, so it needs no escaping. */
export function sendDownload(reply: FastifyReply, { filename, mediaType, content }: Download): FastifyReply {
  return reply
    .headers({
      'content-type': mediaType,
      'content-disposition': `attachment; filename="${filename}"`,
      'cache-control': 'private, no-store',
    })
    .send(Buffer.from(content))
}
