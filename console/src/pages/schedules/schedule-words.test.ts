import { expect, test } from 'vitest'
import { describeCounts, describeState, outcomeOf, type RecentRun } from './schedule-words.ts'

const run = (outcome: RecentRun['outcome'], more: Partial<RecentRun> = {}): RecentRun => ({
  due_at: 1_800_000_000,
  kind: 'scheduled',
  outcome,
  execution_id: outcome === 'skipped' || outcome === 'not_started' ? null : 'e1',
  duration: 1,
  tries: 1,
  error: null,
  ...more,
})

const stateAfter = (...outcomes: ReadonlyArray<RecentRun['outcome']>) =>
  describeState({ status: 'active', recent: outcomes.map((outcome) => run(outcome)) }).word

test('a schedule is failing after three failures in a row, whatever has no result yet', () => {
  expect(stateAfter()).toBe('Enabled')
  expect(stateAfter('failed', 'failed')).toBe('Enabled')
  expect(stateAfter('failed', 'not_started', 'failed', 'completed')).toBe('Failing')
  expect(stateAfter('running', 'failed', 'skipped', 'failed', 'failed')).toBe('Failing')
  expect(stateAfter('completed', 'failed', 'failed', 'failed')).toBe('Enabled')
})

test('a disabled schedule is disabled, even when its last runs failed', () => {
  const recent = [run('failed'), run('failed'), run('failed')]
  expect(describeState({ status: 'paused', recent }).word).toBe('Disabled')
})

test('a bar says the error, and links only to executions that exist', () => {
  const error = { code: 'STEP_FAILED', message: 'The API responded with status 500.' }
  expect(outcomeOf(run('failed', { error }))).toMatchObject({
    tone: 'bad',
    word: 'Failed',
    about: expect.stringContaining('status 500') as string,
    execution: 'e1',
  })
  expect(outcomeOf(run('expired')).execution).toBeNull()
  expect(outcomeOf(run('skipped')).execution).toBeNull()
})

test('counts name what happened', () => {
  const none = {
    completed: 0,
    failed: 0,
    cancelled: 0,
    running: 0,
    skipped: 0,
    not_started: 0,
    failed_tries: 0,
  }
  expect(describeCounts(none)).toBe('none')
  expect(describeCounts({ ...none, completed: 2, failed: 8, not_started: 1 })).toBe(
    '2 completed, 8 failed, 1 not started',
  )
})
