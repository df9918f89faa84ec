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
import { probeServer } from './probe/probe-server.ts'
import { type GivenTransport, readTransport, stdioIsOff } from './read-transport.ts'
import type { McpFinding, McpServerRow, Secrets } from './server.ts'
import {
  countServers,
  deleteServer,
  insertServer,
  listDue,
  listServers,
  type McpCount,
  readServer,
  storeFinding,
  updateServer,
} from './store.ts'

/** How servers are watched. */
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

/** What somebody wants of a server. */
interface McpWish {
  readonly name: string
  readonly transport: Static<typeof GivenTransport>
  readonly enabled: boolean
}

/** Who asks for a change and from where, as the event about it keeps it. */
export interface AskedBy {
  readonly by: string | null
  readonly ip: string
  readonly user_agent: string | null
}

/** The servers of the Model Context Protocol that somebody wants to be watched. */
export interface McpServers {
  list(page: { readonly limit: number; readonly offset: number }): Promise<McpServerRow[]>
  count(): Promise<McpCount>
  read(id: string): Promise<McpServerRow>
  add(wish: McpWish, asked: AskedBy): Promise<McpServerRow>
  change(id: string, wish: Partial<McpWish>, asked: AskedBy): Promise<McpServerRow>
  remove(id: string, asked: AskedBy): Promise<void>
  /** Looks at one now, and keeps what it found. */
  probe(id: string, signal: AbortSignal): Promise<McpServerRow>
  /** All of them as one service, from what was last found. */
  readonly service: Probe
  readonly task: RecurringTask
}

const maxServers = 50
const atOnce = 5
/** Each look at a program starts it, so one that is well is left alone for longer. */
const programEveryMs = 5 * 60_000
/** A program has to start before it can answer. */
const programFactor = 3

