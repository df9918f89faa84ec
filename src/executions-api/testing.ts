import type { ExecutionEvent, ExecutionRecord } from '#engine'

type StepOutcome = ExecutionRecord['outcomes'][number]

/** A sample execution of three sequential steps, of which the first two have finished. */

const begunAt = new Date('2026-11-15T12:00:00.000Z')

export function momentAfter(seconds: number): Date {
  return new Date(begunAt.getTime() + seconds * 1000)
}

const steps: ExecutionRecord['definition']['steps'] = [
  { id: 'ask', type: 'ai_prompt', prompt: '{{content}}', output_to_memory: 'answer' },
  { id: 'choose', type: 'conditional', dependencies: ['ask'], conditions: [] },
  { id: 'join', type: 'data_transform', dependencies: ['choose'], transformations: [] },
]

const usage = {
  provider: 'cloud',
  model: 'cloud/large',
  inputTokens: 100,
  outputTokens: 20,
  microDollars: 1500,
  aiCalls: 1,
  cacheHits: 0,
  networkRequests: 0,
  aiMs: 1800,
  apiMs: 0,
}
const none = {
  ...usage,
  provider: null,
  model: null,
  inputTokens: 0,
  outputTokens: 0,
  microDollars: 0,
  aiCalls: 0,
  aiMs: 0,
}

export function outcomeOf(stepId: string, seq: number, more: Partial<StepOutcome> = {}): StepOutcome {
  return {
    stepId,
    item: 0,
    seq,
    state: 'completed',
    attempts: 1,
    startedAt: momentAfter(seq * 2 - 2),
    finishedAt: momentAfter(seq * 2),
    output: `what ${stepId} made`,
    choice: null,
    error: null,
    details: { confidence: null, quality: null, decision: null, usage: none, cpu_ms: 4 },
    spent: 0,
    ...more,
  }
}

export const asked = outcomeOf('ask', 1, {
  details: { confidence: 0.9, quality: 80, decision: null, usage, cpu_ms: 0 },
  spent: 1500,
})

export function eventOf(seq: number, type: string, data: ExecutionEvent['data'] = {}): ExecutionEvent {
  return { seq, at: momentAfter(seq), type, data }
}

export function exampleRecord(more: Partial<ExecutionRecord> = {}): ExecutionRecord {
  return {
    id: '01900000-0000-7000-8000-000000000001',
    flowId: 'review',
    flowVersion: 3,
    accountId: '00000000-0000-7000-8000-000000000001',
    status: 'running',
    priority: 'normal',
    input: { context: { content: 'A text.' }, options: {}, memory: {} },
    error: null,
    facts: null,
    spent: 1500,
    reserved: 0,
    approval: null,
    approvalBy: null,
    approvalAt: null,
    approvalNote: null,
    cancel: null,
    forkedFrom: null,
    forkedAtStep: null,
    scheduleId: null,
    rerunOf: null,
    triggerId: null,
    createdAt: momentAfter(-1),
    startedAt: begunAt,
    resumedAt: null,
    activeMs: 0,
    suspendedAt: null,
    suspended: null,
    waits: [],
    durationMs: null,
    finishedAt: null,
    definition: { id: 'review', label: 'Review', steps },
    metadata: {},
    outcomes: [asked, outcomeOf('choose', 2)],
    events: [eventOf(1, 'execution_started')],
    queuePosition: null,
    parked: null,
    gated: null,
    live: [],
    ...more,
  }
}

/** The same execution after its end. */
export function endedRecord(more: Partial<ExecutionRecord> = {}): ExecutionRecord {
  return exampleRecord({
    status: 'completed',
    finishedAt: momentAfter(6),
    durationMs: 6000,
    outcomes: [asked, outcomeOf('choose', 2), outcomeOf('join', 3)],
    ...more,
  })
}
