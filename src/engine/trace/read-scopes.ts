import type { Database } from '#kernel/database'
import { endRow, openRow } from '../definition/nested-steps.ts'
import { kindOf, type Step } from '../definition/step-types.ts'
import { itemContext } from '../execution/batch-items.ts'
import { driverOf } from '../execution/containers/index.ts'
import { asText, type Scope } from '../expressions/paths.ts'
import type { Page } from '../flows/read-flows.ts'
import type { ExecutionEvent, StepOutcome, StoredError } from '../store/commit.ts'
import type { StoredExecution } from '../store/read-execution.ts'
import { type OutcomeRow, readRow } from '../store/read-outcomes.ts'
import { type Level, type NestedRead, readContainer, readLevels } from './scope-levels.ts'

/** A container or a scope of an execution. */
export interface ScopeAddress {
  readonly item: number
  /** The path of a container, `translate_all`, or of a scope, `translate_all/7`. */
  readonly path: string
}

/** The steps of one scope, in the form of an execution: the ids of outcomes and events are those of the definition. */
export interface TracedScope
  extends Pick<
    StoredExecution,
    'input' | 'outcomes' | 'events' | 'waits' | 'startedAt' | 'resumedAt' | 'finishedAt'
  > {
  readonly definition: StoredExecution['definition']
  /** Precedes the ids of its steps in step paths. */
  readonly path: string
  /** The scope around it, unless it sees nothing of it. */
  readonly outer: Scope | undefined
}

export interface ScopePage {
  /** The number of scopes of the container. */
  readonly total: number
  readonly scopes: readonly ScopeSummary[]
}

interface ScopeSummary {
  readonly index: number
  readonly state: 'running' | 'completed' | 'failed'
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
  /** Micro-dollars; null when a model without a price was used. */
  readonly spent: number | null
  readonly error: StoredError | null
  /** The item in a few words. */
  readonly label: string
}

/** The number of scopes of a container, and of those that have ended. */
export interface NestedCounts {
  readonly total: number
  readonly completed: number
  readonly failed: number
}

const maxLabelLength = 80

/** Reads the steps of a scope. Undefined: the execution has no such scope. */
export async function readScope(
  read: NestedRead,
  execution: StoredExecution,
  { item, path }: ScopeAddress,
): Promise<TracedScope | undefined> {
  const { database } = read
  const { id, definition } = execution
  const levels = await readLevels(read, { id, item, path, steps: definition.steps })
  const last = levels.at(-1)
  if (last === undefined) return undefined
  const prefix = `${path}/`
  const [outcomes, events] = await Promise.all([
    readOutcomesOf(read, { id, item, levels, prefix }),
    readEvents(database, { id, item, prefix }),
  ])
  let scope: Scope = {
    context: itemContext(execution.input.context, execution.input.batch, item),
    ...valuesOf(
      execution.definition.steps,
      execution.outcomes.filter((outcome) => outcome.item === item),
      '',
    ),
  }
  let startedAt = execution.startedAt
  for (const level of levels) {
    const { around, container, index } = level
    const opened = outcomes.find(({ stepId }) => stepId === `${around}${container.id}/${openRow}`)
    if (opened === undefined) return undefined
    const outer = scope
    const inside = `${around}${container.id}/${index}/`
    const variables = variablesOf(outcomes, level, opened)
    const { memory, steps } = valuesOf(stepsIn(outcomes, level), outcomes, inside)
    const values = { memory: { ...variables, ...memory }, steps }
    const own = driverOf(container).contextOf?.(opened.output)
    scope = own === undefined ? { ...values, context: outer.context, outer } : { ...values, context: own }
    startedAt = opened.finishedAt
  }
  const { container, around } = last
  const opened = outcomes.find(({ stepId }) => stepId === `${around}${container.id}/${openRow}`)
  const direct = outcomes
    .filter(({ stepId }) => isDirect(stepId, prefix))
    .map((outcome) => ({ ...outcome, stepId: outcome.stepId.slice(prefix.length) }))
  if (direct.length === 0 && events.length === 0) return undefined
  return {
    ...execution,
    definition: { ...definition, steps: [...stepsIn(outcomes, last)] },
    input: {
      options: execution.input.options,
      context: scope.context,
      memory: variablesOf(outcomes, last, opened),
    },
    outcomes: direct.filter(({ stepId }) => stepId !== endRow),
    events,
    waits: execution.waits
      .filter(({ stepId }) => isDirect(stepId, prefix))
      .map((wait) => ({ ...wait, stepId: wait.stepId.slice(prefix.length) })),
    startedAt,
    path: prefix,
    outer: scope.outer,
  }
}

