import { describe, expect, test } from 'vitest'
import { idleSpans } from './idle-spans.ts'

const at = (second: number) => new Date(second * 1000)
const event = (second: number, type: string) => ({ seq: second, at: at(second), type, data: {} })

const times = (more: object) => ({
  events: [],
  startedAt: at(100),
  resumedAt: null,
  activeMs: 0,
  finishedAt: null,
  ...more,
})

describe('the idle times of an execution', () => {
  test('are none in its only lease', () => {
    expect(idleSpans(times({ events: [event(100, 'execution_started')] }), at(120))).toEqual([])
  })

  test('last while it is suspended, whatever others store meanwhile', () => {
    const events = [event(102, 'execution_suspended'), event(110, 'human_task_answered')]
    expect(idleSpans(times({ events }), at(120))).toEqual([
      { from: at(102), to: at(120), reason: 'suspended' },
    ])
  })

  test('end exactly with the last lease, so that they and the active time add up', () => {
    const events = [
      event(102, 'execution_suspended'),
      event(112, 'execution_resumed'),
      event(115, 'execution_failed'),
      event(130, 'execution_recovered'),
      event(133, 'step_started'),
      event(140, 'execution_completed'),
    ]
    const spans = idleSpans(
      times({ events, resumedAt: at(132), activeMs: 4_000, finishedAt: at(140) }),
      at(200),
    )
    expect(spans).toEqual([
      { from: at(102), to: at(112), reason: 'suspended' },
      { from: at(114), to: at(132), reason: 'recovery' },
    ])
  })

  test('name a lost worker where nothing else explains the next lease', () => {
    const events = [event(101, 'step_started'), event(150, 'step_started')]
    expect(idleSpans(times({ events, resumedAt: at(149), activeMs: 3_000 }), at(160))).toEqual([
      { from: at(103), to: at(149), reason: 'worker_lost' },
    ])
  })
})
