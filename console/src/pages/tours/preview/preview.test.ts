import {
  type BuilderPayload,
  type PlayableTour,
  type PlayerMessage,
  type PlayerPayload,
  toMessage,
} from '@tutti/player/protocol'
import { expect, test } from 'vitest'
import { createPreview } from './preview-state.ts'

const tour: PlayableTour = { id: 't', label: 'T', launch: 'auto', routes: [], tips: [] }
const ready: PlayerPayload = { type: 'ready', route: null, path: '/', title: '' }
const shows: PlayerPayload = { type: 'preview-step-changed', stepId: 'b', index: 1, selector: null }

function setUp({ isTyping = false } = {}) {
  const said: (BuilderPayload | 'focus')[] = []
  const listeners = new Set<(message: PlayerMessage) => void>()
  const preview = createPreview({
    link: {
      say: (says) => void said.push(says),
      focus: () => void said.push('focus'),
      listen: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      read: () => ({ name: 'ready', place: { route: null, path: '/' }, title: '', origin: '' }),
    },
    tour,
    isTyping: () => isTyping,
  })
  const leave = preview.attend()
  const speak = (says: PlayerPayload) => listeners.forEach((listener) => listener(toMessage(says)))
  return { preview, said, speak, leave }
}

test('a tour is played when a page has loaded, and continued on the next one', () => {
  const { said, speak } = setUp()
  speak(ready)
  speak(shows)
  speak(ready)
  expect(said).toEqual(['focus', { type: 'play', tour, from: 0 }, 'focus', { type: 'play', tour, from: 1 }])
})

test('a focused field keeps the keyboard', () => {
  const { said, speak } = setUp({ isTyping: true })
  speak(ready)
  expect(said).toEqual([{ type: 'play', tour, from: 0 }])
})

test('other messages do not change the state', () => {
  const { preview, speak } = setUp()
  speak(ready)
  speak(shows)
  speak({ type: 'counted', counts: [] })
  expect(preview.read().current).toBe(1)
})

test('an ended tour starts again only by restart', () => {
  const { preview, said, speak } = setUp()
  speak(ready)
  speak({ type: 'preview-ended', outcome: 'completed' })
  speak(ready)
  expect(said).toHaveLength(2)
  preview.restart()
  expect(preview.read()).toMatchObject({ phase: 'playing', outcome: undefined })
  expect(said).toHaveLength(4)
})

test('removes its listeners when the page is left', () => {
  const { said, speak, leave } = setUp()
  leave()
  speak(ready)
  expect(said).toEqual([])
})
