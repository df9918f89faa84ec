import { expect, test } from 'vitest'
import { toMessages } from './monitor.ts'

type OutboxEntry = Parameters<typeof toMessages>[1] extends AsyncIterable<infer Event> ? Event : never

const at = new Date('2026-11-15T12:00:00Z')
const event = (seq: number, type: string, data: Readonly<Record<string, unknown>> = {}): OutboxEntry => ({
  seq,
  at,
  type,
  data,
})
const token: OutboxEntry = { type: 'token', item: 0, stepId: 'a', text: 'Well' }

async function* happen(...events: readonly OutboxEntry[]): AsyncGenerator<OutboxEntry> {
  yield* events
}

async function tell(...events: readonly OutboxEntry[]) {
  const told: [id: unknown, event: unknown][] = []
  for await (const message of toMessages('x', happen(...events))) told.push([message.id, message.event])
  return told
}

test('the last message is execution_completed, with any outcome', async () => {
  for (const end of ['execution_completed', 'execution_failed', 'execution_cancelled']) {
    expect(await tell(event(1, 'step_started'), event(2, end))).toEqual([
      [1, 'step_started'],
      [2, 'execution_completed'],
    ])
  }
})

test('late text is sent before the end', async () => {
  expect(await tell(event(1, 'execution_completed'), token)).toEqual([
    [undefined, 'token'],
    [1, 'execution_completed'],
  ])
})

test('omitted text is reported as a gap at its position', async () => {
  const gap: OutboxEntry = { type: 'token_gap', item: 0, stepId: 'a', characters: 300 }
  const told: unknown[] = []
  for await (const message of toMessages('x', happen(token, gap))) told.push(message)
  expect(told).toEqual([
    { event: 'token', data: { execution_id: 'x', step_id: 'a', item: 0, text: 'Well' } },
    { event: 'token_gap', data: { execution_id: 'x', step_id: 'a', item: 0, characters: 300 } },
  ])
})

test('an end that was recovered is not the last message', async () => {
  expect(
    await tell(
      event(1, 'execution_failed'),
      event(2, 'execution_recovered'),
      event(3, 'execution_completed'),
    ),
  ).toEqual([
    [1, 'execution_ended'],
    [2, 'execution_recovered'],
    [3, 'execution_completed'],
  ])
})

test('decisions have the names of the API', async () => {
  const decision = {
    step_id: 'route',
    agent: 'router',
    decision: 'deep',
    confidence: 0.8,
    reasoning: 'It is long.',
    contextUsed: ['content'],
    alternatives: ['quick'],
    stepsAdded: ['check'],
  }
  for await (const { data } of toMessages('x', happen(event(1, 'agent_decision', decision)))) {
    expect(data).toEqual({
      execution_id: 'x',
      step_id: 'route',
      agent: 'router',
      decision: 'deep',
      confidence: 0.8,
      reasoning: 'It is long.',
      context_used: ['content'],
      alternative_paths_considered: ['quick'],
      workflow_modifications: { steps_added: ['check'] },
      timestamp: at.getTime() / 1000,
    })
  }
})
