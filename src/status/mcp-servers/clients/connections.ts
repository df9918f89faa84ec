import type { McpConnection } from '../connection/connect.ts'

interface ConnectionsOptions {
  /** How long an unused connection stays open. */
  readonly idleMs: number
}

interface Lease extends AsyncDisposable {
  readonly connection: McpConnection
}

interface Wanted {
  readonly key: string
  readonly accountId: string
}

/** The open connections of this process. */
export interface Connections extends AsyncDisposable {
  /**
   * Leases the connection of a key, and opens it when there is none; several leases may share it. Undefined when the limit of the process or
   * of the account is reached. Throws what `open` throws.
   */
  lease(wanted: Wanted, open: () => Promise<McpConnection>): Promise<Lease | undefined>
}

/** A program of a server may take 100 MB of memory. */
const maxConnections = 32
const maxPerAccount = 8

interface Entry extends Wanted {
  readonly opening: Promise<McpConnection>
  leases: number
  timer: NodeJS.Timeout | undefined
}

/**
 * | connection                  | on                                        | next                                  |
 * |-----------------------------|-------------------------------------------|---------------------------------------|
 * | none                        | lease, below the limits                   | opening                               |
 * | none                        | lease, at a limit                         | an idle one is closed; else refused   |
 * | opening                     | it fails                                  | none; every waiting lease fails       |
 * | open                        | lease                                     | open, shared                          |
 * | open                        | last lease ends                           | idle for `idleMs`, then closed        |
 * | open                        | it broke                                  | closed with its last lease            |
 */
export function createConnections({ idleMs }: ConnectionsOptions): Connections {
  const entries = new Map<string, Entry>()
  const closing = new Set<Promise<void>>()

  function close(entry: Entry): void {
    clearTimeout(entry.timer)
    if (entries.get(entry.key) === entry) entries.delete(entry.key)
    const done = entry.opening.then(
      (connection) => connection.close(),
      () => {},
    )
    closing.add(done)
    void done.finally(() => closing.delete(done))
  }

  /** Whether another connection of the account may be opened, after an idle one was closed if need be. */
  function makeSpace(accountId: string): boolean {
    const ofAccount = [...entries.values()].filter((entry) => entry.accountId === accountId)
    const full =
      ofAccount.length >= maxPerAccount
        ? ofAccount
        : entries.size >= maxConnections
          ? [...entries.values()]
          : []
    if (full.length === 0) return true
    // The map is in the order of the last use.
    const idle = full.find(({ leases }) => leases === 0)
    if (idle === undefined) return false
    close(idle)
    return true
  }

  function release(entry: Entry, connection: McpConnection): void {
    entry.leases -= 1
    if (entry.leases > 0) return
    if (connection.isBroken()) {
      close(entry)
      return
    }
    entry.timer = setTimeout(() => close(entry), idleMs)
    entry.timer.unref()
  }

  return {
    async lease({ key, accountId }, open) {
      let entry = entries.get(key)
      if (entry === undefined) {
        if (!makeSpace(accountId)) return undefined
        entry = { key, accountId, opening: open(), leases: 0, timer: undefined }
      }
      const used = entry
      clearTimeout(used.timer)
      used.leases += 1
      entries.delete(key)
      entries.set(key, used)
      try {
        const connection = await used.opening
        return {
          connection,
          async [Symbol.asyncDispose]() {
            release(used, connection)
          },
        }
      } catch (error) {
        used.leases -= 1
        if (entries.get(key) === used) entries.delete(key)
        throw error
      }
    },
    async [Symbol.asyncDispose]() {
      for (const entry of entries.values()) close(entry)
      await Promise.all(closing)
    },
  }
}
