import ipaddr from 'ipaddr.js'
import { defineSettings, refineSetting, type SettingsOf, setting } from '#kernel/config'
import { UserMistake } from '#kernel/errors'
import { localAddress, type NodeAddress, nodeId, parseNodeEntry } from './nodes/node-address.ts'

const developmentIntervalMs = 30_000
const productionIntervalMs = 15_000

/** The environment of the cluster service. */
export const clusterSettings = defineSettings({
  port: setting.port('CLUSTER_PORT', { about: 'Port of the cluster service', default: 3001 }),
  host: setting.text('CLUSTER_HOST', {
    about: 'Address the cluster service listens on; any but a loopback address needs CLUSTER_API_KEY',
    default: '127.0.0.1',
  }),
  apiKey: setting.secretText('CLUSTER_API_KEY', {
    about: 'Key that callers of the cluster service must send, as Bearer or X-API-Key',
    optional: true,
  }),
  nodes: refineSetting(
    setting.list('CLUSTER_NODES', {
      about:
        'Model nodes, comma-separated: an address such as http://gpu1:11434, with =2 behind it for a weight, which is listed with the node',
      default: [],
    }),
    readNodes,
  ),
  discoveryPorts: refineSetting(
    setting.list('DISCOVERY_PORTS', {
      about: 'Ports of this machine where a model node may appear; empty for none',
      default: ['11434', '11435', '11436', '11437'],
    }),
    readPorts,
  ),
  healthCheckIntervalMs: {
    ...setting.durationMs('HEALTH_CHECK_INTERVAL', {
      about: 'Time between two probes of a node',
      optional: true,
      min: 10,
      max: 86_400_000,
    }),
    defaultText: `${developmentIntervalMs / 1000}s, or ${productionIntervalMs / 1000}s with NODE_ENV=production`,
  },
})

export type ClusterSettings = SettingsOf<typeof clusterSettings>

/** What the cluster runs with: the settings, checked against each other and with every default in place. */
export interface ClusterOptions {
  readonly host: string
  readonly port: number
  readonly apiKey: string | undefined
  /** Configured nodes first, then the ports of this machine where one may appear. */
  readonly addresses: readonly NodeAddress[]
  readonly intervalMs: number
}

/** Checks the settings against each other and fills in what depends on where we run. */
export function resolveClusterSettings(
  settings: ClusterSettings,
  { production }: { readonly production: boolean },
): ClusterOptions {
  const { host, port, apiKey, nodes, discoveryPorts, healthCheckIntervalMs } = settings
  if (apiKey === undefined && !isLoopback(host)) {
    throw new UserMistake(
      `CLUSTER_HOST is ${host}, which other machines can reach: set CLUSTER_API_KEY as well, or listen on 127.0.0.1`,
    )
  }
  // A cluster that found itself would send its own requests round in a circle.
  const ownId = nodeId(localAddress(port).url)
  const itself = nodes.find(({ url }) => nodeId(url) === ownId)
  if (itself !== undefined) {
    throw new UserMistake(
      `CLUSTER_NODES has ${itself.url}, which is the cluster service itself (CLUSTER_PORT ${port})`,
    )
  }
  const taken = new Set([ownId, ...nodes.map(({ url }) => nodeId(url))])
  const discovered = discoveryPorts.map(localAddress).filter(({ url }) => !taken.has(nodeId(url)))
  return {
    host,
    port,
    apiKey,
    addresses: [...nodes, ...discovered],
    intervalMs: healthCheckIntervalMs ?? (production ? productionIntervalMs : developmentIntervalMs),
  }
}

function readNodes(entries: readonly string[]): readonly NodeAddress[] {
  const nodes = entries.map(parseNodeEntry)
  const ids = nodes.map(({ url }) => nodeId(url))
  const repeated = nodes.find((_node, index) => ids.indexOf(ids[index] ?? '') !== index)
  if (repeated !== undefined) throw new Error(`has ${repeated.url} twice`)
  return nodes
}

function readPorts(entries: readonly string[]): readonly number[] {
  const ports = entries.map((entry) => {
    const port = Number(entry)
    if (!/^\d+$/.test(entry) || port < 1 || port > 65_535) {
      throw new Error(`has "${entry}", which is not a port from 1 to 65535`)
    }
    return port
  })
  return [...new Set(ports)]
}

function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  return bare === 'localhost' || (ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback')
}
