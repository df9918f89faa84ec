import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import { send } from '../support/calls.ts'
import { basicAuth, type OpenPlatform, type OpenPlatformOptions, openPlatform } from '../support/platform.ts'

/** A platform with a flow that runs as long as the test wants, and a user for each kind of caller. */
export interface McpPlatform extends AsyncDisposable {
  readonly platform: OpenPlatform
  /** Ends the second step of the flow `slow`. */
  release(): void
  /** Resolves once the second step of the next execution of `slow` is running: call it once for each. */
  reached(): Promise<void>
  /** Calls the API as the first administrator. */
  call(path: string, options?: { readonly method?: string; readonly body?: unknown }): Promise<Answer>
  /** Makes an API key of the administrator, restricted when scopes are given. */
  makeKey(scopes?: readonly string[]): Promise<string>
  /** Creates an account with these roles, and a token of its sign-in, with its own rate limit. */
  signIn(username: string, roles: readonly string[]): Promise<string>
  connect(options: ConnectOptions): Promise<Client & AsyncDisposable>
}

interface Answer {
  readonly status: number
  /** The parsed JSON; each test checks its own fields. */
  readonly body: ReturnType<typeof JSON.parse>
}

interface ConnectOptions {
  readonly key: string
  readonly mode?: VersionNegotiationMode
  /** Whether calls above ten reads a second are repeated in the next second. Default: true. */
  readonly waits?: boolean
}

export async function openMcpPlatform(
  env: Readonly<Record<string, string>> = {},
  overrides: Pick<OpenPlatformOptions, 'wrapLimiter'> = {},
): Promise<McpPlatform> {
  await using closing = new AsyncDisposableStack()
  const gate = closing.use(await openGate())
  const platform = closing.use(await openPlatform({ TUTTI_OUTBOUND_ALLOW: '127.0.0.1', ...env }, overrides))
  const admin = basicAuth(platform)

  async function call(path: string, { method = 'GET', body }: { method?: string; body?: unknown } = {}) {
    return await send(`${platform.url}${path}`, { method, body, headers: admin })
  }

  const saved = await call('/ai-workflows/api/flows', {
    method: 'POST',
    body: {
      flow_definition: {
        id: 'slow',
        label: 'A slow one',
        description: 'Waits for the test.',
        steps: [
          {
            id: 'first',
            type: 'data_transform',
            transformations: [{ operation: 'merge', sources: ['content'] }],
          },
          { id: 'second', type: 'external_api', dependencies: ['first'], api: { url: gate.url } },
        ],
      },
    },
  })
  if (saved.status !== 201) throw new Error(`the flow was not saved: ${JSON.stringify(saved.body)}`)
  const opened = closing.move()

  return {
    platform,
    release: gate.release,
    reached: gate.reached,
    call,
    async makeKey(scopes) {
      const body = { name: `key ${crypto.randomUUID()}`, ...(scopes !== undefined && { scopes }) }
      const made = await call('/api/v1/api-keys', { method: 'POST', body })
      return made.body.key
    },
    async signIn(username, roles) {
      const password = 'tutti e soli insieme'
      await call('/api/v1/users', { method: 'POST', body: { username, password, roles } })
      const answer = await fetch(`${platform.url}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password }),
      })
      const { token } = (await answer.json()) as { token: string }
      return token
    },
    async connect({ key, mode = 'legacy', waits = true }) {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${platform.url}/mcp`), {
          requestInit: { headers: { authorization: `Bearer ${key}` } },
        }),
      )
      if (waits) callWithinRate(client)
      return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Makes the client repeat calls above ten reads a second, which a fast machine reaches. */
function callWithinRate(client: Client): void {
  const callTool = client.callTool.bind(client)
  client.callTool = async (...call) => {
    for (;;) {
      const result = await callTool(...call)
      const isAboveReads =
        result.isError === true && JSON.stringify(result).includes('10 requests per second')
      if (!isAboveReads) return result
      await setTimeout(1000)
    }
  }
}

/** A server that responds when the test says so. */
async function openGate() {
  const waiting = new Set<ServerResponse>()
  const watchers: (() => void)[] = []
  /** A cancelled execution may still be in `waiting`. */
  let unwatched = 0
  const server = createServer((_request, response) => {
    waiting.add(response)
    response.once('close', () => waiting.delete(response))
    const watch = watchers.shift()
    if (watch === undefined) unwatched += 1
    else watch()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    release: () => {
      for (const response of waiting) {
        waiting.delete(response)
        response.setHeader('content-type', 'application/json').end('{"released":true}')
      }
    },
    reached: async () => {
      if (unwatched > 0) unwatched -= 1
      else await new Promise<void>((resolve) => watchers.push(resolve))
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
