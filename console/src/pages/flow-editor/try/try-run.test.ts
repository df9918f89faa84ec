import { describe, expect, test } from 'vitest'
import type { Trace, TracedStep } from '../../executions/execution-queries.ts'
import { missingIn, type Told, tryRunOf, withNeeded } from './try-run.ts'

const step = (id: string, more: Partial<TracedStep> = {}): TracedStep => ({
  step_id: id,
  label: null,
  step_type: 'ai_prompt',
  state: 'waiting',
  on_demand: false,
  ready_at: null,
  started_at: null,
  finished_at: null,
  attempts: [],
  input_tokens: 0,
  output_tokens: 0,
  cost: 0,
  unpriced: false,
  ai_provider: null,
  model_used: null,
  cache_hits: 0,
  confidence: null,
  quality: null,
  output_to_memory: null,
  skipped_because: null,
  reused_from: null,
  nested: null,
  error: null,
  ...more,
})

const trace = (steps: TracedStep[], more: Partial<Trace> = {}): Trace => ({
  execution_id: 'x',
  flow_id: 'draft:1',
  flow_version: 1,
  flow_label: 'Draft',
  status: 'running',
  item: 0,
  items: 0,
  created_at: 100,
  started_at: 100,
  finished_at: null,
  execution_time: 0,
  as_of: 100,
  idle: [],
  account_id: 'mara',
  trigger: 'request',
  approval: null,
  waits: [],
  forked_from: null,
  rerun_of: null,
  forked_at_step: null,
  edges: [],
  steps,
  memory: [],
  decisions: [],
  within: null,
  scopes: [],
  scopes_total: 0,
  ...more,
})

const none = {
  execution: 'x',
  texts: new Map<string, string>(),
  details: new Map<string, Told>(),
  outcome: undefined,
  isOfOlderDraft: false,
}

describe('a test run', () => {
  test('is running before the first event', () => {
    expect(tryRunOf({ ...none, trace: undefined })).toMatchObject({ isUnderWay: true, status: 'queued' })
  })

  test('shows streamed model output, and none for steps that did not start', () => {
    const tried = tryRunOf({
      ...none,
      trace: trace([step('now', { state: 'running', started_at: 101 }), step('later')]),
      texts: new Map([
        ['now', 'The sea'],
        ['later', 'of another run'],
      ]),
    })
    expect(tried.steps.get('now')).toMatchObject({ state: 'running', output: 'The sea', cost: null })
    expect(tried.steps.get('later')).toMatchObject({ state: 'waiting', output: null })
  })

  test('shows output from before the stream opened, and the output of a step once it is known', () => {
    const tried = tryRunOf({
      ...none,
      trace: trace([step('say', { state: 'running' }), step('sum', { state: 'completed' })]),
      texts: new Map([['say', 'is calm']]),
      details: new Map<string, Told>([
        ['say', { state: 'running', text_so_far: 'The sea is', output: null }],
        ['sum', { state: 'completed', text_so_far: null, output: 3 }],
      ]),
    })
    expect(tried.steps.get('say')?.output).toBe('The sea is calm')
    expect(tried.steps.get('sum')).toMatchObject({ output: '3', made: 3 })
  })

  test('that finished shows the output, duration and cost of every step', () => {
    const done = { state: 'completed', started_at: 101, finished_at: 101.5 } as const
    const tried = tryRunOf({
      ...none,
      trace: trace([step('say', { ...done, cost: 0.5, label: 'Say it' }), step('sum', done)], {
        status: 'completed',
        finished_at: 102,
        execution_time: 2,
      }),
      texts: new Map([['say', 'The sea is']]),
      outcome: {
        error: null,
        made: new Map<string, string | { n: number }>([
          ['say', 'The sea is calm.'],
          ['sum', { n: 1 }],
        ]),
      },
    })
    expect(tried).toMatchObject({ isUnderWay: false, cost: 0.5, durationMs: 2000 })
    expect(tried.steps.get('say')).toMatchObject({
      label: 'Say it',
      output: 'The sea is calm.',
      cost: 0.5,
      durationMs: 500,
    })
    expect(tried.steps.get('sum')).toMatchObject({ output: '{\n  "n": 1\n}', made: { n: 1 } })
  })

  test('that failed shows the step and the reason, and which steps did not run', () => {
    const error = { code: 'INVALID_STEP', message: 'It has nothing to add.' }
    const tried = tryRunOf({
      ...none,
      trace: trace(
        [
          step('bad', { state: 'failed', error }),
          step('after', { state: 'skipped', skipped_because: 'bad failed', finished_at: 101, cost: 0 }),
          step('last'),
        ],
        {
          status: 'failed',
        },
      ),
      outcome: { error, made: new Map([['bad', 'a message for when it fails']]) },
      isOfOlderDraft: true,
    })
    expect(tried).toMatchObject({ status: 'failed', error, isOfOlderDraft: true })
    expect(tried.steps.get('bad')).toMatchObject({ error, output: null })
    expect(tried.steps.get('after')).toMatchObject({ skippedBecause: 'bad failed', output: null, cost: null })
    expect(tried.steps.get('last')).toMatchObject({
      state: 'skipped',
      skippedBecause: 'Not reached.',
    })
  })

  test('keeps the end of a long streamed text, and the beginning of a complete one', () => {
    const long = `begin${'x'.repeat(5000)}end`
    const texts = new Map([['say', long]])
    const running = tryRunOf({ ...none, trace: trace([step('say', { state: 'running' })]), texts })
    expect(running.steps.get('say')?.output).toMatch(/^…x+end$/)
    const over = tryRunOf({ ...none, trace: trace([step('say', { state: 'completed' })]), texts })
    expect(over.steps.get('say')?.output).toMatch(/^beginx+…$/)
  })
})

test('missing required inputs are reported and filled in, and existing ones are kept', () => {
  const input = { content: 'Mine.', metadata: { language: 'de' }, empty: null }
  const needed = ['content', 'metadata.language', 'metadata.source', 'context.tone', 'empty']
  expect(missingIn(input, needed)).toEqual(['metadata.source', 'context.tone'])
  expect(withNeeded(input, needed)).toEqual({
    content: 'Mine.',
    metadata: { language: 'de', source: '' },
    empty: null,
    tone: 'friendly',
  })
})

test('sample content is added only where it is required', () => {
  expect(withNeeded({}, ['mood'])).toEqual({ mood: '' })
  expect(Object.keys(withNeeded({}, ['content']))).toEqual(['content'])
})
