import { randomUUIDv7 } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Database, Session } from '#kernel/database'
import type { Encryption } from '#kernel/encryption'
import { Failure } from '#kernel/errors'
import { JsonText, largeText } from '#kernel/json-text'
import type { ObjectStore } from '#kernel/objects'
import type { Logger, Metrics } from '#kernel/telemetry'
import type { RecurringTask } from '#kernel/work'
import { engineFailure } from '../errors.ts'
import type { StepOutcome } from './commit.ts'
import { createObjectCache } from './object-cache.ts'

/**
 * Outputs above 64 KB, in the object store when one is configured. The row of the outcome then has a reference in place of the output,
 * `object:<id>:<bytes>`. An object is registered before it is written, so that no object is ever unknown:
 *
 * | an object                                        | its row in `engine_objects`   | and then                              |
 * |--------------------------------------------------|-------------------------------|---------------------------------------|
 * | is about to be written                           | to be checked in an hour      | written, and the outcome is committed |
 * | was written, and its outcome was not committed   | to be checked in an hour      | the check finds no outcome: deleted   |
 * | has an outcome                                   | not to be checked             | stays as long as the outcome          |
 * | lost its outcome (retention, cleanup, recovery)  | to be checked now, by trigger | deleted, unless a fork refers to it   |
 *
 * While the store is away, large outputs stay in the database, and reading one that is in the store fails with `objects_unavailable`.
 */
export interface LargeOutputs {
  /** The text to store in the row: a reference to the stored output, or the output itself. Does not throw because of the store. */
  store(executionId: string, output: string): Promise<string>
  /**
   * Reads the outputs that are in the store. Throws `objects_unavailable`. The output of a missing object is a sentence that says so.
   */
  read<Outcome extends StoredOutput>(outcomes: readonly Outcome[]): Promise<readonly Outcome[]>
  /** The same, with large outputs as a `JsonText`. */
  readTexts<Outcome extends StoredOutput>(outcomes: readonly Outcome[]): Promise<readonly Outcome[]>
  /** The same for work that needs the outputs: waits for the store until the signal aborts, and throws `output_missing`. */
  require<Outcome extends StoredOutput>(
    outcomes: readonly Outcome[],
    signal?: AbortSignal,
  ): Promise<readonly Outcome[]>
  /** Deletes objects that no outcome refers to. */
  readonly task: RecurringTask
}

type StoredOutput = Pick<StepOutcome, 'output' | 'outputObject'>

export interface LargeOutputsOptions {
  readonly database: Pick<Database, 'query'>
  /** Undefined: outputs are stored in the database. */
  readonly objects: ObjectStore | undefined
  readonly encryption: Pick<Encryption, 'encrypt' | 'decrypt'> | undefined
  readonly log: Logger
  readonly metrics?: Pick<Metrics, 'counter'> | undefined
}

/** Bytes of an output that stays in its row. */
export const maxRowBytes = 64 * 1024

/** After a failure, outputs go to the database for so long: each would have waited for the store. */
const avoidedMs = 30_000

const maxPauseMs = 10_000
const checkEveryMs = 60_000
const checkedTogether = 50

/** Bounds the outputs of one execution that are decrypted at the same time. */
const readTogether = 4

const purpose = 'step-output'

