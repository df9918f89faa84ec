import { clusterFailure } from '../errors.ts'

/** What operators have set for a node. */
export interface NodeSetting {
  readonly id: string
  readonly url: string
  /** An operator added the node: it exists without being named by a setting or discovery. */
  readonly added: boolean
  /** An operator removed the node: it stays away even if a setting or discovery names it. */
  readonly removed: boolean
  /** Null: the weight of the node's source. */
  readonly weight: number | null
  readonly draining: boolean
  /** The runtime of a node that an operator added; null: a probe recognises it. A release may not know a newer one. */
  readonly runtime: string | null
  /** The id of the account or key; null for an anonymous caller. */
  readonly changedBy: string | null
  readonly changedAt: Date
}

export interface StrategySetting {
  /** A release may not know a strategy that a newer one has stored. */
  readonly strategy: string
  readonly changedBy: string | null
  readonly changedAt: Date
}

/** Everything that operators have set. */
export interface OperatorSettings {
  readonly nodes: readonly NodeSetting[]
  /** Undefined: the strategy of the settings. */
  readonly strategy: StrategySetting | undefined
}

/** New values of a node; an absent field keeps its value. */
interface NodeSettingChange {
  readonly id: string
  readonly url: string
  readonly added?: boolean
  readonly removed?: boolean
  readonly weight?: number | null
  readonly draining?: boolean
  readonly runtime?: string | null
}

/** Keeps what operators have set. */
export interface OperatorStore {
  read(): Promise<OperatorSettings>
  saveNode(change: NodeSettingChange, by: string | null): Promise<void>
  /** Removes all that is set for a node. */
  forgetNode(id: string): Promise<void>
  saveStrategy(strategy: string, by: string | null): Promise<void>
  /** Invokes the callback after changes by other processes, and when some may have been missed. */
  follow(onChange: () => void): Promise<AsyncDisposable>
}

/** Settings of nodes that no operator added: the oldest beyond this number are dropped, because pods get new addresses all the time. */
export const maxNodeSettings = 1000

/** The settings of a node after a change. */
function changeNode(
  before: NodeSetting | undefined,
  change: NodeSettingChange,
  by: string | null,
): NodeSetting {
  const { id, url, added, removed, weight, draining, runtime } = change
  return {
    id,
    url,
    added: added ?? before?.added ?? false,
    removed: removed ?? before?.removed ?? false,
    weight: weight === undefined ? (before?.weight ?? null) : weight,
    draining: draining ?? before?.draining ?? false,
    runtime: runtime === undefined ? (before?.runtime ?? null) : runtime,
    changedBy: by,
    changedAt: new Date(),
  }
}

/** Where settings are kept as a whole. */
interface SettingsPlace {
  /** For the error of a change that cannot be stored. */
  readonly name: string
  readonly read: () => Promise<OperatorSettings>
  /** Stores them before they are in force. */
  readonly write: (settings: OperatorSettings) => Promise<void>
  readonly follow: (onChange: () => void) => Promise<AsyncDisposable>
}

/** Keeps settings in memory, for one process. */
export function createMemoryStore(): OperatorStore {
  let settings: OperatorSettings = { nodes: [], strategy: undefined }
  return createStoreAt({
    name: 'memory',
    read: async () => settings,
    async write(changed) {
      settings = changed
    },
    follow: async () => ({ async [Symbol.asyncDispose]() {} }),
  })
}

/** Keeps settings in a place that is replaced as a whole. A change that cannot be stored throws `change_not_stored`. */
export function createStoreAt({ name, read, write, follow }: SettingsPlace): OperatorStore {
  let last: Promise<void> = Promise.resolve()

  /** Changes are serialised: each is based on the result of the previous one. */
  async function change(edit: (before: OperatorSettings) => OperatorSettings): Promise<void> {
    const previous = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    try {
      await previous
      await write(edit(await read()))
    } catch (error) {
      throw clusterFailure('change_not_stored', {
        message: `The change could not be stored in ${name} (${codeOf(error)}); nothing was changed.`,
        cause: error,
      })
    } finally {
      resolve()
    }
  }

  return {
    read,
    saveNode: (given, by) =>
      change(({ nodes, strategy }) => {
        const before = nodes.find(({ id }) => id === given.id)
        const others = nodes.filter(({ id }) => id !== given.id)
        return { strategy, nodes: dropOldest([...others, changeNode(before, given, by)]) }
      }),
    forgetNode: (id) =>
      change(({ nodes, strategy }) => ({ strategy, nodes: nodes.filter((node) => node.id !== id) })),
    saveStrategy: (strategy, by) =>
      change(({ nodes }) => ({ nodes, strategy: { strategy, changedBy: by, changedAt: new Date() } })),
    follow,
  }
}

/** The code of a system error, or of the one that caused it. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  return 'code' in error ? String(error.code) : codeOf(error.cause)
}

/** The list is in the order of the changes. */
function dropOldest(nodes: readonly NodeSetting[]): readonly NodeSetting[] {
  const surplus = nodes.filter(({ added }) => !added).length - maxNodeSettings
  if (surplus <= 0) return nodes
  const dropped = new Set(nodes.filter(({ added }) => !added).slice(0, surplus))
  return nodes.filter((node) => !dropped.has(node))
}
