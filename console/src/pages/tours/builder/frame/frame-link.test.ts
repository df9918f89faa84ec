import { type BuilderMessage, type PlayerPayload, toMessage } from '@tutti/player/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFrameLink } from './frame-link.ts'

const ready: PlayerPayload = { type: 'ready', route: null, path: '/a', title: 'A' }

/** A link, and a frame that remembers what was said to whom. */
function setUp() {
  const said: Array<{ message: BuilderMessage; origin: unknown }> = []
  const frame = {
    postMessage: (message: BuilderMessage, origin: unknown) => void said.push({ message, origin }),
  } as unknown as Window
  const link = createFrameLink()
  link.attach({ contentWindow: frame, focus: () => undefined })
  const speak = (says: PlayerPayload, source: Window = frame, origin = 'https://shop.example') =>
    link.receive({ data: toMessage(says), origin, source })
  return { link, said, speak, name: () => link.read().name }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the conversation with a framed page', () => {
  test('begins when its player speaks, and is with that origin alone', () => {
    const { link, said, speak } = setUp()
    link.say({ type: 'pick' })
    expect(said).toEqual([])
    speak(ready)
    expect(link.read()).toMatchObject({
      name: 'ready',
      place: { path: '/a' },
      origin: 'https://shop.example',
    })
    link.say({ type: 'pick' })
    expect(said.map(({ message: { type }, origin }) => [type, origin])).toEqual([
      ['hello', 'https://shop.example'],
      ['pick', 'https://shop.example'],
    ])
  })

  test('is not disturbed by other windows, or by what is no message of a player', () => {
    const { link, speak, name } = setUp()
    speak(ready, {} as Window)
    link.receive({ data: 'ready', origin: 'https://shop.example', source: null })
    expect(name()).toBe('loading')
  })

  test('a page that says nothing has no player; one that speaks late has', () => {
    const { link, speak, name } = setUp()
    vi.advanceTimersByTime(15_000)
    link.loaded()
    vi.advanceTimersByTime(3_900)
    expect(name()).toBe('loading')
    vi.advanceTimersByTime(200)
    expect(name()).toBe('silent')
    speak(ready)
    expect(name()).toBe('ready')
  })

  test('a page that never loads is given up', () => {
    const { name } = setUp()
    vi.advanceTimersByTime(21_000)
    expect(name()).toBe('silent')
  })

  test('a page whose player spoke before it was complete is asked again, and answers', () => {
    const { link, said, speak, name } = setUp()
    speak(ready)
    link.loaded()
    expect(said.at(-1)?.message).toMatchObject({ type: 'count', selectors: [] })
    speak({ type: 'counted', counts: [] })
    vi.advanceTimersByTime(10_000)
    expect(name()).toBe('ready')
  })

  test('a link that leads to a page without a player is noticed', () => {
    const { link, speak, name } = setUp()
    speak(ready)
    link.loaded()
    vi.advanceTimersByTime(5_000)
    expect(name()).toBe('silent')
  })

  test('begins anew with the next page, and the page before is not heard any more', () => {
    const { link, speak, name } = setUp()
    speak(ready)
    const next = { postMessage: () => undefined } as unknown as Window
    link.attach(null)
    link.attach({ contentWindow: next, focus: () => undefined })
    speak(ready)
    expect(name()).toBe('loading')
    speak(ready, next)
    expect(name()).toBe('ready')
  })

  test('follows the page to its other routes, and tells listeners everything', () => {
    const { link, speak } = setUp()
    const heard: string[] = []
    const leave = link.listen(({ type }) => heard.push(type))
    speak(ready)
    speak({ type: 'route-changed', route: 'users', path: '/users', title: 'Users' })
    expect(link.read()).toMatchObject({ place: { route: 'users', path: '/users' }, title: 'Users' })
    leave()
    speak({ type: 'pick-cancelled' })
    expect(heard).toEqual(['ready', 'route-changed'])
  })
})
