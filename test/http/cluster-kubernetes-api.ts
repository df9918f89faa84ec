import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The pods of a slice, by local port. */
interface Pod {
  readonly port: number
  readonly ready?: boolean
  readonly terminating?: boolean
}

/** An API server that lists and watches EndpointSlices as Kubernetes does: versions grow, old ones expire, watches end. */
export interface KubernetesApiServer extends AsyncDisposable {
  /** The settings of the cluster for this server. */
  readonly environment: Readonly<Record<string, string>>
  readonly requests: readonly string[]
  readonly watchers: number
  put(slice: string, pods: readonly Pod[]): void
  drop(slice: string): void
  bookmark(): void
  /** Ends every watch, as the server does every few minutes. */
  endWatches(): void
  /** Expires all versions: watches get 410, and new requests with one, too. */
  expire(): void
  /** Responds to every request with this status; undefined for normal responses. */
  fail(status: number | undefined): void
  /** The token that is accepted, and in the file. */
  renewToken(token: string): Promise<void>
  /** Puts another authority into the folder of the service account. */
  trust(ca: string): Promise<void>
}

/** The certificate of a server, and the authority that signed it. */
export interface Certificate {
  readonly key: string
  readonly cert: string
  readonly ca: string
}

const status = (code: number) => ({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code })
const path = '/apis/discovery.k8s.io/v1/namespaces/models/endpointslices'

/** Starts it, with TLS where there is a certificate. */
export async function startKubernetesApi(certificate?: Certificate): Promise<KubernetesApiServer> {
  const accountDir = await mkdtemp(join(tmpdir(), 'tutti-account-'))
  const slices = new Map<string, object>()
  const watchers = new Set<ServerResponse>()
  const requests: string[] = []
  let token = ''
  let version = 100
  let oldest = 0
  let failing: number | undefined

  /** A new watch gets all changes since its version. */
  const history: { readonly version: number; readonly line: string }[] = []
  const tell = (type: string, object: object) => {
    const line = `${JSON.stringify({ type, object })}\n`
    if (type !== 'ERROR') history.push({ version, line })
    for (const watcher of watchers) watcher.write(line)
  }

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    requests.push(
      `${url.searchParams.get('watch') === '1' ? 'watch' : 'list'} ${url.searchParams.get('resourceVersion')}`,
    )
    const send = (code: number, body: object) =>
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (failing !== undefined) return send(failing, status(failing))
    if (request.headers.authorization !== `Bearer ${token}`) return send(401, status(401))
    if (url.pathname !== path) return send(404, status(404))
    if (url.searchParams.get('labelSelector') !== 'kubernetes.io/service-name=gpu-pods')
      return send(400, status(400))
    if (url.searchParams.get('watch') !== '1') {
      const metadata = { resourceVersion: String(version) }
      return send(200, { kind: 'EndpointSliceList', metadata, items: [...slices.values()] })
    }
    if (Number(url.searchParams.get('resourceVersion')) < oldest) return send(410, status(410))
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
    const since = Number(url.searchParams.get('resourceVersion'))
    for (const past of history) if (past.version > since) response.write(past.line)
    watchers.add(response)
    response.on('close', () => watchers.delete(response))
    return response
  }
  const server =
    certificate === undefined
      ? createServer(answer)
      : createSecureServer({ key: certificate.key, cert: certificate.cert }, answer)
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const renewToken = async (next: string) => {
    token = next
    await writeFile(join(accountDir, 'token'), `${next}\n`)
  }
  await renewToken('first')
  await writeFile(join(accountDir, 'namespace'), 'models')
  const trust = (ca: string) => writeFile(join(accountDir, 'ca.crt'), ca)
  if (certificate !== undefined) await trust(certificate.ca)

  return {
    environment: {
      KUBERNETES_DISCOVERY: 'true',
      KUBERNETES_API: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
      KUBERNETES_NODE_SERVICE: 'gpu-pods',
      KUBERNETES_SERVICE_ACCOUNT: accountDir,
    },
    requests,
    get watchers() {
      return watchers.size
    },
    put(name, pods) {
      version += 1
      const type = slices.has(name) ? 'MODIFIED' : 'ADDED'
      const [first] = pods
      const slice = {
        metadata: { name, resourceVersion: String(version), labels: {} },
        addressType: 'IPv4',
        // Pods of one slice share a port; here each has its own, so a slice has one pod.
        ports: [{ name: 'http', port: first?.port ?? null, protocol: 'TCP' }],
        endpoints: pods.map(({ ready = true, terminating = false }) => ({
          addresses: ['127.0.0.1'],
          conditions: { ready, serving: ready, terminating },
        })),
      }
      slices.set(name, slice)
      tell(type, slice)
    },
    drop(name) {
      version += 1
      const slice = slices.get(name)
      slices.delete(name)
      if (slice !== undefined)
        tell('DELETED', { ...slice, metadata: { name, resourceVersion: String(version) } })
    },
    bookmark() {
      version += 1
      tell('BOOKMARK', { kind: 'EndpointSlice', metadata: { resourceVersion: String(version) } })
    },
    endWatches() {
      for (const watcher of watchers) watcher.end()
    },
    expire() {
      version += 1
      oldest = version
      tell('ERROR', status(410))
      for (const watcher of watchers) watcher.end()
    },
    fail(code) {
      failing = code
      if (code !== undefined) for (const watcher of watchers) watcher.destroy()
    },
    renewToken,
    trust,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      await rm(accountDir, { recursive: true, force: true })
    },
  }
}
