import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, perCaller } from '#kernel/http'
import { type HistoryRange, historyRanges } from '../history/history-report.ts'
import type { Incidents } from '../incidents/incidents.ts'
import type { StatusSettings } from '../settings.ts'
import { writeFeed } from './feed.ts'
import { pagePolicy, renderIncidentPage, renderStatusPage } from './pages.ts'
import { sendCached } from './send-cached.ts'
import { keepSnapshot, type SnapshotOptions } from './snapshot.ts'
import { describeStatus, StatusJson } from './status-json.ts'

interface PublicPageOptions extends SnapshotOptions {
  readonly incidents: Pick<Incidents, 'read'>
  readonly settings: Pick<StatusSettings, 'publicPage'>
  readonly publicUrl: string | undefined
  /** How long what was read is good enough for the next who asks. */
  readonly keepMs?: number
}

const access = { open: 'everybody may know how the services are, where the operator says so' } as const
/** Many people look at it from behind one address, and most of all when something is wrong. */
const rule = { limit: 600, windowSeconds: 60 }
const ratePolicy = perCaller({ name: 'status-page', signedIn: rule, anonymous: rule })

const config = { access, ratePolicy }
const page = { config: { ...config, undocumented: true } } as const

const rangeQuery = Type.Object({
  range: Type.Enum([...historyRanges], { default: '90d', description: 'How far back `history` looks.' }),
})

/** Other sites may show how we are. */
const forOtherSites = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }

/** The status page with its JSON and its feed; not there at all unless somebody wants it. */
export function addPublicPageRoutes(routes: HttpServer, options: PublicPageOptions): void {
  const { incidents, settings, publicUrl, keepMs = 2000 } = options
  const read = keepSnapshot(options, keepMs)
  const pageHeaders = {
    'content-security-policy': pagePolicy,
    link: '</status/feed.atom>; rel="alternate"; type="application/atom+xml"',
  }

  async function readPublic() {
    requirePublic()
    return await read()
  }

  function requirePublic(): void {
    if (!settings.publicPage) throw kernelFailure('not_found')
  }

  routes.get('/status', page, async (request, reply) => {
    const snapshot = await readPublic()
    const body = renderStatusPage(snapshot, rangeOf(request.query))
    return sendCached(request, reply, { type: 'text/html; charset=utf-8', body, headers: pageHeaders })
  })

  routes.get(
    '/status/incidents/:id',
    {
      ...page,
      schema: { params: Type.Object({ id: Type.String({ maxLength: 100 }) }) },
    },
    async (request, reply) => {
      const { title } = await readPublic()
      const { id } = request.params
      if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw kernelFailure('not_found')
      const body = renderIncidentPage(await incidents.read(id), title)
      return sendCached(request, reply, { type: 'text/html; charset=utf-8', body, headers: pageHeaders })
    },
  )

  routes.get(
    '/status.json',
    {
      config,
      schema: {
        operationId: 'readPublicStatus',
        summary: 'What the status page shows',
        description: 'Not there unless `TUTTI_STATUS_PAGE` is true.',
        querystring: rangeQuery,
        response: { 200: Type.Unsafe<string>(StatusJson) },
      },
    },
    async (request, reply) => {
      const snapshot = await readPublic()
      const body = JSON.stringify(describeStatus(snapshot, request.query.range, originOf(request, publicUrl)))
      return sendCached(request, reply, {
        type: 'application/json; charset=utf-8',
        body,
        headers: forOtherSites,
      })
    },
  )

  routes.get(
    '/status/feed.atom',
    {
      config,
      schema: {
        operationId: 'readStatusFeed',
        summary: 'Incidents and maintenance as an Atom feed',
        description: 'Not there unless `TUTTI_STATUS_PAGE` is true.',
        produces: ['application/atom+xml'],
        response: { 200: Type.String({ description: 'The feed.' }) },
      },
    },
    async (request, reply) =>
      sendCached(request, reply, {
        type: 'application/atom+xml; charset=utf-8',
        body: writeFeed(await readPublic(), originOf(request, publicUrl)),
        headers: forOtherSites,
      }),
  )
}

/** A page is for people: an address with nonsense in it shows the usual. */
function rangeOf(query: unknown): HistoryRange {
  const asked: unknown = (query as Readonly<Record<string, unknown>>)['range']
  return historyRanges.find((range) => range === asked) ?? '90d'
}

/** As it is configured, else as we were called; empty when that is no address. */
function originOf({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/$/, '')
  const origin = `${protocol}://${host}`
  return URL.canParse(origin) ? new URL(origin).origin : ''
}
