import { CompiledQuery } from 'kysely'
import { similarIds } from '#engine'
import type { Database } from '#kernel/database'
import { Failure, kernelFailure, type Problem } from '#kernel/errors'
import { orchestraFailure } from '../errors.ts'
import type { Agent } from './agent.ts'
import { builtInAgents } from './built-in/built-in-agents.ts'
import { checkDefinition } from './check-definition.ts'
import type { AgentDefinition, AgentStatus, inputTypes } from './definition.ts'
import type { OutputForms } from './run/make-output.ts'
import {
  type AgentFilter,
  addVersion,
  hideAgent,
  insertAgent,
  listAgents,
  lockAgent,
  noSuchAgent,
  noSuchVersion,
  readAgent,
  readVersions,
  refuseBuiltIn,
  setStatus,
} from './store.ts'

interface SaveOptions {
  /** The account that saves; null is the platform itself. */
  readonly by: string | null
  /** The author's description of the change. */
  readonly note?: string | undefined
}

interface ChangeOptions extends SaveOptions {
  /** The version that the change is based on. A newer version is a conflict. */
  readonly expectedVersion?: number | undefined
}

interface Change {
  /** Undefined: unchanged. */
  readonly definition?: unknown
  readonly status?: AgentStatus | undefined
}

interface Changed {
  readonly agent: Agent
  /** False when the agent is unchanged. */
  readonly changed: boolean
}

/** The registry of agents and their versions. */
export interface Agents {
  /** The problems of a definition; empty when it can be saved. */
  check(definition: unknown): Promise<readonly Problem[]>
  /** Creates an agent. Throws `invalid_input`, or `AGENT_CONFLICT` when the id is taken. */
  create(
    definition: unknown,
    options: SaveOptions & { readonly status?: AgentStatus | undefined },
  ): Promise<Agent>
  /** Saves a new version, sets the status, or both. Of a built-in agent only the status can be set. */
  change(id: string, change: Change, options: ChangeOptions): Promise<Changed>
  /** Saves a new version that is the same as an old one. */
  rollBack(id: string, options: ChangeOptions & { readonly version: number }): Promise<Changed>
  /** Steps that name it fail from now on; its past outputs stay. */
  remove(id: string, options?: { readonly expectedVersion?: number | undefined }): Promise<void>
  /** The current or the given version; undefined when it does not exist. */
  find(id: string, version?: number): Promise<Agent | undefined>
  /** The same; throws `AGENT_NOT_FOUND` with similar ids. */
  read(id: string, version?: number): Promise<Agent>
  versions(id: string, page: { readonly limit: number; readonly offset: number }): Promise<readonly Agent[]>
  /** Sorted by label. */
  list(filter?: AgentFilter): Promise<readonly Agent[]>
  /** Saves the built-in agents of this release where they are new or changed. Several processes may do so at once. */
  seedBuiltIn(agents?: readonly AgentDefinition[]): Promise<void>
}

export interface AgentsOptions {
  readonly database: Database
  readonly forms: Pick<OutputForms, 'requireUsable'>
}

