import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { actorOf } from '../actor.ts'
import { toursPath } from '../api.ts'
import type { ToursOptions } from '../route-options.ts'
import { Revision, successResponse, tourParams } from '../routes/schemas.ts'
import { dataHeaders, expectedRevision, may, tagOf } from '../routes/shared.ts'
import { changeTour } from '../store/change-tour.ts'
import { readTour } from '../store/read-tours.ts'
import { Tour } from '../tour.ts'
import { compareVersions } from './compare-versions.ts'
import {
  listVersions,
  platformFields,
  readVersion,
  type Version,
  versionBefore,
  versionKinds,
} from './version-store.ts'

const VersionNumber = (description: string) =>
  Type.Integer({ minimum: 1, maximum: 2_147_483_647, description })

const entryFields = {
  version: Type.Integer({ description: 'The revision that the tour had.' }),
  current: Type.Boolean({ description: 'Whether the tour has this revision now.' }),
  kind: Type.Enum([...versionKinds], { description: 'The change that made the version.' }),
  label: Type.String({ description: 'Name of the tour in this version.' }),
  status: Type.Boolean({ description: 'Whether the tour was published.' }),
  steps: Type.Integer({ description: 'Number of steps.' }),
  saved_at: Type.String({ format: 'date-time' }),
  saved_by_name: Type.Unsafe<string | null>({
    type: 'string',
    nullable: true,
    description: 'Username of the editor; null for the platform.',
  }),
}

const FieldChange = Type.Object({
  field: Type.String({ description: 'Name of the field.' }),
  old_value: Type.Unknown({ description: 'The value before; null when the field was absent.' }),
  new_value: Type.Unknown({ description: 'The value after; null when the field is absent.' }),
})

const stepMention = { id: Type.String(), label: Type.String({ description: 'Title of the step.' }) }

const diffFields = {
  tour_id: Type.String(),
  from: Type.Integer({ description: 'The older version.' }),
  to: Type.Integer({ description: 'The newer version.' }),
  equal: Type.Boolean({ description: 'Whether both versions are equal.' }),
  tour: Type.Array(FieldChange, { description: 'Fields of the tour itself.' }),
  steps: Type.Object({
    added: Type.Array(Type.Object(stepMention)),
    removed: Type.Array(Type.Object(stepMention)),
    changed: Type.Array(Type.Object({ ...stepMention, changes: Type.Array(FieldChange) })),
    moved: Type.Array(
      Type.Object({
        ...stepMention,
        from: Type.Integer({
          description: 'The previous position, from 1, among the steps of both versions.',
        }),
        to: Type.Integer({ description: 'The position after the change.' }),
      }),
    ),
  }),
  summary: Type.Array(Type.String(), { description: 'The changes as sentences.' }),
}

/** List, read, compare and restore the versions of a tour. */
export function addVersionRoutes(
  routes: HttpServer,
  options: Pick<ToursOptions, 'database' | 'events'>,
): void {
  const { database } = options
  const path = `${toursPath}/:tour`

  routes.get(
    `${path}/versions`,
    {
      config: { access: may.read },
      schema: {
        operationId: 'listTourVersions',
        summary: 'List the versions of a tour',
        description:
          'The newest version comes first. The last 50 saved versions are kept, and the last 50 that were created, published, unpublished or restored.',
        params: tourParams,
        querystring: Type.Object(pageQuery),
        response: {
          200: successResponse(
            {
              tour_id: Type.String(),
              versions: Type.Array(Type.Object(entryFields)),
              total: Type.Integer({ description: 'Number of versions on all pages.' }),
            },
            'A page of versions.',
          ),
        },
      },
    },
    async ({ params, query }, reply) => {
      const tour = await readTour(database, params.tour)
      const { versions, total } = await listVersions(database, tour, {
        limit: query.limit,
        offset: offsetOf(query),
      })
      return reply.headers(dataHeaders).send({
        success: true,
        tour_id: tour.id,
        versions: versions.map((version) => describeVersion(version, tour)),
        total,
      })
    },
  )

  routes.get(
    `${path}/versions/:version`,
    {
      config: { access: may.read },
      schema: {
        operationId: 'readTourVersion',
        summary: 'Get a version of a tour',
        description: 'The tour as it was in this version. Versions are immutable.',
        params: Type.Object({
          ...tourParams.properties,
          version: VersionNumber('The number of the version.'),
        }),
        response: {
          200: successResponse(
            { version: Type.Object({ ...entryFields, content: Type.Omit(Tour, [...platformFields]) }) },
            'The version.',
          ),
        },
      },
    },
    async ({ params }, reply) => {
      const tour = await readTour(database, params.tour)
      const version = await readVersion(database, tour, params.version)
      return reply
        .headers(dataHeaders)
        .send({ success: true, version: { ...describeVersion(version, tour), content: version.content } })
    },
  )

  routes.get(
    `${path}/diff`,
    {
      config: { access: may.read },
      schema: {
        operationId: 'diffTourVersions',
        summary: 'Compare two versions of a tour',
        description: 'Steps are the same when they have the same id.',
        params: tourParams,
        querystring: Type.Object({
          from: Type.Optional(VersionNumber('The older version. Default: the version before `to`.')),
          to: Type.Optional(VersionNumber('The newer version. Default: the current version.')),
        }),
        response: { 200: successResponse(diffFields, 'The differences.') },
      },
    },
    async ({ params, query }, reply) => {
      const tour = await readTour(database, params.tour)
      const to = query.to ?? tour.revision
      const from = query.from ?? (await versionBefore(database, tour, to))
      if (from > to) {
        throw kernelFailure('invalid_input', {
          message: 'from must not be newer than to.',
          problems: [{ path: 'from', message: 'must not be newer than to', code: 'order' }],
        })
      }
      const [before, after] = await Promise.all([
        readVersion(database, tour, from),
        readVersion(database, tour, to),
      ])
      return reply.headers(dataHeaders).send({
        success: true,
        tour_id: tour.id,
        from,
        to,
        ...compareVersions(before.content, after.content),
      })
    },
  )

  routes.post(
    `${path}/rollback`,
    {
      config: { access: may.edit },
      schema: {
        operationId: 'rollBackTour',
        summary: 'Roll back a tour',
        description:
          'Makes a new revision with the content of a version; the history stays complete. Publication, site and recipe stay as they are now.',
        params: tourParams,
        body: Type.Object(
          { version: VersionNumber('The version to restore.'), revision: Type.Optional(Revision) },
          { additionalProperties: false },
        ),
        response: { 200: successResponse({ tour: Tour }, 'The tour as it is now.') },
      },
    },
    async (request, reply) => {
      const { params, body, headers } = request
      const revision = expectedRevision(headers['if-match'], body.revision)
      const { content } = await readVersion(database, await readTour(database, params.tour), body.version)
      const { status: _status, site_id: _site, recipe_id: _recipe, ...restored } = content
      const tour = await changeTour(
        options,
        params.tour,
        { by: actorOf(request), revision, restored: body.version },
        () => restored,
      )
      return reply
        .headers({ 'cache-control': 'no-store', etag: tagOf(tour.revision) })
        .send({ success: true, tour })
    },
  )
}

function describeVersion({ version, kind, content, savedAt, savedByName }: Version, tour: Tour) {
  return {
    version,
    current: version === tour.revision,
    kind,
    label: content.label,
    status: content.status,
    steps: content.tips.length,
    saved_at: savedAt.toISOString(),
    saved_by_name: savedByName,
  }
}
