import type { Database } from '#kernel/database'
import { createWorkerDirectory } from '#kernel/work'
import { builtInFlows } from '../built-in/built-in-flows.ts'
import { redactForComparison } from '../definition/credentials.ts'
import { engineFailure } from '../errors.ts'
import { type CheckedWhole, type Checks, checkWholeFlow, type GivenFlow } from './check-whole-flow.ts'
import { diffFlows, type FlowDiff } from './diff-flows.ts'
import { type Draft, insertDraft } from './drafts.ts'
import type { FlowMetadata } from './flow-metadata.ts'
import { requireEnabled, setFlowState } from './flow-state.ts'
import { findFlowsNaming } from './flows-naming.ts'
import {
  type Flow,
  type FlowFilter,
  listFlows,
  type Page,
  readFlow,
  readFlowIds,
  readStoredDefinition,
  readVersions,
} from './read-flows.ts'
import { requireSupported } from './require-supported.ts'
import type { ResolveTools } from './resolve-tools.ts'
import { type BuiltInFlow, seedBuiltIn } from './seed-built-in.ts'
import { similarIds } from './similar-ids.ts'
import {
  addVersion,
  hideFlow,
  insertFlow,
  lockFlow,
  noSuchFlow,
  noSuchVersion,
  readMetadata,
} from './write-flows.ts'

/** The author of a version; null: the system. */
interface FlowAuthor {
  readonly accountId: string | null
  readonly username: string | null
}

interface SaveOptions {
  readonly by: FlowAuthor
  /** The author's description of the change. */
  readonly note?: string | undefined
}

interface ChangeOptions extends SaveOptions {
  /** The version the author has read. A newer one is a conflict. */
  readonly expectedVersion?: number | undefined
}

interface SavedFlow {
  readonly flow: Flow
  readonly checked: CheckedWhole
  /** False: it equals the current version, and no version was created. */
  readonly changed: boolean
}

type FlowTransaction = Parameters<Parameters<Database['transaction']>[0]>[0]

interface ComparedFlows {
  readonly from: number
  readonly to: number
  readonly diff: FlowDiff
}

/** Reads, checks and saves flows with all their versions. Saving throws `platform_updating` while an older worker could not run the flow. */
export interface Flows {
  /** Checks a flow like saving, without saving it. */
  check(given: GivenFlow, by?: Pick<FlowAuthor, 'accountId'>): Promise<CheckedWhole>
  /** Creates a flow. Throws `invalid_flow_definition`, or `flow_conflict` when the id is taken. */
  create(given: GivenFlow, options: SaveOptions): Promise<SavedFlow>
  /** Stores a flow that is run without being saved. Throws `invalid_flow_definition`. */
  keepDraft(given: GivenFlow, accountId: string): Promise<Draft>
  /** Creates a new version. Without metadata the stored one is kept. Throws `invalid_flow_definition`, `flow_not_found` or `flow_conflict`. */
  change(id: string, given: GivenFlow, options: ChangeOptions): Promise<SavedFlow>
  /** Creates a new version equal to an old one. Throws `flow_not_found` or `flow_conflict`. */
  rollBack(id: string, options: ChangeOptions & { readonly version: number }): Promise<SavedFlow>
  /** Deletes a flow. Its running executions continue; returns their number. Throws `flow_not_found` or `flow_conflict`. */
  remove(id: string, options?: { readonly expectedVersion?: number | undefined }): Promise<number>
  /**
   * Enables or disables a flow. Returns whether its state changed; `inTransaction` is called only then. Throws `flow_not_found`.
   */
  setEnabled(
    id: string,
    enabled: boolean,
    options: {
      readonly by: string | null
      readonly inTransaction?: (transaction: FlowTransaction) => Promise<void>
    },
  ): Promise<boolean>
  /** Throws `flow_disabled` unless the flow is enabled. */
  requireEnabled(flow: Pick<Flow, 'flowId' | 'disabledAt'>): void
  /** The current or another version; undefined: it does not exist. */
  find(id: string, version?: number): Promise<Flow | undefined>
  /** The current or another version. Throws `flow_not_found`, with similar ids. */
  read(id: string, version?: number): Promise<Flow>
  /** The differences between two versions. Default: the current one and the one before `to`. Credentials are compared, but not shown. */
  compare(id: string, versions: { readonly from?: number; readonly to?: number }): Promise<ComparedFlows>
  versions(id: string, page: Page): Promise<{ readonly versions: readonly Flow[]; readonly total: number }>
  list(filter: FlowFilter): Promise<{ readonly flows: readonly Flow[]; readonly total: number }>
  /** The flows whose current version names a secret or connection, 100 at most. */
  naming(
    part: 'secret' | 'connection',
    name: string,
  ): Promise<readonly { readonly flowId: string; readonly label: string }[]>
  /** Ids of flows similar to this one, for error messages. */
  similarTo(id: string): Promise<readonly string[]>
  /** Creates the built-in flows, or new versions of changed ones. Concurrent processes may call it. */
  seedBuiltIn(flows?: readonly BuiltInFlow[]): Promise<void>
}

export interface FlowsOptions extends Checks {
  readonly database: Database
  /** Completes the tools of flows when they are saved. Default: they stay as they are. */
  readonly resolveTools?: ResolveTools | undefined
}