export function createMcpServers(options: McpServersOptions): McpServers {
  const { database, events, encryption, outbound, version } = options
  const stdio = options.settings.mcpStdio
  const writeEvent = (transaction: EventTransaction, what: string, row: McpServerRow, asked: AskedBy) =>
    events.appendWithin(transaction, {
      type: `status.mcp_server_${what}`,
      subject: row.id,
      data: { name: row.name, transport: row.transport.type, ...asked },
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
    return (await readServer(database, id)) ?? missing()
  }

  async function reachAnew(before: McpServerRow, given: McpWish['transport']) {
    const opened = wantsOld(given) ? await openSecrets(encryption, before) : {}
    const known = { transport: before.transport, secrets: opened }
    const { transport, secrets } = await readTransport(given, known, { outbound, stdio })
    return { transport, secrets: await encryptSecrets(encryption, before.id, secrets) }
  }

  /** Never throws: what cannot be asked is offline, and the reason is told. */
  async function find(row: McpServerRow, { timeoutMs }: McpBounds, signal: AbortSignal): Promise<McpFinding> {
    if (row.transport.type === 'stdio' && !stdio) return { tookMs: 0, error: stdioIsOff }
    try {
      const secrets = await openSecrets(encryption, row)
      return await probeServer({
        transport: row.transport,
        secrets,
        outbound,
        timeoutMs: row.transport.type === 'stdio' ? timeoutMs * programFactor : timeoutMs,
        signal,
        version,
      })
    } catch (error) {
      // Its values were sealed with a secret that is no longer here; the sentence says what to do.
      if (error instanceof Failure) return { tookMs: 0, error: error.message }
      throw error
    }
  }

  async function look(row: McpServerRow, limits: McpBounds, signal: AbortSignal): Promise<void> {
    const finding = await find(row, limits, signal)
    // Whoever was interrupted has found out nothing.
    if (signal.aborted) return
    const slowMs = row.transport.type === 'stdio' ? limits.slowMs * programFactor : limits.slowMs
    await storeFinding(database, row, finding, slowMs)
  }

  async function lookAtDue(signal: AbortSignal): Promise<void> {
    const limits = await bounds()
    const due = await listDue(database, { everyMs: limits.everyMs, programEveryMs })
    const rows = due.values()
    const work = async () => {
      for (const row of rows) {
        if (signal.aborted) return
        await look(row, limits, signal)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }

  return {
    list: (page) => listServers(database, page),
    count: () => countServers(database),
    read,

    async add(wish, asked) {
      const { transport, secrets } = await readTransport(wish.transport, undefined, { outbound, stdio })
      const id = randomUUID()
      const sealed = await encryptSecrets(encryption, id, secrets)
      return await named(wish.name, () =>
        database.transaction(async (transaction) => {
          const row = await insertServer(transaction, { ...wish, id, transport, secrets: sealed }, maxServers)
          if (row === undefined) throw tooMany()
          await writeEvent(transaction, 'added', row, asked)
          return row
        }),
      )
    },

    async change(id, wish, asked) {
      const { name, enabled } = wish
      const reach = wish.transport === undefined ? undefined : await reachAnew(await read(id), wish.transport)
      return await named(name ?? '', () =>
        database.transaction(async (transaction) => {
          const row = (await updateServer(transaction, id, { name, enabled, ...reach })) ?? missing()
          await writeEvent(transaction, 'changed', row, asked)
          return row
        }),
      )
    },

    async remove(id, asked) {
      await database.transaction(async (transaction) => {
        const row = (await deleteServer(transaction, id)) ?? missing()
        await writeEvent(transaction, 'removed', row, asked)
      })
    },

    async probe(id, signal) {
      await look(await read(id), await bounds(), signal)
      return await read(id)
    },

    service: async () => judgeServers(await countServers(database)),
    task: { name: 'status.mcp_servers', everyMs: 10_000, run: lookAtDue },
  }
}

function missing(): never {
  throw kernelFailure('not_found', { message: 'There is no MCP server with this id.' })
}

function tooMany() {
  return kernelFailure('conflict', {
    message: `There are ${maxServers} MCP servers already, which is the most. Remove one first.`,
  })
}

/** Whether a value that is stored is to be kept. */
function wantsOld(given: McpWish['transport']): boolean {
  const values = given.type === 'http' ? given.headers : given.env
  return Object.values(values ?? {}).includes(null)
}

/** Two servers of one name could not be told apart. */
async function named<Value>(name: string, write: () => Promise<Value>): Promise<Value> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw kernelFailure('conflict', { message: `There is an MCP server named ${name} already.` })
  }
}

const associatedDataOf = (id: string): AssociatedData => ({ purpose: 'mcp-server', place: id })

/** Null when there is nothing to hide. */
async function encryptSecrets(
  encryption: Pick<Encryption, 'encrypt'>,
  id: string,
  secrets: Secrets,
): Promise<string | null> {
  if (Object.keys(secrets).length === 0) return null
  return await encryption.encrypt(JSON.stringify(secrets), associatedDataOf(id))
}

async function openSecrets(
  encryption: Pick<Encryption, 'decrypt'>,
  { id, secrets }: Pick<McpServerRow, 'id' | 'secrets'>,
): Promise<Secrets> {
  if (secrets === null) return {}
  return JSON.parse(await encryption.decrypt(secrets, associatedDataOf(id))) as Secrets
}

const maxNamed = 5

/**
 * All servers as one service. Those that are switched off, and those that nobody has looked at yet, do not count.
 *
 * | of those that count             | the service is |
 * |---------------------------------|----------------|
 * | there are none                  | unconfigured   |
 * | all are online                  | online         |
 * | all are offline                 | offline        |
 * | anything else                   | degraded       |
 */
export function judgeServers(count: McpCount): ProbeResult {
  const { online, degraded, offline, slowestMs, names } = count
  const looked = online + degraded + offline
  if (looked === 0) {
    const problem = count.enabled === 0 ? 'No MCP server is registered.' : 'No MCP server was looked at yet.'
    return { state: 'unconfigured', problem }
  }
  // Null where only programs answer, or nobody: how long it takes to read this here says nothing about them.
  const responseMs = slowestMs
  if (online === looked) return { state: 'online', problem: null, responseMs }
  const told = `${names.slice(0, maxNamed).join(', ')}${names.length > maxNamed ? ', …' : ''}`
  const problem = `${offline + degraded} of ${looked} MCP servers ${offline + degraded === 1 ? 'is' : 'are'} not well: ${told}.`
  return { state: offline === looked ? 'offline' : 'degraded', problem, responseMs }
}
