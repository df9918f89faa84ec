import { describe, expect, test } from 'vitest'
import { traceExecution } from './trace-execution.ts'

const at = (second: number) => new Date(second * 1000)

describe('the trace of a recovered execution', () => {
  test('has the end of a failed attempt, not of the later event about it', () => {
    const [trace] = traceExecution(
      {
        id: 'exec_1',
        flowVersion: 1,
        definition: { id: 'ask', label: 'Ask', steps: [{ id: 'ask', type: 'ai_prompt', prompt: 'Hello' }] },
        input: { context: {}, options: {}, memory: {} },
        outcomes: [],
        events: [
          { seq: 1, at: at(100), type: 'step_started', data: { step_id: 'ask' } },
          { seq: 2, at: at(103), type: 'step_failed', data: { step_id: 'ask', duration: 1.5 } },
          { seq: 3, at: at(103), type: 'execution_failed', data: {} },
          { seq: 4, at: at(110), type: 'execution_recovered', data: {} },
        ],
        waits: [],
        startedAt: at(100),
        resumedAt: null,
        activeMs: 3000,
        finishedAt: null,
      },
      0,
    )
    expect(trace).toMatchObject({ state: 'waiting', startedAt: null, finishedAt: null })
    expect(trace?.attempts).toEqual([
      { run: 1, number: 1, startedAt: at(100), finishedAt: at(101.5), error: null },
    ])
  })
})