/** The steps of a scope, with those that the engine adds. */
function stepsIn(outcomes: readonly StepOutcome[], level: Level): readonly Step[] {
  const { container, index } = level
  const before = resultBefore(outcomes, level)
  return [...(driverOf(container).graphOf?.(container, index, { before })?.steps.values() ?? level.steps)]
}

/** The variables of a scope, from the stored input of its container and the end of the scope before. */
function variablesOf(
  outcomes: readonly StepOutcome[],
  level: Level,
  opened: StepOutcome | undefined,
): Readonly<Record<string, unknown>> {
  const { container, index } = level
  return driverOf(container).variables(container, opened?.output, index, resultBefore(outcomes, level))
}

/** The result of the scope before this one. */
function resultBefore(outcomes: readonly StepOutcome[], { around, container, index }: Level): unknown {
  const before = `${around}${container.id}/${index - 1}/${endRow}`
  return outcomes.find(({ stepId }) => stepId === before)?.output ?? undefined
}

function isDirect(stepId: string, prefix: string): boolean {
  return stepId.startsWith(prefix) && !stepId.includes('/', prefix.length)
}

/** The outputs of completed steps, as the steps after them read them. */
function valuesOf(
  steps: readonly Step[],
  outcomes: readonly StepOutcome[],
  prefix: string,
): Pick<Scope, 'memory' | 'steps'> {
  const memory = Object.create(null) as Record<string, unknown>
  const outputs = Object.create(null) as Record<string, unknown>
  const byId = new Map(steps.map((step) => [`${prefix}${step.id}`, step]))
  for (const { stepId, state, output } of outcomes) {
    const step = byId.get(stepId)
    if (step === undefined || state !== 'completed') continue
    outputs[step.id] = output
    if (step.output_to_memory !== undefined) memory[step.output_to_memory] = output
  }
  return { memory, steps: outputs }
}

interface LevelsQuery {
  readonly id: string
  readonly item: number
  readonly levels: readonly Level[]
  readonly prefix: string
}

/** The outcomes of a scope and of the scopes around it, with the records of the containers, and the ends of the scopes before. */
async function readOutcomesOf(
  { database, outputs }: Pick<NestedRead, 'database' | 'outputs'>,
  { id, item, levels, prefix }: LevelsQuery,
): Promise<readonly StepOutcome[]> {
  const rows = await database.query<OutcomeRow>(
    `
      select step_id, item, seq, state, attempts, started_at, finished_at, output, output_object, choice, error, details, spent
      from engine_outcomes
      where execution_id = $1 and item = $2 and (
        step_id = any($3::text[])
        or exists (
          select from unnest($4::text[]) as prefix
          where starts_with(step_id, prefix) and position('/' in substr(step_id, length(prefix) + 1)) = 0
        )
      )
      order by seq
    `,
    [
      id,
      item,
      levels.flatMap(({ around, container, index }) => [
        `${around}${container.id}/${openRow}`,
        `${around}${container.id}/${index - 1}/${endRow}`,
      ]),
      [...levels.slice(1).map(({ around }) => around), prefix],
    ],
  )
  return await outputs.read(rows.map(readRow))
}

/** The events of the steps of a scope, with the ids of the definition. */
async function readEvents(
  database: Pick<Database, 'query'>,
  { id, item, prefix }: Pick<LevelsQuery, 'id' | 'item' | 'prefix'>,
): Promise<ExecutionEvent[]> {
  const rows = await database.query<{ entry: Omit<ExecutionEvent, 'at'> & { readonly at: string } }>(
    `
      select entry
      from engine_events, json_array_elements(entries) with ordinality as it (entry, nth)
      where execution_id = $1 and starts_with(entry -> 'data' ->> 'step_id', $2)
        and coalesce((entry -> 'data' ->> 'item')::int, 0) = $3
      order by first_seq, nth
    `,
    [id, prefix, item],
  )
  return rows
    .map(({ entry }) => entry)
    .filter(({ data }) => isDirect(String(data['step_id']), prefix))
    .map(({ at, data, ...entry }) => ({
      ...entry,
      at: new Date(at),
      data: { ...data, step_id: String(data['step_id']).slice(prefix.length) },
    }))
}

