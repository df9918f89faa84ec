import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { type HttpServer, setPagePolicy } from '#kernel/http'

const folder = fileURLToPath(new URL('../../console/dist/', import.meta.url))

/** The paths of all pages: a link to one, or its reload, has to load the application. */
const pages = [
  '/',
  '/cluster',
  '/connections',
  '/health',
  '/human-tasks',
  '/interface-usage',
  '/mcp-servers',
  '/playground',
  '/usage',
  '/usage/calls/:call',
  '/providers',
  '/routes',
  '/workflows',
  '/workflows/new',
  '/workflows/:flow',
  '/workflows/:flow/edit',
  '/executions',
  '/executions/compare',
  '/executions/latest',
  '/executions/:execution',
  '/schedules',
  '/settings',
  '/tour-sites',
  '/agents',
  '/agents/new',
  '/agents/recommend',
  '/agents/:agent',
  '/agents/:agent/edit',
  '/events',
  '/webhooks',
  '/webhooks/deliveries',
  '/api-keys',
  '/oauth-clients',
  '/users',
  '/roles',
  '/audit',
  '/profile',
  // Former addresses: the application redirects them.
  '/flows',
  '/flows/:flow',
  '/flows/:flow/edit',
  '/new-flow',
  '/live',
]

const open = { open: 'the application itself holds no data' } as const

/** Serves the built console: one page with a new nonce for each request, and assets whose names change with their content. */
export interface Console {
  addRoutes(routes: HttpServer): Promise<void>
  /** Sends the application, which shows its own page for an unknown path. */
  sendPage(reply: FastifyReply, options?: PageOptions): FastifyReply
}

interface PageOptions {
  /** Whether the page shows pages of other sites in a frame. */
  readonly framesAnySite?: boolean
}

export function openConsole(): Console {
  const indexFile = `${folder}index.html`
  if (!existsSync(indexFile)) throw new Error('the console is not built; run: npm run prepare')
  const index = readFileSync(indexFile, 'utf8')

  function sendPage(reply: FastifyReply, { framesAnySite = false }: PageOptions = {}): FastifyReply {
    // The tour builder shows our own pages in a frame, too.
    const nonce = setPagePolicy(reply, {
      framedBySameOrigin: true,
      framesAnySite,
      // The policies of the console itself and of the sanitiser of the tour player.
      trustedTypes: ['default', 'dompurify'],
    })
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(index.replaceAll('__CSP_NONCE__', nonce))
  }

  return {
    sendPage,
    async addRoutes(routes) {
      await routes.register(fastifyStatic, {
        root: folder,
        serve: false,
        preCompressed: true,
        acceptRanges: false,
      })
      routes.get(
        '/assets/*',
        {
          config: { access: open, undocumented: true },
          schema: { params: Type.Object({ '*': Type.String() }) },
        },
        (request, reply) =>
          reply.sendFile(`assets/${request.params['*']}`, { immutable: true, maxAge: '365d', index: false }),
      )
      routes.get('/favicon.svg', { config: { access: open, undocumented: true } }, (_request, reply) =>
        reply.sendFile('favicon.svg', { maxAge: '1d' }),
      )
      for (const path of pages) {
        routes.get(path, { config: { access: open, undocumented: true } }, (_request, reply) =>
          sendPage(reply),
        )
      }
    },
  }
}
