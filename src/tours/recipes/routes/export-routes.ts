import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { actorOf } from '../../actor.ts'
import { checkLabel } from '../../content/check-label.ts'
import { invalid } from '../../errors.ts'
import { toursPath } from '../../interface.ts'
import type { ToursOptions } from '../../route-options.ts'
import { may } from '../../routes/access.ts'
import { dataHeaders } from '../../routes/data-headers.ts'
import { succeeded, tourParams } from '../../routes/requests.ts'
import { readTour } from '../../store/read-tours.ts'
import { sha256Of } from '../build/tutti-json.ts'
import { checkRecipe } from '../check/check-recipe.ts'
import { type Exported, exportActions, exportTour, previewRecipe } from '../export-tour.ts'
import { mediaTypes, recipeFormats } from '../pack-recipe.ts'
import { readContent } from '../reading/recipe-content.ts'
import type { RecipeFile } from '../recipe-tour.ts'
import { findRecipe } from '../store/recipe-store.ts'
import { ExportAnswer, ExportBody, ExportedFile, FindingBody } from './bodies.ts'
import { downloadPath, sendDownload } from './downloads.ts'
import { wantedExport } from './wanted-format.ts'

const path = `${toursPath}/:tour/export`

type Options = Pick<ToursOptions, 'database' | 'events' | 'publicUrl'>

/** Exporting a tour as a recipe, and what there is to know before. */
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
          'Answers with where the file is, for an hour; with `Accept: application/zip` or `application/gzip` with the file itself. The same tour gives the same bytes.',
        params: tourParams,
        body: ExportBody,
        response: {
          200: {
            description: 'The recipe.',
            content: {
              'application/json': { schema: ExportAnswer },
              [mediaTypes.zip]: archive,
              [mediaTypes['tar.gz']]: archive,
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { params, body, headers } = request
      const { format, asBytes } = wantedExport(headers.accept, body.export_format)
      const exported = await exportTour(options, params.tour, {
        action: body.action,
        format,
        name: readName(body.recipe_name),
        description: body.description?.trim() || undefined,
        keep: !asBytes,
        by: actorOf(request),
      })
      const { kept } = exported
      if (kept === undefined) return sendDownload(reply.header('vary', 'Accept'), exported)
      return reply
        .headers(dataHeaders)
        .type('application/json; charset=utf-8')
        .send({
          success: true,
          action: body.action,
          export_format: format,
          ...describeExport(exported),
          download_url: `${originOf(request, options.publicUrl)}${downloadPath}/${kept.token}/${exported.filename}`,
          expires_at: kept.expiresAt.toISOString(),
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
        summary: 'What there is to know before a tour is exported',
        description: 'A page, unless the request prefers JSON.',
        params: tourParams,
        response: {
          200: succeeded(
            {
              tour: Type.Object({ id: Type.String(), label: Type.String(), revision: Type.Integer() }),
              recipe: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()], {
                description: 'The linked recipe; null when there is none.',
              }),
              actions: Type.Array(Type.Enum([...exportActions]), { description: 'What can be done.' }),
              export_formats: Type.Array(Type.Enum([...recipeFormats])),
              defaults: Type.Object({
                action: Type.Enum([...exportActions]),
                recipe_name: Type.String(),
                description: Type.String(),
                export_format: Type.Enum([...recipeFormats]),
              }),
              files: Type.Array(ExportedFile, { description: 'What the tour alone would be exported as.' }),
              findings: Type.Array(FindingBody, {
                description: 'What a site would make of it, errors first.',
              }),
            },
            'The form.',
          ),
        },
      },
    },
    async ({ params }, reply) => {
      const tour = await readTour(database, params.tour)
      const linked = tour.recipe_id === null ? undefined : await findRecipe(database, tour.recipe_id)
      const { name, files } = previewRecipe(tour)
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
        findings: checkRecipe(readContent(files)),
      })
    },
  )
}

/** Blank is as good as nothing. */
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

/** Where callers find this server: as it is configured, else as they called it. */
function originOf({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string {
  return publicUrl?.replace(/\/$/, '') ?? `${protocol}://${host}`
}
