import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { type Database, isUniqueViolation } from '#kernel/database'
import type { AssociatedData, Encryption } from '#kernel/encryption'
import { Failure, kernelFailure } from '#kernel/errors'
import type { Events, EventTransaction } from '#kernel/events'
import type { Outbound } from '#kernel/outbound'
import type { RecurringTask } from '#kernel/work'
import type { ConfigStore } from '../config/config-store.ts'
import type { Probe, ProbeResult } from '../services/service.ts'
import type { StatusSettings } from '../settings.ts'
import { readTransport, stdioIsOff, type TransportInput } from './read-transport.ts'
import type { McpProbeResult, McpServerRow, Secrets } from './server.ts'
import {
  countServers,
  deleteServer,
  insertServer,
  listDue,
  listServers,
  type McpCount,
  readServer,
  storeProbeResult,
  updateServer,
} from './store.ts'

/** Interval and limits of probes. */
interface McpBounds {
  readonly everyMs: number
  readonly timeoutMs: number
  readonly slowMs: number
}

interface McpServersOptions {
  readonly database: Database
  readonly events: Pick<Events, 'appendWithin'>
  readonly encryption: Encryption
  readonly outbound: Outbound
  readonly config: Pick<ConfigStore, 'read'>
  readonly settings: Pick<StatusSettings, 'mcpStdio'>
  readonly version: string
}

/** A server as an administrator enters it. */
interface McpServerInput {
  readonly name: string
  readonly transport: Static<typeof TransportInput>
  readonly enabled: boolean
  readonly allowFlows: boolean
}

/** The author of a change, as stored in its event. */
export interface ChangeAuthor {
  readonly by: string | null
  readonly ip: string
  readonly user_agent: string | null
}

/** The registry of MCP servers. `read`, `change`, `remove` and `probe` throw `not_found`. */
export interface McpServers {
  list(page: { readonly limit: number; readonly offset: number }): Promise<McpServerRow[]>
  count(): Promise<McpCount>
  read(id: string): Promise<McpServerRow>
  add(input: McpServerInput, author: ChangeAuthor): Promise<McpServerRow>
  change(id: string, input: Partial<McpServerInput>, author: ChangeAuthor): Promise<McpServerRow>
  remove(id: string, author: ChangeAuthor): Promise<void>
  /** Probes a server now and stores the result. */
  probe(id: string, signal: AbortSignal): Promise<McpServerRow>
  /** All servers as one service, from their last results. */
  readonly service: Probe
  readonly task: RecurringTask
}

const maxServers = 50
const concurrency = 5
/** Each probe starts the program, so programs that are online are probed less often. */
const programEveryMs = 5 * 60_000
/** A program needs time to start. */
const programFactor = 3

