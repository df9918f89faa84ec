import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

interface EchoedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** An API that repeats every request, in its body and in the header `x-echo`. */
export interface EchoApi extends AsyncDisposable {
  readonly url: string
  /** Host and port. */
  readonly host: string
  readonly requests: readonly EchoedRequest[]
  /** The statuses of the next responses, one each; then 200 again. */
  script(...statuses: readonly number[]): void
  /** The access tokens of `POST /token`, in order; the last one again and again. */
  issue(...tokens: readonly string[]): void
  /** Refuses requests with another token than this with 401. */
  requireToken(token: string): void
}

export async function startEchoApi(): Promise<EchoApi> {
  const requests: EchoedRequest[] = []
  const statuses: number[] = []
  let tokens: readonly string[] = ['the first access token']
  let required: string | undefined
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('error', () => {})
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming
      const body = Buffer.concat(chunks).toString()
      requests.push({ method, url, headers, body })
      const { authorization = '' } = headers
      const isRefused = url !== '/token' && required !== undefined && authorization !== `Bearer ${required}`
      const status = isRefused ? 401 : (statuses.shift() ?? 200)
      response.writeHead(status, {
        'content-type': 'application/json',
        'x-echo': encodeURIComponent(authorization || url),
        'set-cookie': 'session=a-session-of-the-api',
      })
      if (url === '/token' && status === 200) {
        const [token = '', ...later] = tokens
        if (later.length > 0) tokens = later
        response.end(JSON.stringify({ access_token: token, token_type: 'bearer', expires_in: 3600 }))
        return
      }
      const encoded = Buffer.from(`echo ${authorization}`).toString('base64')
      response.end(JSON.stringify({ method, url, headers, body, encoded, [authorization]: authorization }))
    })
  })
  // On a busy machine the default of 5 s closes a connection that the client is about to use again.
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    requests,
    script: (...next) => void statuses.push(...next),
    issue(...next) {
      tokens = next
    },
    requireToken(token) {
      required = token
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
