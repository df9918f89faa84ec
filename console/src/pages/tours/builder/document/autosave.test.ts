import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiFailure } from '../../../../api/api-failure.ts'
import { type CallOutcome, createAutosave } from './autosave.ts'
import type { SaveCall } from './next-call.ts'
import { savedAsRead } from './saved-tour.ts'
import { addStep, changeStep, newStep } from './tour-document.ts'

const { key: _key, ...plain } = newStep('', 'Hello')
const tour = {
  revision: 1,
  label: 'Tour',
  isPublished: false,
  launch: 'auto' as const,
  routes: ['/'],
  changedBy: null,
  steps: ['a', 'b'].map((id) => ({ ...plain, id })),
}
const saved = savedAsRead(tour)
const retitled = (key: string, title: string) => changeStep(saved.sent, key, { title })

/** A platform that returns the given outcomes in turn, and then accepts every request. */
function setUp(...answers: ReadonlyArray<(() => CallOutcome) | Promise<CallOutcome>>) {
  const calls: Array<{ call: SaveCall; revision: number }> = []
  const states: string[] = []
  const autosave = createAutosave({
    saved,
    onChange: () => states.push(autosave.read().state.name),
    async send(call, revision) {
      calls.push({ call, revision })
      const answer = answers[calls.length - 1]
      if (typeof answer === 'function') return answer()
      return (await answer) ?? { kind: 'agreed', answer: { revision: revision + 1 } }
    },
  })
  return { autosave, calls, states, name: () => autosave.read().state.name }
}

const refuse = (status: number) => () => {
  throw new ApiFailure({ status, code: 'x', message: 'no' })
}

/** Longer than all pauses of a save. Bounded, because other timers of this worker may run meanwhile. */
const passTime = () => vi.advanceTimersByTimeAsync(60_000)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('autosave', () => {
  test('waits for further changes, then sends one request with the known revision', async () => {
    const { autosave, calls, states } = setUp()
    autosave.want(retitled('a', 'A'))
    await vi.advanceTimersByTimeAsync(300)
    autosave.want(retitled('a', 'Ab'))
    expect(calls).toEqual([])
    await passTime()
    expect(calls.map(({ call, revision }) => [call.kind, revision])).toEqual([['change', 1]])
    expect(states).toEqual(['waiting', 'waiting', 'saving', 'waiting', 'saved'])
    expect(autosave.read().saved).toMatchObject({ revision: 2, sent: { steps: [{ title: 'Ab' }, {}] } })
  })

  test('sends nothing when a change was undone before it was sent', async () => {
    const { autosave, calls, name } = setUp()
    autosave.want(retitled('a', 'A'))
    autosave.want(saved.sent)
    expect(name()).toBe('saved')
    await passTime()
    expect(calls).toEqual([])
  })

  test('saves at once on hurry', async () => {
    const { autosave, calls } = setUp()
    autosave.want(retitled('a', 'A'))
    autosave.hurry()
    await vi.advanceTimersByTimeAsync(0)
    expect(calls).toHaveLength(1)
  })

  test('sends changes made during a request after it, one request at a time', async () => {
    const answer = Promise.withResolvers<CallOutcome>()
    const { autosave, calls, name } = setUp(answer.promise)
    autosave.want(retitled('a', 'A'))
    await vi.advanceTimersByTimeAsync(1_000)
    autosave.want(changeStep(retitled('a', 'A'), 'b', { title: 'B' }))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(calls).toHaveLength(1)
    answer.resolve({ kind: 'agreed', answer: { revision: 5 } })
    await passTime()
    expect(calls.map(({ call, revision }) => [call.about, revision])).toEqual([
      ['a', 1],
      ['b', 5],
    ])
    expect(name()).toBe('saved')
  })
})