interface SummaryRow {
  readonly index: number
  readonly state: ScopeSummary['state'] | null
  readonly started_at: Date | null
  readonly finished_at: Date | null
  readonly spent: number | null
  readonly error: StoredError | null
}

/** Reads a page of the scopes of a container, failed ones first. Undefined: it has not been opened. */
export async function readScopes(
  read: NestedRead,
  { id, definition }: Pick<StoredExecution, 'id' | 'definition'>,
  { item, path }: ScopeAddress,
  { limit, offset }: Page,
): Promise<ScopePage | undefined> {
  const { database } = read
  const container = await readContainer(read, { id, item, path, steps: definition.steps })
  if (container === undefined) return undefined
  const found = await database.query<{ output: unknown; outputObject: string | null; total: number }>(
    `
      select output, output_object as "outputObject", (details ->> 'total')::int as total
      from engine_outcomes where execution_id = $1 and item = $2 and step_id = $3
    `,
    [id, item, `${path}/${openRow}`],
  )
  const [opened] = await read.outputs.read(found)
  if (opened === undefined) return undefined
  const rows = await database.query<SummaryRow>(
    `
      select split_part(substr(step_id, length($3) + 1), '/', 1)::int as index,
        max(state) filter (where step_id like '%/$end') as state,
        min(started_at) as started_at,
        max(finished_at) filter (where step_id like '%/$end') as finished_at,
        max(spent) filter (where step_id like '%/$end') as spent,
        (array_agg(error) filter (where step_id like '%/$end'))[1]::json as error
      from engine_steps
      where execution_id = $1 and item = $2 and starts_with(step_id, $3) and step_id <> $3 || '$open'
      group by 1
      order by coalesce(max(state) filter (where step_id like '%/$end') = 'failed', false) desc, 1
      limit $4 offset $5
    `,
    [id, item, `${path}/`, limit, offset],
  )
  const [name = ''] = kindOf(container).container?.variablesOf(container) ?? []
  return {
    total: opened.total,
    scopes: rows.map(({ index, state, started_at: startedAt, finished_at: finishedAt, spent, error }) => ({
      index,
      state: state ?? 'running',
      startedAt,
      finishedAt,
      spent: state === null ? 0 : spent,
      error,
      label: labelOf(driverOf(container).variables(container, opened.output, index)[name]),
    })),
  }
}

function labelOf(value: unknown): string {
  const text = asText(value).replaceAll(/\s+/g, ' ')
  return text.length > maxLabelLength ? `${text.slice(0, maxLabelLength - 1)}…` : text
}

/** Counts the ended scopes of every opened container. */
export async function countScopes(
  database: Pick<Database, 'query'>,
  id: string,
  item: number,
): Promise<ReadonlyMap<string, NestedCounts>> {
  const rows = await database.query<NestedCounts & { readonly path: string }>(
    `
      select path, max((details::json ->> 'total')::int) as total,
        count(*) filter (where is_end and state = 'completed') as completed,
        count(*) filter (where is_end and state = 'failed') as failed
      from (
        select state, details, step_id like '%/$end' as is_end,
          regexp_replace(step_id, '(/[0-9]+/\\$end|/\\$open)$', '') as path
        from engine_steps
        where execution_id = $1 and item = $2 and (step_id like '%/$end' or step_id like '%/$open')
      ) as row
      group by path
    `,
    [id, item],
  )
  return new Map(rows.map(({ path, total, completed, failed }) => [path, { total, completed, failed }]))
}

/** Counts the ended scopes of some containers of the flow itself. Reads no other rows of an execution, which may have 100,000. */
export async function countEndedScopes(
  database: Pick<Database, 'query'>,
  id: string,
  containers: readonly string[],
): Promise<ReadonlyMap<string, NestedCounts>> {
  const rows = await database.query<NestedCounts & { readonly path: string }>(
    `
      select container.path, (opened.details::json ->> 'total')::int as total, ended.completed, ended.failed
      from unnest($2::text[]) as container (path)
      join engine_steps as opened
        on opened.execution_id = $1 and opened.item = 0 and opened.step_id = container.path || '/$open'
      cross join lateral (
        select count(*) filter (where state = 'completed') as completed, count(*) filter (where state = 'failed') as failed
        from engine_steps
        where execution_id = $1 and item = 0 and position('/' in step_id) > 0
          and engine_scope_of(step_id) = container.path || '/'
      ) as ended
    `,
    [id, containers],
  )
  return new Map(rows.map(({ path, total, completed, failed }) => [path, { total, completed, failed }]))
}
