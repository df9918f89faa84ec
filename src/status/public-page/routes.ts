import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, perCaller } from '#kernel/http'
import { html } from '#kernel/pages'
import { statusFailure } from '../errors.ts'
import { type HistoryRange, historyRanges } from '../history/history-report.ts'
import type { Incidents, IncidentWithUpdates } from '../incidents/incidents.ts'
import type { StatusSettings } from '../settings.ts'
import { pagePolicy, renderIncidentPage, renderOffPage, renderStatusPage } from './pages.ts'
import { cacheSnapshot, type Snapshot, type SnapshotOptions } from './snapshot.ts'
import { describeStatus, StatusJson } from './status-json.ts'
import { impactLabels, incidentStateLabels, publicNamesOf, showSpan, showTime } from './texts.ts'

interface PublicPageOptions extends SnapshotOptions {
  readonly incidents: Pick<Incidents, 'read'>
  readonly settings: Pick<StatusSettings, 'publicPage'>
  readonly publicUrl: string | undefined
  /** How long the data of the page is cached. */
  readonly keepMs?: number
}

const access = { open: 'the operator published the status page' } as const
/** Many visitors share an IP address, most of all during an outage. */
const rule = { limit: 600, windowSeconds: 60 }
const ratePolicy = perCaller({ name: 'status-page', signedIn: rule, anonymous: rule })

const config = { access, ratePolicy }
const page = { config: { ...config, undocumented: true } } as const

const rangeQuery = Type.Object({
  range: Type.Enum([...historyRanges], { default: '90d', description: 'Period of `history`.' }),
})

/** Other sites may embed the status. */
const forOtherSites = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }

/** The status page, its JSON and its feed. While the page is off, all of them answer 404 and say so. */
export function addPublicPageRoutes(routes: HttpServer, options: PublicPageOptions): void {
  const { incidents, settings, publicUrl, keepMs = 2000 } = options
  const read = cacheSnapshot(options, keepMs)
  const pageHeaders = {
    'content-security-policy': pagePolicy,
    link: '</status/feed.atom>; rel="alternate"; type="application/atom+xml"',
  }

  async function readPublic() {
    if (!settings.publicPage) throw statusFailure('status_page_off')
    return await read()
  }

  routes.get('/status', page, async (request, reply) => {
    if (!settings.publicPage) return sendOffPage(reply)
    const snapshot = await read()
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
      if (!settings.publicPage) return sendOffPage(reply)
      const { title } = await read()
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
        summary: 'Get the public status',
        description:
          '404 with `STATUS_PAGE_OFF` unless the status page is on (`TUTTI_STATUS_PAGE`, or the settings of the console).',
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
        summary: 'Get the Atom feed of incidents',
        description:
          '404 with `STATUS_PAGE_OFF` unless the status page is on (`TUTTI_STATUS_PAGE`, or the settings of the console).',
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

function sendOffPage(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .header('content-security-policy', pagePolicy)
    .type('text/html; charset=utf-8')
    .send(renderOffPage())
}

/** The page ignores an invalid range instead of failing. */
function rangeOf(query: unknown): HistoryRange {
  const requested: unknown = (query as Readonly<Record<string, unknown>>)['range']
  return historyRanges.find((range) => range === requested) ?? '90d'
}

/** The configured address, otherwise that of the request; empty when invalid. */
function originOf({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/$/, '')
  const origin = `${protocol}://${host}`
  return URL.canParse(origin) ? new URL(origin).origin : ''
}

interface CachedResponse {
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

const maxAgeSeconds = 30

/** Sends a publicly cacheable response, or 304. Both have the same headers: browsers take over those of a 304. */
function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, headers = {} }: CachedResponse,
): FastifyReply {
  const tag = `"${createHash('sha256').update(body).digest('base64url')}"`
  reply.headers({ ...headers, etag: tag, 'cache-control': `public, max-age=${maxAgeSeconds}` })
  return matchesEtag(request.headers['if-none-match'], tag)
    ? reply.code(304).send()
    : reply.type(type).send(body)
}

function matchesEtag(condition: string | undefined, tag: string): boolean {
  if (condition === undefined) return false
  const tags = new Set(condition.split(',').map((it) => it.trim().replace(/^W\//, '')))
  return tags.has(tag) || tags.has('*')
}

const maxEntries = 50
const updatesOfEntry = 20

/** The feed by RFC 4287: one entry per incident, changed by each update. Its ids do not depend on the host. */
function writeFeed(snapshot: Snapshot, origin: string): string {
  const { incidents, maintenance, past, feed, title } = snapshot
  const entry = [...incidents, ...maintenance, ...past]
    .toSorted((a, b) => changeOf(b) - changeOf(a))
    .slice(0, maxEntries)
  const updated = new Date(Math.max(feed.createdAt.getTime(), ...entry.map(changeOf)))
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>urn:uuid:${feed.id}</id>
<title>${escapeXml(title)}</title>
<updated>${updated.toISOString()}</updated>
<author><name>${escapeXml(title)}</name></author>
<generator>Tutti</generator>
<link rel="self" type="application/atom+xml" href="${escapeXml(`${origin}/status/feed.atom`)}"/>
<link rel="alternate" type="text/html" href="${escapeXml(`${origin}/status`)}"/>
${entry.map((it) => writeEntry(it, origin)).join('')}</feed>
`
}

function writeEntry(entry: IncidentWithUpdates, origin: string): string {
  const { incident } = entry
  return `<entry>
<id>urn:uuid:${incident.id}</id>
<title>${escapeXml(`${incidentStateLabels[incident.state]}: ${incident.title}`)}</title>
<published>${incident.openedAt.toISOString()}</published>
<updated>${new Date(changeOf(entry)).toISOString()}</updated>
<link rel="alternate" type="text/html" href="${escapeXml(`${origin}/status/incidents/${incident.id}`)}"/>
<category term="${incident.kind}"/>
<content type="html">${escapeXml(writeContent(entry))}</content>
</entry>
`
}

function writeContent({ incident, updates }: IncidentWithUpdates): string {
  const { startsAt, endsAt, impact } = incident
  const names = publicNamesOf(incident)
  return html`<p>${impactLabels[impact]}${names.length > 0 && `: ${names.join(', ')}`}</p>
${startsAt !== null && endsAt !== null && html`<p>From ${showSpan(startsAt, endsAt).join(' to ')}</p>`}
${updates.slice(0, updatesOfEntry).map(
  ({ state, message, createdAt }) =>
    html`<p><strong>${incidentStateLabels[state]}</strong>, ${showTime(createdAt)}</p>
${message.split(/\n{2,}/).map((part) => html`<p>${part.split('\n').map((line, index) => html`${index > 0 && html`<br>`}${line}`)}</p>`)}`,
)}`.toString()
}

/** Maintenance changes by its schedule before the change is stored. */
function changeOf({ incident: { updatedAt, startsAt, state, closedAt } }: IncidentWithUpdates): number {
  const hasBegun = startsAt !== null && state !== 'scheduled' && (closedAt ?? startsAt) >= startsAt
  const times = [updatedAt, hasBegun ? startsAt : updatedAt, closedAt ?? updatedAt]
  return Math.max(...times.map((at) => at.getTime()))
}

/** Characters that XML 1.0 cannot represent. */
const unwritable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
}

/** Escapes text for an XML element or attribute. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(unwritable, '\uFFFD')
    .replaceAll(/[&<>"'\r]/g, (character) => entities[character] ?? character)
}
