import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Access, HttpServer } from '#kernel/http'
import { basicAuth, openPlatform, type PlatformInProcess } from '../support/platform.ts'
import { unlimited } from './request-limits.ts'

interface Route {
  readonly method: string
  readonly url: string
  readonly access: Access
}

/** Every public route. A new one must be added here deliberately. */
const open = [
  'GET /',
  'GET /.well-known/jwks.json',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /admin/structure/recipe-onboarding/tours',
  'GET /admin/structure/recipe-onboarding/tours/:tour',
  'GET /admin/structure/recipe-onboarding/tours/:tour/analytics',
  'GET /admin/structure/recipe-onboarding/tours/:tour/builder',
  'GET /admin/structure/recipe-onboarding/tours/:tour/export',
  'GET /admin/structure/recipe-onboarding/tours/:tour/preview',
  'GET /admin/structure/recipe-onboarding/tours/:tour/versions',
  'GET /admin/structure/recipe-onboarding/tours/templates',
  'GET /admin/structure/recipe-onboarding/tours/templates/:template',
  'GET /agents',
  'GET /agents/:agent',
  'GET /agents/:agent/edit',
  'GET /agents/new',
  'GET /agents/recommend',
  'GET /ai-orchestra/api/webhooks/:id/verify/:token',
  'GET /ai-workflows/api/answer/:token',
  'GET /ai-workflows/api/webhooks/:id/verify/:token',
  'GET /api-keys',
  'GET /assets/*',
  'GET /audit',
  'GET /cluster',
  'GET /connections',
  'GET /docs',
  'GET /events',
  'GET /executions',
  'GET /executions/:execution',
  'GET /executions/compare',
  'GET /executions/latest',
  'GET /favicon.svg',
  'GET /flows',
  'GET /flows/:flow',
  'GET /flows/:flow/edit',
  'GET /health',
  'GET /healthz',
  'GET /human-tasks',
  'GET /interface-usage',
  'GET /live',
  'GET /mcp-servers',
  'GET /new-flow',
  'GET /oauth-clients',
  'GET /oauth/authorize',
  'GET /oauth/authorize/:uid',
  'GET /oauth/consent/:uid',
  'GET /oauth/continue',
  'GET /ollama',
  'GET /ollama/',
  'GET /openapi.json',
  'GET /openapi.yaml',
  'GET /openapi/:document',
  'GET /playground',
  'GET /profile',
  'GET /providers',
  'GET /readyz',
  'GET /roles',
  'GET /routes',
  'GET /schedules',
  'GET /session/token',
  'GET /settings',
  'GET /status',
  'GET /status.json',
  'GET /status/feed.atom',
  'GET /status/incidents/:id',
  'GET /tour-sites',
  'GET /tours/exports/:token/:filename',
  'GET /tours/picker.js',
  'GET /tours/player.js',
  'GET /tours/published',
  'GET /usage',
  'GET /usage/calls/:call',
  'GET /user/login',
  'GET /users',
  'GET /webhooks',
  'GET /webhooks/deliveries',
  'GET /workflows',
  'GET /workflows/:flow',
  'GET /workflows/:flow/edit',
  'GET /workflows/new',
  'OPTIONS /api/recipe-tour-builder/tour/:tour/event',
  'OPTIONS /tours/visits',
  'OPTIONS /tours/visits/ended',
  'POST /ai-orchestra/api/webhooks/:id/verify/:token',
  'POST /ai-workflows/api/answer/:token',
  'POST /ai-workflows/api/hooks/:token',
  'POST /ai-workflows/api/webhooks/:id/verify/:token',
  'POST /api/recipe-tour-builder/tour/:tour/event',
  'POST /api/v1/auth/login',
  'POST /api/v1/auth/logout',
  'POST /api/v1/auth/refresh',
  'POST /oauth/consent/:uid',
  'POST /oauth/consent/:uid/another-account',
  'POST /oauth/introspect',
  'POST /oauth/revoke',
  'POST /oauth/token',
  'POST /tours/visits',
  'POST /tours/visits/ended',
  'POST /user/login',
  'POST /user/logout',
]

/** The declared reason of public routes that only respond 405. */
const wrongMethod = 'it only responds with 405'

let platform: PlatformInProcess
let app: HttpServer
let routes: readonly Route[]
let plain: Record<string, string>
let toursKey: Record<string, string>
let workflowsKey: Record<string, string>

