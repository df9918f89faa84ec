import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { actorOf } from '../../actor.ts'
import { toursPath } from '../../api.ts'
import { checkLabel } from '../../content/check-label.ts'
import { invalid, unprocessable } from '../../errors.ts'
import type { ToursOptions } from '../../route-options.ts'
import { successResponse, tourParams } from '../../routes/schemas.ts'
import { dataHeaders, may } from '../../routes/shared.ts'
import { readTour } from '../../store/read-tours.ts'
import { sha256Of } from '../build/tutti-json.ts'
import { type Exported, exportActions, exportTour, previewRecipe } from '../export-tour.ts'
import { mediaTypes, type RecipeFormat, recipeFormats } from '../pack-recipe.ts'
import type { RecipeFile } from '../recipe-tour.ts'
import { findRecipe } from '../store/recipe-store.ts'
import { downloadPath, sendDownload } from './download-route.ts'
import { ExportedFile, ExportRequest, ExportResponse, FindingSchema } from './schemas.ts'

const path = `${toursPath}/:tour/export`

type Options = Pick<ToursOptions, 'database' | 'events' | 'publicUrl'>

/** Export a tour as a recipe, and the data of the export form. */
export function addExportRoutes(routes: HttpServer, options: Options): void {
  addExportForm(routes, options)
  const archive = { schema: Type.String({ format: 'binary' }) }
  routes.post(
    path,
    {
      config: { access: may.export, idempotent: true },
      schema: {
        operationId: 'exportTour',
        summary: 'Export a tour as a recipe',
        description:
          'The response contains a download URL that is valid for an hour; with `Accept: application/zip` or `application/gzip` it is the file itself. The same tour gives the same bytes.',
        params: tourParams,
        body: ExportRequest,
        response: {
          200: {
            description: 'The recipe.',
            content: {
              'application/json': { schema: ExportResponse },
              [mediaTypes.zip]: archive,
              [mediaTypes['tar.gz']]: archive,
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { params, body, headers } = request
      const { format, asFile } = negotiateExport(headers.accept, body.export_format)
      const exported = await exportTour(options, params.tour, {
        action: body.action,
        format,
        name: readName(body.recipe_name),
        description: body.description?.trim() || undefined,
        store: !asFile,
        by: actorOf(request),
      })
      const { stored } = exported
      if (stored === undefined) return sendDownload(reply.header('vary', 'Accept'), exported)
      return reply
        .headers(dataHeaders)
        .type('application/json; charset=utf-8')
        .send({
          success: true,
          action: body.action,
          export_format: format,
          ...describeExport(exported),
          download_url: `${originOf(request, options.publicUrl)}${downloadPath}/${stored.token}/${exported.filename}`,
          expires_at: stored.expiresAt.toISOString(),
        })
    },
  )
}

function addExportForm(routes: HttpServer, { database }: Pick<Options, 'database'>): void {
  routes.get(
    path,
    {
      config: { access: may.export },
      constraints: { wants: 'data' },
      schema: {
        operationId: 'readTourExport',
        summary: 'Get export options',
        description:
          'The actions, defaults and findings of an export. The response is a page unless the request prefers JSON.',
        params: tourParams,
        response: {
          200: successResponse(
            {
              tour: Type.Object({ id: Type.String(), label: Type.String(), revision: Type.Integer() }),
              recipe: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()], {
                description: 'The linked recipe; null when there is none.',
              }),
              actions: Type.Array(Type.Enum([...exportActions]), { description: 'Possible actions.' }),
              export_formats: Type.Array(Type.Enum([...recipeFormats])),
              defaults: Type.Object({
                action: Type.Enum([...exportActions]),
                recipe_name: Type.String(),
                description: Type.String(),
                export_format: Type.Enum([...recipeFormats]),
              }),
              files: Type.Array(ExportedFile, { description: 'Files of an export of this tour only.' }),
              findings: Type.Array(FindingSchema, {
                description:
                  'What the export changes for a site, and what a site would refuse or break on; errors first.',
              }),
            },
            'The export options.',
          ),
        },
      },
    },
    async ({ params }, reply) => {
      const tour = await readTour(database, params.tour)
      const linked = tour.recipe_id === null ? undefined : await findRecipe(database, tour.recipe_id)
      const { name, files, findings } = previewRecipe(tour)
      return reply.headers(dataHeaders).send({
        success: true,
        tour: { id: tour.id, label: tour.label, revision: tour.revision },
        recipe: linked === undefined ? null : { id: linked.id, name: linked.name },
        actions: exportActions.filter((action) => linked !== undefined || action !== 'update_existing'),
        export_formats: [...recipeFormats],
        defaults: {
          action: linked === undefined ? 'export_only' : 'update_existing',
          recipe_name: linked?.name ?? name.name,
          description: linked?.description ?? name.description,
          export_format: 'zip',
        },
        files: files.map(describeFile),
        findings: [...findings],
      })
    },
  )
}

/** A blank name counts as absent. */
function readName(name: string | undefined): string | undefined {
  if (name === undefined || name.trim() === '') return undefined
  const problem = checkLabel(name, 'recipe_name')
  if (problem !== undefined) throw invalid([problem])
  return name.trim()
}

function describeExport({ name, recipeId, files, filename }: Exported) {
  return {
    recipe_id: recipeId,
    recipe: { name: name.name, machine_name: name.machineName, files: files.map(describeFile) },
    filename,
  }
}

function describeFile({ path: name, content }: RecipeFile) {
  return { path: name, size: content.length, sha256: sha256Of(content) }
}

/** The public URL of the server, or else the URL of the request. */
function originOf({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string {
  return publicUrl?.replace(/\/$/, '') ?? `${protocol}://${host}`
}

/** The response to an export: the file itself, or JSON with a download URL. */
interface NegotiatedExport {
  readonly format: RecipeFormat
  readonly asFile: boolean
}

/** Further media ranges of an Accept header are ignored. */
const maxRanges = 32

/**
 * Negotiates the response by the Accept header. A client that prefers an archive type gets the archive; a client that
 * accepts anything, or JSON equally, gets JSON with a download URL. A recipe as JSON is never sent directly, because it
 * could not be told from that response.
 */
function negotiateExport(accept: string | undefined, requested: RecipeFormat | undefined): NegotiatedExport {
  const qualities = readQualities(accept ?? '')
  const json = qualities.get('application/json') ?? 0
  const archives = recipeFormats.filter((format) => {
    const quality = format === 'json' ? 0 : (qualities.get(mediaTypes[format]) ?? 0)
    return quality > 0 && quality > json
  })
  const best = archives.toSorted((one, other) => qualityOf(qualities, other) - qualityOf(qualities, one))[0]
  if (best === undefined) return { format: requested ?? 'zip', asFile: false }
  if (requested === undefined || archives.includes(requested)) {
    return { format: requested ?? best, asFile: true }
  }
  const message = `must be ${best} or be left out: the Accept header requests ${mediaTypes[best]}`
  throw unprocessable({ path: 'export_format', message, code: 'contradiction' })
}

function qualityOf(qualities: ReadonlyMap<string, number>, format: RecipeFormat): number {
  return qualities.get(mediaTypes[format]) ?? 0
}

function readQualities(accept: string): ReadonlyMap<string, number> {
  return new Map(
    accept.split(',', maxRanges).map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const written = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      const quality = written === undefined ? 1 : Number(written)
      return [type, quality >= 0 && quality <= 1 ? quality : 0]
    }),
  )
}
