import { type Claim, type Executor, type QueueDefinition, runStatement } from './queue.ts'

/**
 * Marks that tell, after the death of a worker, which row it worked on. A mark costs a statement, so only the handlers of suspects set it:
 * of rows that were leased when an earlier worker died.
 *
 * | the row of `kernel_crashes` | on                                           | next                        |
 * |-----------------------------|----------------------------------------------|-----------------------------|
 * | none                        | `begin`                                      | marked, count 0             |
 * | marked                      | `pause`                                      | not marked                  |
 * | marked                      | its worker stops in order                    | not marked                  |
 * | marked                      | its worker dies                              | marked, by a dead worker    |
 * | marked, by a dead worker    | `begin` of the next one                      | marked, count + 1           |
 * | not marked                  | its worker dies                              | not marked                  |
 * | not marked                  | `begin`                                      | marked, the same count      |
 * | any                         | `forget`: the row is above suspicion         | none                        |
 */
export interface CrashMarks {
  /** Marks the row as the one its worker works on. Returns how often a worker died since it became a suspect, while it worked on it. */
  readonly begin: (claim: LeasedBy) => Promise<number>
  /** The worker does not work on the row for now. */
  readonly pause: (claim: LeasedBy) => Promise<void>
  readonly forget: (claim: LeasedBy) => Promise<void>
}

type LeasedBy = Pick<Claim<unknown>, 'key' | 'workerId'>

/** A mark of another worker is that of a dead one: it lost the row without removing it. Old marks are removed with each new one. */
const beginStatement = `
  with expired as (delete from kernel_crashes where last_at < now() - interval '30 days' and (queue, key) <> ($1, $2))
  insert into kernel_crashes (queue, key, worker) values ($1, $2, $3)
  on conflict (queue, key) do update
  set count = kernel_crashes.count + (kernel_crashes.worker <> $3 and kernel_crashes.worker is not null)::integer,
    worker = $3, last_at = now()
  returning count
`

export function createCrashMarks(executor: Executor, { name }: QueueDefinition): CrashMarks {
  const run = <Row>(statement: string, { key, workerId }: LeasedBy) =>
    runStatement<Row>(executor, statement, [name, String(key), workerId])
  return {
    async begin(claim) {
      const [row] = await run<{ count: number }>(beginStatement, claim)
      return row?.count ?? 0
    },
    async pause(claim) {
      await run(
        'update kernel_crashes set worker = null where queue = $1 and key = $2 and worker = $3',
        claim,
      )
    },
    async forget(claim) {
      await run(
        'delete from kernel_crashes where queue = $1 and key = $2 and (worker = $3 or worker is null)',
        claim,
      )
    },
  }
}
