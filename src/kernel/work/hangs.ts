import { type Executor, type QueueDefinition, runStatement } from './queue.ts'

/** How often the main loop of a worker hung while it worked on the row. */
export async function countHangs(
  executor: Executor,
  { name }: QueueDefinition,
  key: string | number,
): Promise<number> {
  const [row] = await runStatement<{ count: number }>(
    executor,
    'select count from kernel_hangs where queue = $1 and key = $2',
    [name, String(key)],
  )
  return row?.count ?? 0
}
