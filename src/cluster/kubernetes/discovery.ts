import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '#kernel/telemetry'
import { nodeId } from '../nodes/node-address.ts'
import type { NodeRegistry } from '../nodes/registry.ts'
import { createKubernetesApi, type KubernetesSettings, VersionExpired } from './api.ts'
import { type EndpointSlice, urlsOf, type WatchEvent } from './endpoint-slice.ts'

export interface KubernetesDiscovery {
  start(): void
  stop(): Promise<void>
  /** Why the pods are not known yet; undefined once they are known, and after the time limit of waiting requests. */
  waitsFor(): string | undefined
}

interface DiscoveryOptions {
  readonly settings: KubernetesSettings
  readonly registry: NodeRegistry
  readonly log: Logger
  /** Called when the pods are known, or when waiting requests reach their time limit. */
  readonly onFirstList: () => void
  readonly firstPauseMs?: number
  /** Bounds the wait for an unreachable Kubernetes API, so that nodes of other sources can serve requests. */
  readonly maxWaitMs: number
}

const maxPauseMs = 30_000

/**
 * Adds the pods of a headless service as nodes, each by its own address, because each has its own models.
 *
 * | state    | on                                 | next                                                          |
 * |----------|------------------------------------|---------------------------------------------------------------|
 * | listing  | the list                           | watching from its version; pods that are not in it are no nodes |
 * | watching | a slice is there, changed or gone  | watching from its version; its pods are nodes, or no more     |
 * | watching | a bookmark                         | watching from its version                                     |
 * | watching | the server ends the watch          | watching, anew                                                |
 * | watching | the version is too old             | listing                                                       |
 * | any      | any other error                    | listing after a pause that grows; the nodes stay as they are  |
 */
export function createKubernetesDiscovery(options: DiscoveryOptions): KubernetesDiscovery {
  const { settings, registry, log, onFirstList, firstPauseMs = 1000, maxWaitMs } = options
  const api = createKubernetesApi(settings)
  const stopping = new AbortController()
  const { signal } = stopping
  const slices = new Map<string, readonly string[]>()
  let nodes = new Map<string, string>()
  let pauseMs = firstPauseMs
  let running: Promise<void> | undefined
  let waitsFor: string | undefined = 'Kubernetes has not listed the pods yet'
  let patience: NodeJS.Timeout | undefined

  function waitNoMore(): void {
    clearTimeout(patience)
    if (waitsFor === undefined) return
    waitsFor = undefined
    onFirstList()
  }

  function put({ metadata, ...slice }: EndpointSlice): void {
    slices.set(metadata.name, urlsOf({ metadata, ...slice }))
  }

  /** One pod may be in two slices for a moment, so that readiness is decided over all slices. */
  function reconcile(): void {
    const wanted = new Map([...slices.values()].flat().map((url) => [nodeId(url), url]))
    for (const id of nodes.keys()) if (!wanted.has(id)) registry.release(id, 'kubernetes')
    for (const [id, url] of wanted) {
      if (!nodes.has(id)) registry.announce({ url, weight: 1, source: 'kubernetes' })
    }
    nodes = wanted
  }

  function take(event: WatchEvent): void {
    if (event.kind === 'changed') put(event.slice)
    else if (event.kind === 'deleted') slices.delete(event.slice.metadata.name)
    else if (event.kind === 'expired') throw new VersionExpired('the version is too old')
    reconcile()
    pauseMs = firstPauseMs
  }

  async function listAndWatch(): Promise<never> {
    const listed = await api.list(signal)
    slices.clear()
    for (const slice of listed.slices) put(slice)
    reconcile()
    waitNoMore()
    let { version } = listed
    for (;;) {
      for await (const event of api.watch(version, signal)) {
        take(event)
        if ('version' in event) version = event.version ?? version
      }
      // A server that ends every watch at once must not cause a busy loop.
      await sleep(firstPauseMs, undefined, { signal })
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await listAndWatch()
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof VersionExpired) continue
        const reason = explain(error)
        if (waitsFor !== undefined) waitsFor = `Kubernetes has not listed the pods yet: ${reason}`
        const { service } = settings
        log.warn({ err: error, reason, service }, 'Kubernetes API unreachable, model nodes not updated')
        await sleep(pauseMs * (0.9 + Math.random() / 5), undefined, { signal }).catch(() => {})
        pauseMs = Math.min(pauseMs * 2, maxPauseMs)
      }
    }
  }

  return {
    waitsFor: () => waitsFor,
    start() {
      patience = setTimeout(() => {
        log.warn({ reason: waitsFor }, 'Kubernetes pods still unknown, requests no longer wait for them')
        waitNoMore()
      }, maxWaitMs)
      running = run()
    },
    async stop() {
      clearTimeout(patience)
      stopping.abort()
      await running
      await api[Symbol.asyncDispose]()
    },
  }
}

/** If all addresses of a name failed, the message is empty and only the code is known. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message === '' && 'code' in error ? String(error.code) : error.message
}
