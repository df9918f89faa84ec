import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Agent, request } from 'undici'
import { type EndpointSlice, readSliceList, readWatchEvent, type WatchEvent } from './endpoint-slice.ts'

export interface KubernetesSettings {
  /** Address of the API server. */
  readonly api: string
  /** The headless service whose pods are the nodes. */
  readonly service: string
  /** Default: the namespace of this pod. */
  readonly namespace: string | undefined
  /** Folder with `token`, `namespace` and `ca.crt`, as every pod has it. */
  readonly accountDir: string
}

interface SliceSnapshot {
  readonly version: string
  readonly slices: readonly EndpointSlice[]
}

/** The API server no longer has this version; a new list is needed. */
export class VersionExpired extends Error {
  override readonly name = 'VersionExpired'
}

/** The requests to the Kubernetes API server. */
export interface KubernetesApi extends AsyncDisposable {
  list(signal: AbortSignal): Promise<SliceSnapshot>
  /** The changes after a version, until the server ends the watch, as it does every few minutes. */
  watch(version: string, signal: AbortSignal): AsyncIterable<WatchEvent>
}

const watchSeconds = 300
const headTimeoutMs = 30_000

export function createKubernetesApi({
  api,
  service,
  namespace,
  accountDir,
}: KubernetesSettings): KubernetesApi {
  let agent: Agent | undefined

  async function openAgent(): Promise<Agent> {
    const ca = api.startsWith('https:') ? await readFile(join(accountDir, 'ca.crt'), 'utf8') : undefined
    return new Agent({
      headersTimeout: headTimeoutMs,
      bodyTimeout: (watchSeconds + 60) * 1000,
      ...(ca !== undefined && { connect: { ca } }),
    })
  }

  async function requestText(query: Record<string, string>, signal: AbortSignal) {
    agent ??= await openAgent()
    // Tokens are renewed in their file while the pod runs.
    const token = (await readFile(join(accountDir, 'token'), 'utf8')).trim()
    const where = namespace ?? (await readFile(join(accountDir, 'namespace'), 'utf8')).trim()
    const search = new URLSearchParams({ labelSelector: `kubernetes.io/service-name=${service}`, ...query })
    const url = `${api}/apis/discovery.k8s.io/v1/namespaces/${where}/endpointslices?${search.toString()}`
    const { statusCode, body } = await request(url, {
      dispatcher: agent,
      signal,
      headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    })
    if (statusCode === 200) return body
    await body.dump()
    if (statusCode === 410) throw new VersionExpired('the version is too old')
    const hint = statusCode === 403 ? ': the service account may not list and watch endpointslices' : ''
    throw new Error(`the Kubernetes API answered with status ${statusCode}${hint}`)
  }

  return {
    async list(signal) {
      // The authority may have been replaced since, like the token.
      await agent?.destroy()
      agent = await openAgent()
      const { metadata, items } = readSliceList(await (await requestText({}, signal)).json())
      return { version: metadata.resourceVersion, slices: items }
    },
    async *watch(version, signal) {
      const query = { watch: '1', resourceVersion: version, allowWatchBookmarks: 'true' }
      const body = await requestText({ ...query, timeoutSeconds: String(watchSeconds) }, signal)
      for await (const line of createInterface({ input: body })) {
        if (line !== '') yield readWatchEvent(line)
      }
    },
    async [Symbol.asyncDispose]() {
      await agent?.destroy()
    },
  }
}
