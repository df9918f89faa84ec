import { describe, expect, test } from 'vitest'
import { afterCall } from './after-call.ts'
import { nextCall, type SaveCall } from './next-call.ts'
import { type SavedTour, savedAsRead } from './saved-tour.ts'
import {
  addStep,
  changeStep,
  duplicateStep,
  moveStep,
  newStep,
  removeStep,
  type TourDocument,
} from './tour-document.ts'

const settings = { label: 'Tour', isPublished: false, launch: 'auto', routes: ['/'] } as const
const { key: _key, ...plain } = newStep('', 'Hello')
const kept = (revision: number, ids: readonly string[], isPublished = false) =>
  savedAsRead({
    ...settings,
    isPublished,
    revision,
    changedBy: null,
    steps: ids.map((id) => ({ ...plain, id })),
  })
const saved = kept(7, ['a', 'b', 'c'])

/** Sends requests until none is left; returns them and the resulting saved tour. */
function settle(from: SavedTour, wanted: TourDocument): { said: string[]; end: SavedTour } {
  const said: string[] = []
  let end = from
  for (let call = nextCall(end, wanted); call !== undefined; call = nextCall(end, wanted)) {
    said.push(describeCall(call))
    const step = call.kind === 'add' ? { ...call.step, id: `id of ${call.step.key}` } : undefined
    end = afterCall(end, call, { revision: end.revision + 1, ...(step === undefined ? {} : { step }) })
    if (said.length > 20) throw new Error(`it never ends: ${said.join(', ')}`)
  }
  return { said, end }
}

function describeCall(call: SaveCall): string {
  if (call.kind === 'settings') return `${call.kind} ${Object.keys(call.settings).join('+')}`
  if (call.kind === 'reorder') return `reorder ${call.order.join(' ')}`
  return call.kind === 'add' ? `add ${call.step.key}` : `${call.kind} ${call.id}`
}

describe('the next request to the platform', () => {
  test('is none when the platform has all changes', () => {
    expect(nextCall(saved, saved.sent)).toBeUndefined()
  })

  test('is one for each changed step, and one for all settings', () => {
    const wanted = changeStep({ ...saved.sent, label: 'New', launch: 'invite' }, 'b', { title: 'B' })
    expect(settle(saved, wanted).said).toEqual(['settings label+launch', 'change b'])
  })

  test('moves a new step to its position once it has an id', () => {
    const { said, end } = settle(saved, addStep(saved.sent, newStep('~1', 'New'), 'a'))
    expect(said).toEqual(['add ~1', 'reorder a id of ~1 b c'])
    expect(end.revision).toBe(9)
  })

  test('covers moved, removed, copied and changed steps together', () => {
    const wanted = changeStep(duplicateStep(removeStep(moveStep(saved.sent, 'c', 0), 'b'), 'a', '~1'), 'c', {
      body: 'x',
    })
    expect(settle(saved, wanted).said).toEqual(['change c', 'remove b', 'add ~1', 'reorder c a id of ~1'])
  })

  test('publishes a tour after it got its steps, and unpublishes it before it loses them', () => {
    const bare = kept(1, [])
    const shown = { ...addStep(bare.sent, newStep('~1', 'One')), isPublished: true }
    const { said, end } = settle(bare, shown)
    expect(said).toEqual(['add ~1', 'settings status'])
    expect(settle(end, bare.sent).said).toEqual(['settings status', 'remove id of ~1'])
  })

  test('adds a route before a step uses it, and removes a route after its last step', () => {
    const there = changeStep({ ...saved.sent, routes: ['/', '/a'] }, 'a', { route: '/a' })
    const { said, end } = settle(saved, there)
    expect(said).toEqual(['settings routes', 'change a'])
    const elsewhere = changeStep({ ...there, routes: ['/b'] }, 'a', { route: '/b' })
    const { said: then, end: moved } = settle(end, elsewhere)
    expect(then).toEqual(['settings routes', 'change a', 'settings routes'])
    expect(moved.sent.routes).toEqual(['/b'])
  })

  test('never leaves the stored tour empty', () => {
    const one = kept(1, ['a'], true)
    const wanted = removeStep(addStep(one.sent, newStep('~1', 'Other')), 'a')
    expect(settle(one, wanted).said).toEqual(['add ~1', 'remove a'])
  })

  test('adds a restored step as a new one', () => {
    const { end } = settle(saved, removeStep(saved.sent, 'a'))
    const { said, end: again } = settle(end, saved.sent)
    expect(said).toEqual(['add a', 'reorder id of a b c'])
    expect(again.ids.get('a')).toBe('id of a')
  })

  test('leaves out refused changes, and sends the rest', () => {
    const wanted = changeStep(changeStep(saved.sent, 'a', { title: '' }), 'b', { title: 'B' })
    const call = nextCall(saved, wanted, ({ about }) => about === 'a')
    expect(call).toMatchObject({ kind: 'change', about: 'b' })
  })
})

test('the saved tour has both the sent and the cleaned version of a body', () => {
  const wanted = changeStep(saved.sent, 'a', { body: 'Hi <script>' })
  const call = nextCall(saved, wanted)
  if (call?.kind !== 'change') throw new Error('a change was expected')
  const end = afterCall(saved, call, { revision: 8, step: { ...call.step, id: 'a', body: 'Hi' } })
  expect(end.sent.steps[0]?.body).toBe('Hi <script>')
  expect(end.kept.steps[0]).toMatchObject({ key: 'a', body: 'Hi' })
  expect(nextCall(end, wanted)).toBeUndefined()
})
