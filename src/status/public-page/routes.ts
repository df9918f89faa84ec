import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, perCaller } from '#kernel/http'
import { html } from '#kernel/pages'
import { type HistoryRange, historyRanges } from '../history/history-report.ts'
import type { Incidents, ToldIncident } from '../incidents/incidents.ts'
import type { StatusSettings } from '../settings.ts'
import { pagePolicy, renderIncidentPage, renderStatusPage } from './pages.ts'
import { keepSnapshot, type Snapshot, type SnapshotOptions } from './snapshot.ts'
import { describeStatus, StatusJson } from './status-json.ts'
import { impactWords, incidentStateWords, servicesOf, showSpan, showTime } from './texts.ts'

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

interface CachedAnswer {
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

const maxAgeSeconds = 30

/** Answers with what everybody may keep for a moment, or that it has not changed. The headers are the same either way: browsers take over those of the second. */
function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, headers = {} }: CachedAnswer,
): FastifyReply {
  const tag = `"${createHash('sha256').update(body).digest('base64url')}"`
  reply.headers({ ...headers, etag: tag, 'cache-control': `public, max-age=${maxAgeSeconds}` })
  return holds(request.headers['if-none-match'], tag) ? reply.code(304).send() : reply.type(type).send(body)
}

function holds(condition: string | undefined, tag: string): boolean {
  if (condition === undefined) return false
  const tags = new Set(condition.split(',').map((it) => it.trim().replace(/^W\//, '')))
  return tags.has(tag) || tags.has('*')
}

const maxEntries = 50
const updatesOfEntry = 20

/** The feed by RFC 4287: an entry for every incident, changed with each of its updates. Its ids hold wherever it is read. */
function writeFeed(snapshot: Snapshot, origin: string): string {
  const { incidents, maintenance, past, feed, title } = snapshot
  const told = [...incidents, ...maintenance, ...past]
    .toSorted((a, b) => changeOf(b) - changeOf(a))
    .slice(0, maxEntries)
  const updated = new Date(Math.max(feed.createdAt.getTime(), ...told.map(changeOf)))
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>urn:uuid:${feed.id}</id>
<title>${escapeXml(title)}</title>
<updated>${updated.toISOString()}</updated>
<author><name>${escapeXml(title)}</name></author>
<generator>Tutti</generator>
<link rel="self" type="application/atom+xml" href="${escapeXml(`${origin}/status/feed.atom`)}"/>
<link rel="alternate" type="text/html" href="${escapeXml(`${origin}/status`)}"/>
${told.map((it) => writeEntry(it, origin)).join('')}</feed>
`
}

function writeEntry(told: ToldIncident, origin: string): string {
  const { incident } = told
  return `<entry>
<id>urn:uuid:${incident.id}</id>
<title>${escapeXml(`${incidentStateWords[incident.state]}: ${incident.title}`)}</title>
<published>${incident.openedAt.toISOString()}</published>
<updated>${new Date(changeOf(told)).toISOString()}</updated>
<link rel="alternate" type="text/html" href="${escapeXml(`${origin}/status/incidents/${incident.id}`)}"/>
<category term="${incident.kind}"/>
<content type="html">${escapeXml(writeContent(told))}</content>
</entry>
`
}

function writeContent({ incident, updates }: ToldIncident): string {
  const { startsAt, endsAt, impact } = incident
  const names = servicesOf(incident)
  return html`<p>${impactWords[impact]}${names.length > 0 && `: ${names.join(', ')}`}</p>
${startsAt !== null && endsAt !== null && html`<p>From ${showSpan(startsAt, endsAt).join(' to ')}</p>`}
${updates.slice(0, updatesOfEntry).map(
  ({ state, message, createdAt }) =>
    html`<p><strong>${incidentStateWords[state]}</strong>, ${showTime(createdAt)}</p>
${message.split(/\n{2,}/).map((part) => html`<p>${part.split('\n').map((line, index) => html`${index > 0 && html`<br>`}${line}`)}</p>`)}`,
)}`.toString()
}

/** Maintenance changes by the clock, too, and nobody writes that down at once. */
function changeOf({ incident: { updatedAt, startsAt, state, closedAt } }: ToldIncident): number {
  const hasBegun = startsAt !== null && state !== 'scheduled' && (closedAt ?? startsAt) >= startsAt
  const times = [updatedAt, hasBegun ? startsAt : updatedAt, closedAt ?? updatedAt]
  return Math.max(...times.map((at) => at.getTime()))
}

/** Whatever XML 1.0 has no way to write. */
const unwritable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
}

/** A text as it can stand in an element or an attribute of XML. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(unwritable, '\uFFFD')
    .replaceAll(/[&<>"'\r]/g, (character) => entities[character] ?? character)
}
