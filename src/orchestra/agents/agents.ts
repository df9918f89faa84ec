import { similarIds } from '#engine'
import type { Database } from '#kernel/database'
import { Failure, kernelFailure, type Problem } from '#kernel/errors'
import { orchestraFailure } from '../errors.ts'
import type { Agent } from './agent.ts'
import { builtInAgents } from './built-in/built-in-agents.ts'
import { checkDefinition } from './check-definition.ts'
import type { AgentDefinition, AgentStatus } from './definition.ts'
import { fillDefaults } from './fill-defaults.ts'
import { type AgentFilter, listAgents, readAgent, readVersions } from './read-agents.ts'
import type { OutputForms } from './run/output-forms.ts'
import { seedBuiltIn } from './seed-built-in.ts'
import {
  addVersion,
  hideAgent,
  insertAgent,
  lockAgent,
  noSuchAgent,
  noSuchVersion,
  refuseBuiltIn,
  setStatus,
} from './write-agents.ts'

interface SaveOptions {
  /** The account that saves; null is the machine itself. */
  readonly by: string | null
  /** What changed, in their words. */
  readonly note?: string | undefined
}

interface ChangeOptions extends SaveOptions {
  /** The version they know: somebody else's save in between is a conflict. */
  readonly expectedVersion?: number | undefined
}

interface Change {
  /** Undefined: as it is. */
  readonly definition?: unknown
  readonly status?: AgentStatus | undefined
}

interface Changed {
  readonly agent: Agent
  /** False when nothing is different from before. */
  readonly changed: boolean
}

/** The agents there are, and every version of them. */
export interface Agents {
  /** Everything that is wrong with a definition; nothing when it could be saved. */
  check(definition: unknown): Promise<readonly Problem[]>
  /** Makes an agent. Throws `invalid_input`, or `AGENT_CONFLICT` when the id is taken. */
  create(
    definition: unknown,
    options: SaveOptions & { readonly status?: AgentStatus | undefined },
  ): Promise<Agent>
  /** Makes a new version, sets the status, or both. Of those that come with the platform only the status can be set. */
  change(id: string, change: Change, options: ChangeOptions): Promise<Changed>
  /** Makes a new version that is the same as an old one. */
  rollBack(id: string, options: ChangeOptions & { readonly version: number }): Promise<Changed>
  /** Steps that name it fail from now on; what it made stays. */
  remove(id: string, options?: { readonly expectedVersion?: number | undefined }): Promise<void>
  /** The current version, or another; undefined when there is none. */
  find(id: string, version?: number): Promise<Agent | undefined>
  /** The same, and throws `AGENT_NOT_FOUND`, with what may have been meant. */
  read(id: string, version?: number): Promise<Agent>
  versions(id: string, page: { readonly limit: number; readonly offset: number }): Promise<readonly Agent[]>
  /** By label. */
  list(filter?: AgentFilter): Promise<readonly Agent[]>
  /** Makes the agents that come with the platform, or new versions of those that changed. Any number of processes may do it. */
  seedBuiltIn(agents?: readonly AgentDefinition[]): Promise<void>
}

export interface AgentsOptions {
  readonly database: Database
  readonly forms: Pick<OutputForms, 'requireUsable'>
}

export function createAgents({ database, forms }: AgentsOptions): Agents {
  async function check(written: unknown): Promise<readonly Problem[]> {
    const given = fillDefaults(written)
    const problems = checkDefinition(given)
    const schema = problems.length === 0 ? (given as AgentDefinition).output_schema : undefined
    return schema === undefined ? problems : await checkSchema(schema)
  }

  async function checkSchema(schema: Readonly<Record<string, unknown>>): Promise<Problem[]> {
    try {
      await forms.requireUsable(schema)
      return []
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'invalid_input') throw error
      return error.problems.map(({ message, code }) => ({ path: 'output_schema', message, code }))
    }
  }

  async function requireSound(written: unknown, id?: string): Promise<AgentDefinition> {
    const given = fillDefaults(written)
    const found = await check(given)
    const isAnother = found.length === 0 && id !== undefined && (given as AgentDefinition).id !== id
    const problems = isAnother
      ? [{ path: 'id', message: `must be "${id}", as in the address`, code: 'id' }]
      : found
    if (problems.length === 0) return given as AgentDefinition
    const [first] = problems
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
    throw kernelFailure('invalid_input', {
      message: `The agent cannot be saved as it is. ${first?.path ?? ''} ${first?.message ?? ''}${more}.`,
      problems: problems.map((problem) => ({ ...problem, path: `agent_definition.${problem.path}` })),
      details: { part: 'body' },
    })
  }

  async function read(id: string, version?: number): Promise<Agent> {
    const agent = await readAgent(database, id, version)
    if (agent !== undefined) return agent
    const current = version === undefined ? undefined : await readAgent(database, id)
    if (current !== undefined && version !== undefined)
      throw noSuchVersion(id, version, current.currentVersion)
    const ids = (await listAgents(database)).map((known) => known.id)
    throw noSuchAgent(id, similarIds(id, ids))
  }

  return {
    check,
    async create(given, { by, note, status = 'active' }) {
      const definition = await requireSound(given)
      const { id } = definition
      if (!(await insertAgent(database, { definition, accountId: by, note: note ?? null, status }))) {
        const builtIn = (await readAgent(database, id))?.builtIn === true
        throw orchestraFailure('AGENT_CONFLICT', {
          message: builtIn
            ? `"${id}" is an agent that comes with the platform. Choose another id.`
            : `There is an agent "${id}" already. PUT it to make a new version, or choose another id.`,
          details: { agent_id: id, built_in: builtIn },
        })
      }
      return await read(id)
    },

    async change(id, { definition: given, status }, { by, note, expectedVersion }) {
      await read(id)
      const definition = given === undefined ? undefined : await requireSound(given, id)
      const changed = await database.transaction(async (transaction) => {
        const locked = await lockAgent(transaction, id, expectedVersion)
        if (definition !== undefined) refuseBuiltIn(locked)
        const isSet = status !== undefined && (await setStatus(transaction, locked, status))
        const isAdded =
          definition !== undefined &&
          (await addVersion(transaction, locked, { definition, accountId: by, note: note ?? null }))
        return isSet || isAdded
      })
      return { agent: await read(id), changed }
    },

    async rollBack(id, { version, by, note, expectedVersion }) {
      const { definition } = await read(id, version)
      // What could be saved once may be against a rule that came later.
      await requireSound(definition, id)
      const changed = await database.transaction(async (transaction) => {
        const locked = await lockAgent(transaction, id, expectedVersion)
        refuseBuiltIn(locked)
        const told = note ?? `Version ${version} again.`
        return await addVersion(transaction, locked, { definition, accountId: by, note: told })
      })
      return { agent: await read(id), changed }
    },

    async remove(id, { expectedVersion } = {}) {
      await read(id)
      await database.transaction(async (transaction) => {
        const locked = await lockAgent(transaction, id, expectedVersion)
        refuseBuiltIn(locked)
        await hideAgent(transaction, locked)
      })
    },

    find: (id, version) => readAgent(database, id, version),
    read,
    async versions(id, page) {
      await read(id)
      return await readVersions(database, id, page)
    },
    list: (filter) => listAgents(database, filter),
    seedBuiltIn: (given = builtInAgents) => seedBuiltIn(database, given),
  }
}