describe('a refused change', () => {
  test('is reported for its step and not sent again, while the rest is saved', async () => {
    const { autosave, calls, name } = setUp(refuse(422))
    autosave.want(changeStep(retitled('a', ''), 'b', { title: 'B' }))
    await passTime()
    expect(calls.map(({ call }) => call.about)).toEqual(['a', 'b'])
    expect(name()).toBe('refused')
    expect([...autosave.read().refusals.keys()]).toEqual(['a'])
    autosave.want(changeStep(retitled('a', 'better'), 'b', { title: 'B' }))
    await passTime()
    expect(name()).toBe('saved')
    expect(autosave.read().refusals.size).toBe(0)
  })

  test('of the publication state is sent again after another change was saved', async () => {
    const { autosave, calls, name } = setUp(refuse(422))
    autosave.want({ ...saved.sent, isPublished: true })
    await passTime()
    expect(name()).toBe('refused')
    autosave.want({ ...retitled('a', 'A'), isPublished: true })
    await passTime()
    expect(calls.map(({ call }) => call.about)).toEqual(['tour:status', 'a', 'tour:status'])
    expect(name()).toBe('saved')
  })
})

describe('without a usable response', () => {
  test('the same request is sent again with growing pauses', async () => {
    const { autosave, calls, name } = setUp(refuse(0), refuse(503))
    autosave.want(retitled('a', 'A'))
    await vi.advanceTimersByTimeAsync(800)
    expect(autosave.read().state).toMatchObject({ name: 'failed', triesAgain: true })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(calls).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(calls).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(name()).toBe('saved')
    expect(new Set(calls.map(({ call }) => JSON.stringify(call))).size).toBe(1)
  })

  test('and with a permanent error, the request waits for the user', async () => {
    const { autosave, calls, name } = setUp(refuse(403))
    autosave.want(retitled('a', 'A'))
    await passTime()
    expect(autosave.read().state).toMatchObject({ name: 'failed', triesAgain: false })
    expect(calls).toHaveLength(1)
    autosave.hurry()
    await passTime()
    expect(name()).toBe('saved')
  })
})

test('a conflict stops saving until the user chooses a version to continue from', async () => {
  const { autosave, calls, name } = setUp(() => ({
    kind: 'conflict',
    tour: { ...tour, revision: 9, label: 'Theirs', changedBy: 'clara' },
  }))
  autosave.want(retitled('a', 'A'))
  await passTime()
  autosave.want(retitled('a', 'Ab'))
  autosave.hurry()
  await passTime()
  const { state } = autosave.read()
  if (state.name !== 'conflict') throw new Error(`a conflict was expected, not ${state.name}`)
  expect(state).toMatchObject({ changedBy: 'clara', theirs: { revision: 9, kept: { label: 'Theirs' } } })
  autosave.goOnFrom(state.theirs, changeStep(state.theirs.kept, 'a', { title: 'A' }))
  await passTime()
  expect(calls.map(({ call, revision }) => [call.about, revision])).toEqual([
    ['a', 1],
    ['a', 9],
  ])
  expect(name()).toBe('saved')
})

test('a step whose creation got no response is recognised and not added twice', async () => {
  const added = newStep('~1', 'New')
  const { autosave, calls } = setUp(refuse(0), () => ({
    kind: 'conflict',
    tour: { ...tour, revision: 2, steps: [...tour.steps, { ...plain, id: 'new', title: 'New' }] },
  }))
  autosave.want(addStep(saved.sent, added))
  await passTime()
  const { state } = autosave.read()
  if (state.name !== 'conflict') throw new Error(`a conflict was expected, not ${state.name}`)
  expect(state.theirs.kept.steps.map(({ key }) => key)).toEqual(['a', 'b', '~1'])
  autosave.goOnFrom(state.theirs, addStep(saved.sent, added))
  await passTime()
  expect(autosave.read().state.name).toBe('saved')
  expect(calls).toHaveLength(2)
})

test('rest saves waiting changes and stops retries until the next change', async () => {
  const { autosave, calls, name } = setUp(refuse(0))
  autosave.want(retitled('a', 'A'))
  autosave.rest()
  await passTime()
  expect([calls.length, name()]).toEqual([1, 'failed'])
  autosave.want(retitled('a', 'Ab'))
  await passTime()
  expect([calls.length, name()]).toEqual([2, 'saved'])
})