/** Creates the store of agents with their versions. */
export function createAgents({ database, forms }: AgentsOptions): Agents {
  async function check(given: unknown): Promise<readonly Problem[]> {
    const definition = fillDefaults(given)
    const problems = checkDefinition(definition)
    const schema = problems.length === 0 ? (definition as AgentDefinition).output_schema : undefined
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

  async function requireValid(given: unknown, id?: string): Promise<AgentDefinition> {
    const definition = fillDefaults(given)
    const found = await check(definition)
    const hasOtherId = found.length === 0 && id !== undefined && (definition as AgentDefinition).id !== id
    const problems = hasOtherId
      ? [{ path: 'id', message: `must be "${id}", as in the address`, code: 'id' }]
      : found
    if (problems.length === 0) return definition as AgentDefinition
    const [first] = problems
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
    throw kernelFailure('invalid_input', {
      message: `The agent cannot be saved as it is. ${first?.path ?? ''} ${first?.message ?? ''}${more}.`,
      problems: problems.map((problem) => ({ ...problem, path: `agent_definition.${problem.path}` })),
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
      const definition = await requireValid(given)
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
      const definition = given === undefined ? undefined : await requireValid(given, id)
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
      // An old version may violate a rule that was added later.
      await requireValid(definition, id)
      const changed = await database.transaction(async (transaction) => {
        const locked = await lockAgent(transaction, id, expectedVersion)
        refuseBuiltIn(locked)
        return await addVersion(transaction, locked, {
          definition,
          accountId: by,
          note: note ?? `Version ${version} again.`,
        })
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

type Given = Readonly<Record<string, unknown>>

const defaultInputTypes: readonly (typeof inputTypes)[number][] = ['text', 'markdown', 'html']

/** A definition with its defaults. A value that is no object stays as it is: the checks report it. */
export function fillDefaults(given: unknown): unknown {
  if (!isObject(given)) return given
  const { category, output_schema: schema, prompt, configuration = {} } = given
  return {
    capabilities: [category],
    supported_languages: ['*'],
    input_types: defaultInputTypes,
    output_format: schema === undefined ? 'text' : 'json',
    ...given,
    configuration: isObject(configuration)
      ? {
          supports_streaming: false,
          max_input_length: 100_000,
          timeout: 120,
          // Without a prompt no model is called, so there is nothing to retry.
          retry_limit: prompt === undefined ? 0 : 2,
          ...configuration,
        }
      : configuration,
  }
}

function isObject(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Writes the built-in agents of this release into the database. An agent of the same id that a user created earlier stays theirs,
 * and a disabled agent stays disabled. Processes that start together wait for each other at the row.
 */
async function seedBuiltIn(database: Database, agents: readonly AgentDefinition[]): Promise<void> {
  const changed = await findChanged(database, agents)
  for (const definition of agents) if (changed.has(definition.id)) await seed(database, definition)
}

/** Nearly every start finds no change, so one query decides. */
async function findChanged(
  database: Pick<Database, 'query'>,
  agents: readonly AgentDefinition[],
): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ id: string }>(
    `
      select given ->> 'id' as id
      from json_array_elements($1) as given
      where not exists (
        select
        from orchestra_agents as agent
        join orchestra_agent_versions as version
          on version.agent_id = agent.id and version.version = agent.current_version
        where agent.id = given ->> 'id' and version.definition = given::text::jsonb
          and version.written::text = given::text
      )
    `,
    [JSON.stringify(agents)],
  )
  return new Set(rows.map(({ id }) => id))
}

async function seed(database: Database, definition: AgentDefinition): Promise<void> {
  const { id } = definition
  await database.query(
    `
      with created as (
        insert into orchestra_agents (id, built_in, current_version) values ($1, true, 1)
        on conflict (id) do nothing
        returning id
      )
      insert into orchestra_agent_versions (agent_id, version, definition, written)
      select id, 1, $2::text::jsonb, $2::text::json from created
    `,
    [id, JSON.stringify(definition)],
  )
  await database.transaction(async (transaction) => {
    const { rows } = await transaction.executeQuery<{ currentVersion: number }>(
      CompiledQuery.raw(
        'select current_version as "currentVersion" from orchestra_agents where id = $1 and built_in for update',
        [id],
      ),
    )
    const [row] = rows
    if (row === undefined) return
    const note = 'Came with a new release.'
    if (await addVersion(transaction, { id, ...row }, { definition, accountId: null, note })) return
    // The same agent, written by an earlier release or with its keys in another order.
    await transaction.executeQuery(
      CompiledQuery.raw(
        'update orchestra_agent_versions set written = $3::json where agent_id = $1 and version = $2',
        [id, row.currentVersion, JSON.stringify(definition)],
      ),
    )
  })
}
