import { createHash } from 'node:crypto'
import { type RuntimeName, runtimeNames } from './runtime.ts'

/** The sources of a node, in order of precedence. */
export const nodeSources = ['config', 'runtime', 'kubernetes', 'discovery'] as const

export type NodeSource = (typeof nodeSources)[number]

/** The address of a node and its source. */
export interface NodeAddress {
  /** Scheme, host and an optional path prefix, without a trailing slash. */
  readonly url: string
  readonly weight: number
  readonly source: NodeSource
  /** Set by an operator; otherwise a probe recognises it. */
  readonly runtime?: RuntimeName | undefined
}

export const heaviest = 1000

/** Parses `url`, `url=weight`, or either with a runtime, as in `vllm+http://gpu1:8000=2`. The error message completes the sentence "CLUSTER_NODES …" and contains no password. */
export function parseNodeEntry(entry: string): NodeAddress {
  const { runtime, rest } = splitRuntime(entry)
  const split = rest.lastIndexOf('=')
  const url = parseNodeUrl(split === -1 ? rest : rest.slice(0, split), entry)
  const weight = split === -1 ? 1 : Number(rest.slice(split + 1))
  if (!Number.isInteger(weight) || weight < 1 || weight > heaviest) {
    throw new Error(`has "${entry}", whose weight must be a whole number from 1 to ${heaviest}`)
  }
  return { url, weight, source: 'config', ...(runtime !== undefined && { runtime }) }
}

function splitRuntime(entry: string): { readonly runtime?: RuntimeName; readonly rest: string } {
  const [, name, rest] = /^([a-z.]+)\+(https?:.*)$/i.exec(entry) ?? []
  if (name === undefined || rest === undefined) return { rest: entry }
  const runtime = runtimeNames.find((known) => known === name.toLowerCase())
  if (runtime !== undefined) return { runtime, rest }
  throw new Error(`has "${entry}", whose runtime must be one of ${runtimeNames.join(', ')}`)
}

/** Parses the address of a node. The error message explains the problem with `entry` and contains no password. */
export function parseNodeUrl(address: string, entry = address): string {
  if (address.includes('@')) {
    throw new Error(
      'must not contain a user name or password: node URLs are shown to everyone who may view the cluster',
    )
  }
  if (!/^https?:\/\//i.test(address)) {
    throw new Error(
      `has "${entry}", which must start with http:// or https://, such as http://localhost:11434`,
    )
  }
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined) throw new Error(`has "${entry}", which is not a valid address`)
  if (url.search !== '' || url.hash !== '') {
    throw new Error(`has "${entry}", which must end before any "?" or "#"`)
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** The address of a node on this machine. */
export function localAddress(port: number): NodeAddress {
  return { url: `http://localhost:${port}`, weight: 1, source: 'discovery' }
}

const namesOfThisMachine = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The node's id, which depends only on its address and survives restarts. All names of this machine give the same id,
 * so a discovered node that is configured later stays the same node.
 */
export function nodeId(address: string): string {
  const url = new URL(address)
  const host = namesOfThisMachine.has(url.hostname) ? 'localhost' : url.hostname
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  const readable = `${host}-${port}`.replaceAll(/[^a-z0-9.]+/g, '-').replaceAll(/^-|-$/g, '')
  const whole = `${url.protocol}//${host}:${port}${url.pathname}`
  return `${readable}-${createHash('sha256').update(whole).digest('hex').slice(0, 6)}`
}