export function createMcpServers(options: McpServersOptions): McpServers {
  const { database, events, encryption, outbound, version } = options
  const stdio = options.settings.mcpStdio
  const writeEvent = (
    transaction: EventTransaction,
    change: string,
    row: McpServerRow,
    author: ChangeAuthor,
  ) =>
    events.appendWithin(transaction, {
      type: `status.mcp_server_${change}`,
      subject: row.id,
      data: {
        name: row.name,
        transport: row.transport.type,
        allow_flows: row.allowFlows,
        ...author,
      },
    })

  async function bounds(): Promise<McpBounds> {
    const { config } = await options.config.read()
    return {
      everyMs: config.interval_seconds * 1000,
      timeoutMs: config.timeout_seconds * 1000,
      slowMs: config.slow_ms.mcp,
    }
  }

  async function read(id: string): Promise<McpServerRow> {
    return (await readServer(database, id)) ?? throwNotFound()
  }

  async function changeTransport(before: McpServerRow, given: McpServerInput['transport']) {
    const decrypted = keepsStoredValue(given) ? await decryptSecrets(encryption, before) : {}
    const known = { transport: before.transport, secrets: decrypted }
    const { transport, secrets } = await readTransport(given, known, { outbound, stdio })
    return { transport, secrets: await encryptSecrets(encryption, before.id, secrets) }
  }

  /** Never throws for a server that cannot be probed: the result has the reason. */
  async function find(
    row: McpServerRow,
    { timeoutMs }: McpBounds,
    signal: AbortSignal,
  ): Promise<McpProbeResult> {
    if (row.transport.type === 'stdio' && !stdio) return { tookMs: 0, error: stdioIsOff }
    try {
      const secrets = await decryptSecrets(encryption, row)
      // Loaded by the first probe: many installations monitor no MCP server.
      const { probeServer } = await import('./probe/probe-server.ts')
      return await probeServer({
        transport: row.transport,
        secrets,
        outbound,
        timeoutMs: row.transport.type === 'stdio' ? timeoutMs * programFactor : timeoutMs,
        signal,
        version,
      })
    } catch (error) {
      // The values were encrypted with a secret that is gone; the message says how to fix it.
      if (error instanceof Failure) return { tookMs: 0, error: error.message }
      throw error
    }
  }

  async function probeAndStore(row: McpServerRow, limits: McpBounds, signal: AbortSignal): Promise<void> {
    const result = await find(row, limits, signal)
    // An aborted probe has no result.
    if (signal.aborted) return
    const slowMs = row.transport.type === 'stdio' ? limits.slowMs * programFactor : limits.slowMs
    await storeProbeResult(database, row, result, slowMs)
  }

  async function probeDue(signal: AbortSignal): Promise<void> {
    const limits = await bounds()
    const due = await listDue(database, { everyMs: limits.everyMs, programEveryMs })
    const rows = due.values()
    const work = async () => {
      for (const row of rows) {
        if (signal.aborted) return
        await probeAndStore(row, limits, signal)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  }

  return {
    list: (page) => listServers(database, page),
    count: () => countServers(database),
    read,

    async add(input, author) {
      const { transport, secrets } = await readTransport(input.transport, undefined, { outbound, stdio })
      const id = randomUUID()
      const encrypted = await encryptSecrets(encryption, id, secrets)
      return await withUniqueName(input.name, () =>
        database.transaction(async (transaction) => {
          const row = await insertServer(
            transaction,
            { ...input, id, transport, secrets: encrypted },
            maxServers,
          )
          if (row === undefined) throw tooMany()
          await writeEvent(transaction, 'added', row, author)
          return row
        }),
      )
    },

    async change(id, input, author) {
      const { name, enabled, allowFlows } = input
      const transport =
        input.transport === undefined ? undefined : await changeTransport(await read(id), input.transport)
      return await withUniqueName(name ?? '', () =>
        database.transaction(async (transaction) => {
          const row =
            (await updateServer(transaction, id, { name, enabled, allowFlows, ...transport })) ??
            throwNotFound()
          await writeEvent(transaction, 'changed', row, author)
          return row
        }),
      )
    },

    async remove(id, author) {
      await database.transaction(async (transaction) => {
        const row = (await deleteServer(transaction, id)) ?? throwNotFound()
        await writeEvent(transaction, 'removed', row, author)
      })
    },

    async probe(id, signal) {
      await probeAndStore(await read(id), await bounds(), signal)
      return await read(id)
    },

    service: async () => summariseServers(await countServers(database)),
    task: { name: 'status.mcp_servers', everyMs: 10_000, run: probeDue },
  }
}

function throwNotFound(): never {
  throw kernelFailure('not_found', { message: 'There is no MCP server with this id.' })
}

function tooMany() {
  return kernelFailure('conflict', {
    message: `The limit of ${maxServers} MCP servers is reached. Remove one first.`,
  })
}

/** Whether a null value refers to a stored one. */
function keepsStoredValue(given: McpServerInput['transport']): boolean {
  const values = given.type === 'http' ? given.headers : given.env
  return Object.values(values ?? {}).includes(null)
}

/** Names are unique. */
async function withUniqueName<Value>(name: string, write: () => Promise<Value>): Promise<Value> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw kernelFailure('conflict', { message: `An MCP server named ${name} already exists.` })
  }
}

const associatedDataOf = (id: string): AssociatedData => ({ purpose: 'mcp-server', place: id })

/** Null when there are no secrets. */
async function encryptSecrets(
  encryption: Pick<Encryption, 'encrypt'>,
  id: string,
  secrets: Secrets,
): Promise<string | null> {
  if (Object.keys(secrets).length === 0) return null
  return await encryption.encrypt(JSON.stringify(secrets), associatedDataOf(id))
}

/** Throws a Failure when the values were encrypted with a secret that is gone. */
export async function decryptSecrets(
  encryption: Pick<Encryption, 'decrypt'>,
  { id, secrets }: Pick<McpServerRow, 'id' | 'secrets'>,
): Promise<Secrets> {
  if (secrets === null) return {}
  return JSON.parse(await encryption.decrypt(secrets, associatedDataOf(id))) as Secrets
}

const maxNamed = 5

/**
 * All servers as one service. Disabled servers and servers without a probe do not count.
 *
 * | servers that count              | state          |
 * |---------------------------------|----------------|
 * | none                            | unconfigured   |
 * | all online                      | online         |
 * | all offline                     | offline        |
 * | anything else                   | degraded       |
 */
export function summariseServers(count: McpCount): ProbeResult {
  const { online, degraded, offline, slowestMs, names } = count
  const checked = online + degraded + offline
  if (checked === 0) {
    const problem =
      count.enabled === 0 ? 'No MCP server is registered.' : 'No MCP server has been checked yet.'
    return { state: 'unconfigured', problem }
  }
  // Null when no server answers over HTTP: the duration of this database query says nothing about the servers.
  const responseMs = slowestMs
  if (online === checked) return { state: 'online', problem: null, responseMs }
  const shownNames = `${names.slice(0, maxNamed).join(', ')}${names.length > maxNamed ? ', …' : ''}`
  const problem = `${offline + degraded} of ${checked} MCP servers ${offline + degraded === 1 ? 'has' : 'have'} problems: ${shownNames}.`
  return { state: offline === checked ? 'offline' : 'degraded', problem, responseMs }
}
