import type { Engine, ExecutionRecord, FlowEstimate } from '#engine'
import { type Expectation, expectationOf } from './expectation.ts'

/** What an execution is likely to take, from those before it. */
export async function estimateFor(
  { history }: Pick<Engine, 'history'>,
  { definition, metadata, input }: ExecutionRecord,
): Promise<FlowEstimate> {
  const { batch } = input
  return await history.estimate({
    definition,
    metadata,
    ...(batch !== undefined && {
      batch: { items: batch.items.length, size: batch.size, parallel: batch.parallel },
    }),
  })
}

export async function expect(
  engine: Pick<Engine, 'history'>,
  record: ExecutionRecord,
  now: Date,
): Promise<Expectation> {
  return expectationOf(record, await estimateFor(engine, record), now)
}