beforeAll(async () => {
  const servers: Route[][] = []
  const collect = (message: unknown) => {
    const collected: Route[] = []
    servers.push(collected)
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', (route) => void collected.push(...toRoutes(route)))
  }
  subscribe('fastify.initialization', collect)
  platform = await openPlatform({}, { role: 'api', ...unlimited })
  unsubscribe('fastify.initialization', collect)
  routes = servers.at(0) ?? []
  if (platform.app === undefined) throw new Error('the role api has a server')
  app = platform.app

  const asAdministrator = basicAuth(platform)
  const vera = { username: 'vera', password: 'correct horse battery' }
  await send('POST', '/api/v1/users', asAdministrator, { ...vera, roles: [] })
  plain = basicAuth({ admin: vera })
  toursKey = await limitedKey('tours.manage')
  workflowsKey = await limitedKey('workflows.run')

  async function limitedKey(scope: string): Promise<Record<string, string>> {
    const made = await send('POST', '/api/v1/api-keys', asAdministrator, { name: scope, scopes: [scope] })
    return { 'x-api-key': made.json<{ key: string }>().key }
  }
})

afterAll(() => platform[Symbol.asyncDispose]())

function toRoutes({ method, url, config }: RouteOptions): Route[] {
  const access = config?.access
  if (access === undefined) return []
  return [method].flat().flatMap((name) => (name === 'HEAD' ? [] : [{ method: name, url, access }]))
}

function send(method: string, path: string, headers: Record<string, string> = {}, body?: object) {
  return app.inject({
    method: method as 'GET',
    url: path,
    // For a path with a page, requests the data.
    headers: { accept: 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })
}

/** A path of the route, with a value for every parameter. */
function pathOf({ url }: Route): string {
  return url.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000')
}

/** Tours return 403 without the permission, signed in or not. */
const isOfTours = ({ url }: Route) => /^\/(?:admin\/structure|api\/recipe-tour-builder|tours)\//.test(url)

interface ErrorBody {
  readonly error?: string | { readonly code?: string | number; readonly type?: string }
  readonly code?: string
  readonly errors?: readonly { readonly code: string }[]
}

/** APIs return their error code in an object, as the error itself, beside the message, or in a list. */
function codeIn({ error, code, errors }: ErrorBody): string {
  // Anthropic's format has a type in place of a code.
  const given = code ?? (typeof error === 'object' ? (error.code ?? error.type) : error)
  return String(errors?.[0]?.code ?? given).toLowerCase()
}

/** The error of the model runtime has a message and no code. */
const signInCodes =
  /^(?:authentication_required|authentication_error|unauthorized|-32000|sign in, or send .*)$/

/** A permission that anonymous callers have protects nothing. */
const isForAll = (access: Access) => 'permission' in access && access.permission === 'access content'

const guarded = () => routes.filter(({ access }) => !('open' in access) && !isForAll(access))

test('every route declares its access, and the public ones are the known list', () => {
  expect(routes.length).toBeGreaterThan(40)
  const found = routes
    .filter(({ access }) => 'open' in access && access.open !== wrongMethod)
    .map(({ method, url }) => `${method} ${url}`)
  expect([...new Set(found)].sort()).toEqual(open)
})

describe('every other route', () => {
  test('returns 401 to anonymous callers, before any other check and in the format of its API', async () => {
    for (const route of guarded()) {
      const answer = await send(route.method, pathOf(route))
      const expected = isOfTours(route)
        ? [403, 'permission_denied']
        : [401, expect.stringMatching(signInCodes)]
      const code = codeIn(answer.json())
      expect([route.method, route.url, answer.statusCode, code]).toEqual([
        route.method,
        route.url,
        ...expected,
      ])
      if (answer.statusCode === 401) expect(answer.headers['www-authenticate']).toMatch(/^Bearer/)
    }
  })

  test.each([
    { authorization: 'Bearer tk_0000000000000000000000000000000000000000' },
    { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.' },
    { 'x-api-key': 'tk_nothing' },
    { authorization: 'Digest username="admin"' },
  ])('returns 401 to the invalid credential %j', async (headers) => {
    for (const route of guarded()) {
      const answer = await send(route.method, pathOf(route), headers)
      expect([route.url, answer.statusCode]).toEqual([route.url, 401])
    }
  })

  test('with a permission refuses an account that lacks it', async () => {
    for (const route of guarded()) {
      if (!('permission' in route.access)) continue
      const answer = await send(route.method, pathOf(route), plain)
      expect([route.method, route.url, answer.statusCode]).toEqual([route.method, route.url, 403])
    }
  })

  test('refuses a key with other scopes', async () => {
    for (const route of guarded()) {
      if ('anyScope' in route.access) continue
      const answer = await send(route.method, pathOf(route), isOfTours(route) ? workflowsKey : toursKey)
      expect([route.method, route.url, answer.statusCode]).toEqual([route.method, route.url, 403])
    }
  })
})