export function createLargeOutputs(options: LargeOutputsOptions): LargeOutputs {
  const { database, objects, encryption, log } = options
  const cache = createObjectCache()
  const stored = options.metrics?.counter({
    name: 'large_outputs_total',
    help: 'Outputs above 64 KB by where they were stored: object_store, or database while the store was unavailable.',
    labels: ['place'],
  })
  let avoidedUntil = 0

  async function put(executionId: string, output: string): Promise<string> {
    if (objects === undefined || encryption === undefined) return output
    const id = randomUUIDv7()
    const content = await encryption.encrypt(output, { purpose, place: id })
    await database.query(
      `insert into engine_objects (id, execution_id, check_at) values ($1, $2, now() + interval '1 hour')`,
      [id, executionId],
    )
    await objects.put(id, Buffer.from(content))
    return `object:${id}:${Buffer.byteLength(output)}`
  }

  async function get(reference: string): Promise<string | undefined> {
    if (objects === undefined || encryption === undefined) throw engineFailure('objects_not_configured')
    const { id } = parseReference(reference)
    const known = cache.get(id)
    if (known !== undefined) return known
    const content = await objects.get(id)
    if (content === undefined) return undefined
    const output = await encryption.decrypt(content.toString(), { purpose, place: id })
    cache.add(id, output)
    return output
  }

  async function fill<Outcome extends StoredOutput>(
    outcomes: readonly Outcome[],
    read: (text: string) => unknown,
    onMissing: (reference: string) => unknown,
  ): Promise<readonly Outcome[]> {
    if (!outcomes.some(({ outputObject }) => outputObject != null)) return outcomes
    const filled = [...outcomes]
    const waiting = [...outcomes.entries()]
    async function next(): Promise<void> {
      for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
        const [index, outcome] = entry
        if (outcome.outputObject == null) continue
        const text = await get(outcome.outputObject)
        const output = text === undefined ? onMissing(outcome.outputObject) : read(text)
        filled[index] = { ...outcome, output }
      }
    }
    await Promise.all(Array.from({ length: readTogether }, next))
    return filled
  }

  function reportMissing(reference: string): string {
    log.error({ object: parseReference(reference).id }, 'an output is missing in the object store')
    return missingMessage(reference)
  }

  return {
    async store(executionId, output) {
      if (objects === undefined || Buffer.byteLength(output) <= maxRowBytes) return output
      if (performance.now() > avoidedUntil) {
        try {
          const reference = await put(executionId, output)
          stored?.inc({ place: 'object_store' })
          return reference
        } catch (error) {
          if (!isUnavailable(error)) throw error
          avoidedUntil = performance.now() + avoidedMs
          log.warn(
            { err: error },
            'the object store is unavailable: large outputs are stored in the database',
          )
        }
      }
      stored?.inc({ place: 'database' })
      return output
    },

    read: (outcomes) => fill(outcomes, readValue, reportMissing),
    readTexts: (outcomes) => fill(outcomes, readLargeText, reportMissing),

    async require(outcomes, signal) {
      for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
        try {
          return await fill(outcomes, readValue, (reference) => {
            throw engineFailure('output_missing', { message: missingMessage(reference) })
          })
        } catch (error) {
          if (signal === undefined || !isUnavailable(error)) throw error
          log.warn({ err: error }, 'the object store is unavailable, retrying')
          await setTimeout(pauseMs, undefined, { signal })
        }
      }
    },

    task: {
      name: 'engine.objects',
      everyMs: checkEveryMs,
      async run(signal) {
        if (objects !== undefined) await deleteUnused(database, objects, signal)
      },
    },
  }
}

/** Takes objects to be checked, and looks whether an outcome of the execution refers to each. Until they are settled, they are due again later. */
const takeStatement = `
  with taken as (
    update engine_objects set check_at = now() + interval '10 minutes'
    where (id, execution_id) in (
      select id, execution_id from engine_objects where check_at <= now() order by check_at limit ${checkedTogether}
      for update skip locked
    )
    returning id, execution_id
  )
  select id, execution_id as "executionId", exists (
      select from engine_steps as step
      where step.execution_id = taken.execution_id and engine_is_object(step.output) and split_part(step.output, ':', 2) = taken.id::text
    ) as "isUsed"
  from taken
`

async function deleteUnused(
  database: Pick<Database, 'query'>,
  objects: ObjectStore,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const taken = await database.query<{ id: string; executionId: string; isUsed: boolean }>(takeStatement)
    for (const { id, executionId, isUsed } of taken) {
      signal.throwIfAborted()
      const key = [id, executionId]
      if (isUsed) {
        await database.query(
          'update engine_objects set check_at = null where id = $1 and execution_id = $2',
          key,
        )
        continue
      }
      const [other] = await database.query(
        'select from engine_objects where id = $1 and execution_id <> $2 limit 1',
        key,
      )
      // The row goes last: when the store is away, or this process dies, the next check tries again.
      if (other === undefined) await objects.delete(id)
      await database.query('delete from engine_objects where id = $1 and execution_id = $2', key)
    }
    if (taken.length < checkedTogether) return
  }
}

/** The keys of all objects, for a backup. A database whose migrations are pending may not have the table yet. */
export async function listObjects(session: Session): Promise<string[]> {
  const [table] = await session.query<{ exists: boolean }>(
    `select to_regclass('engine_objects') is not null as exists`,
  )
  if (table?.exists !== true) return []
  const rows = await session.query<{ id: string }>('select distinct id from engine_objects order by id')
  return rows.map(({ id }) => id)
}

function readValue(text: string): unknown {
  return JSON.parse(text)
}

function readLargeText(text: string): unknown {
  return text.length >= largeText ? new JsonText(text) : readValue(text)
}

function parseReference(reference: string): { readonly id: string; readonly bytes: string } {
  const [, id = '', bytes = ''] = reference.split(':')
  return { id, bytes }
}

function missingMessage(reference: string): string {
  const { id, bytes } = parseReference(reference)
  return `The output (${bytes} bytes) is missing in the object store: ${id}.`
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Failure && error.code === 'objects_unavailable'
}
