import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The behaviours of a server. */
type Behaviour =
  | 'normal'
  /** Responds correctly, after 400 ms. */
  | 'slow'
  /** Responds to everything with status 503. */
  | 'error'
  /** Responds with a page of HTML and status 200. */
  | 'rubbish'
  /** Accepts the request and never responds. */
  | 'hang'

/** A fake vector database. It stores no vectors. */
export interface VectorServer extends AsyncDisposable {
  readonly url: string
  readonly paths: readonly string[]
  behave(as: Behaviour): void
  /** Closes its port: connections are refused. */
  close(): Promise<void>
}

type Answer = (path: string, request: IncomingMessage) => readonly [status: number, body: unknown]

async function startServer(answer: Answer): Promise<VectorServer> {
  let behaviour: Behaviour = 'normal'
  const paths: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    paths.push(path)
    if (behaviour === 'hang') return
    if (behaviour === 'error') send(response, 503, { status: { error: 'Service unavailable' } })
    else if (behaviour === 'rubbish') response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello')
    else setTimeout(() => send(response, ...answer(path, request)), behaviour === 'slow' ? 400 : 0)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    behave(as) {
      behaviour = as
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** A fake Qdrant server, optionally with a key. */
export function startQdrantServer({ apiKey }: { readonly apiKey?: string } = {}): Promise<VectorServer> {
  return startServer((path, { headers }) => {
    if (path === '/healthz') return [200, 'healthz check passed']
    if (apiKey !== undefined && headers['api-key'] !== apiKey) {
      return [401, 'Must provide an API key or an Authorization bearer token']
    }
    if (path === '/') return [200, { title: 'qdrant - vector search engine', version: '1.15.4' }]
    if (path === '/collections') {
      return [200, { result: { collections: [{ name: 'notes' }] }, status: 'ok', time: 0.000012 }]
    }
    return [404, { status: { error: 'Not found' } }]
  })
}

/** A fake Chroma server, optionally with a token. */
export function startChromaServer({ token }: { readonly token?: string } = {}): Promise<VectorServer> {
  return startServer((path, { headers }) => {
    if (token !== undefined && headers['x-chroma-token'] !== token) return [403, { error: 'Forbidden' }]
    if (path === '/api/v2/heartbeat') return [200, { 'nanosecond heartbeat': 1_763_226_000_000_000_000 }]
    if (path === '/api/v2/version') return [200, '1.0.20']
    return [404, { error: 'NotFound' }]
  })
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const isPlain = typeof body === 'string' && body.includes(' ')
  response
    .writeHead(status, { 'content-type': isPlain ? 'text/plain' : 'application/json' })
    .end(isPlain ? body : JSON.stringify(body))
}
