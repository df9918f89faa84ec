import { type PlayerPayload, toMessage } from '@tutti/player/protocol'
import { expect, test } from 'vitest'
import { beginning, follow, type PreviewState } from './preview-state.ts'

const ready: PlayerPayload = { type: 'ready', route: null, path: '/', title: '' }
const shows = (index: number): PlayerPayload => ({
  type: 'preview-step-changed',
  stepId: `s${index}`,
  index,
  selector: null,
})
const after = (...said: readonly PlayerPayload[]): PreviewState =>
  said.reduce((state, says) => follow(state, toMessage(says)), beginning)

test('a preview plays to its end and records the shown and the missing steps', () => {
  const state = after(
    ready,
    shows(0),
    { type: 'preview-step-skipped', stepId: 's1', index: 1, selector: '#x' },
    shows(2),
    { type: 'preview-ended', outcome: 'completed' },
  )
  expect(state).toMatchObject({ phase: 'ended', outcome: 'completed', current: undefined })
  expect([...state.shown]).toEqual(['s0', 's2'])
  expect([...state.missing]).toEqual(['s1'])
})

test('another page continues at the step the previous page ended with', () => {
  const leaving = after(ready, shows(0), { type: 'preview-leaving', from: 1, path: '/b' })
  expect(leaving).toMatchObject({ phase: 'waiting', from: 1 })
  expect(follow(leaving, toMessage(ready))).toMatchObject({ phase: 'playing', from: 1 })
  expect(after(ready, shows(0), shows(1), ready)).toMatchObject({ phase: 'playing', from: 1 })
})

test('a step on a route without an address waits until the user opens it', () => {
  const state = after(ready, shows(0), { type: 'preview-elsewhere', from: 1, route: 'node.add' })
  expect(state).toMatchObject({ phase: 'elsewhere', from: 1, route: 'node.add' })
  expect(follow(state, toMessage(ready))).toMatchObject({ phase: 'playing', route: undefined })
})

test('an ended preview stays ended when the page reloads, and a stop does not end it', () => {
  const ended = after(ready, shows(0), { type: 'preview-ended', outcome: 'dismissed' })
  expect(follow(ended, toMessage(ready)).phase).toBe('ended')
  expect(after(ready, { type: 'preview-ended', outcome: 'stopped' }).phase).toBe('playing')
})

test('a step whose element appears late is missing no more', () => {
  const state = after(
    ready,
    { type: 'preview-step-skipped', stepId: 's0', index: 0, selector: '#x' },
    shows(0),
  )
  expect(state.missing.size).toBe(0)
})