/** Creates the access to stored flows. The methods document the errors that they throw. */
export function createFlows({ database, resolveTools, ...checks }: FlowsOptions): Flows {
  const workers = createWorkerDirectory(database)
  const readStored = (id: string) => readStoredDefinition(database, id)
  const readSubFlow = (id: string, version?: number) => readFlow(database, id, version)
  /** With credentials; redacted when the flow was deleted in the meantime. */
  const definitionOf = async ({ flowId, version, definition }: Flow) =>
    (await readStoredDefinition(database, flowId, version)) ?? definition

  async function requireSound(given: GivenFlow, { accountId }: Pick<FlowAuthor, 'accountId'>, id?: string) {
    const known = { id, readStored, readSubFlow, accountId, resolveTools }
    const checked = await checkWholeFlow(given, { ...checks, ...known })
    if (checked.definition !== undefined) {
      await requireSupported(workers, checked.definition)
      return { ...checked, definition: checked.definition }
    }
    const { problems } = checked
    const [first] = problems
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
    const message = `The flow cannot be saved as it is. ${first?.path ?? ''}: ${first?.message ?? ''}${more}`
    throw engineFailure('invalid_flow_definition', {
      message: /[.?!]$/.test(message) ? message : `${message}.`,
      problems,
    })
  }

  async function read(id: string, version?: number): Promise<Flow> {
    const flow = await readFlow(database, id, version)
    if (flow !== undefined) return flow
    const current = version === undefined ? undefined : await readFlow(database, id)
    if (current !== undefined && version !== undefined)
      throw noSuchVersion(id, version, current.currentVersion)
    throw noSuchFlow(id, similarIds(id, await readFlowIds(database)))
  }

  return {
    check: (given, by) =>
      checkWholeFlow(given, { ...checks, readStored, readSubFlow, accountId: by?.accountId }),

    async create(given, { by, note }) {
      const checked = await requireSound(given, by)
      const { definition } = checked
      const metadata = signed(checked.metadata ?? {}, by.username)
      const version = { definition, metadata, accountId: by.accountId, note: note ?? null }
      if (!(await insertFlow(database, version))) {
        throw engineFailure('flow_conflict', {
          message: `There is a flow "${definition.id}" already. PUT it to make a new version, or choose another id.`,
          details: { flow_id: definition.id },
        })
      }
      return { flow: await read(definition.id), checked, changed: true }
    },

    async keepDraft(given, accountId) {
      const { definition } = await requireSound(given, { accountId })
      return await insertDraft(database, definition, accountId)
    },

    async change(id, given, { by, note, expectedVersion }) {
      const checked = await requireSound(given, by, id)
      const changed = await database.transaction(async (transaction) => {
        const locked = await lockFlow(transaction, id, expectedVersion)
        const before = await readMetadata(transaction, locked)
        const metadata =
          checked.metadata === undefined ? before : signed(checked.metadata, before.created_by ?? by.username)
        return addVersion(transaction, locked, {
          definition: checked.definition,
          metadata,
          accountId: by.accountId,
          note: note ?? null,
        })
      })
      return { flow: await read(id), checked, changed }
    },

    async rollBack(id, { version, by, note, expectedVersion }) {
      const old = await read(id, version)
      const { metadata } = old
      const definition = await definitionOf(old)
      // An old version may violate a rule that was added later.
      const checked = await requireSound({ definition, metadata }, by, id)
      const changed = await database.transaction(async (transaction) =>
        addVersion(transaction, await lockFlow(transaction, id, expectedVersion), {
          definition,
          metadata,
          accountId: by.accountId,
          note: note ?? `Version ${version} again.`,
        }),
      )
      return { flow: await read(id), checked, changed }
    },

    remove: (id, { expectedVersion } = {}) =>
      database.transaction(async (transaction) =>
        hideFlow(transaction, await lockFlow(transaction, id, expectedVersion)),
      ),

    setEnabled: (id, enabled, { by, inTransaction }) =>
      database.transaction(async (transaction) => {
        const changed = await setFlowState(transaction, { id, enabled, by })
        if (changed) await inTransaction?.(transaction)
        return changed
      }),
    requireEnabled,
    find: (id, version) => readFlow(database, id, version),
    read,
    async compare(id, { from, to }) {
      const newer = await read(id, to)
      const older = await read(id, from ?? Math.max(1, newer.version - 1))
      const [before, after] = redactForComparison(await definitionOf(older), await definitionOf(newer))
      const diff = diffFlows({ ...older, definition: before }, { ...newer, definition: after })
      return { from: older.version, to: newer.version, diff }
    },
    async versions(id, page) {
      const found = await readVersions(database, id, page)
      if (found.total === 0) throw noSuchFlow(id, similarIds(id, await readFlowIds(database)))
      return found
    },
    list: (filter) => listFlows(database, filter),
    naming: (part, name) => findFlowsNaming(database, part, name),
    similarTo: async (id) => similarIds(id, await readFlowIds(database)),
    seedBuiltIn: (given = builtInFlows) => seedBuiltIn(database, given),
  }
}

function signed(metadata: FlowMetadata, username: string | null): FlowMetadata {
  return metadata.created_by === undefined && username !== null
    ? { ...metadata, created_by: username }
    : metadata
}
