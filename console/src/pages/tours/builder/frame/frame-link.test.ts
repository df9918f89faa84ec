import { type BuilderMessage, type PlayerPayload, toMessage } from '@tutti/player/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFrameLink } from './frame-link.ts'

const ready: PlayerPayload = { type: 'ready', route: null, path: '/a', title: 'A' }

/** A link, and a frame that records the messages posted to it. */
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

describe('the link to a framed page', () => {
  test('begins with the first message of its player, and posts to that origin only', () => {
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

  test('ignores other windows, and messages that are not from a player', () => {
    const { link, speak, name } = setUp()
    speak(ready, {} as Window)
    link.receive({ data: 'ready', origin: 'https://shop.example', source: null })
    expect(name()).toBe('loading')
  })

  test('reports a page without messages as silent, and as ready after a late message', () => {
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

  test('reports a page that never loads as silent', () => {
    const { name } = setUp()
    vi.advanceTimersByTime(21_000)
    expect(name()).toBe('silent')
  })

  test('asks again when the player sent its message before the page was complete', () => {
    const { link, said, speak, name } = setUp()
    speak(ready)
    link.loaded()
    expect(said.at(-1)?.message).toMatchObject({ type: 'count', selectors: [] })
    speak({ type: 'counted', counts: [] })
    vi.advanceTimersByTime(10_000)
    expect(name()).toBe('ready')
  })

  test('detects navigation to a page without a player', () => {
    const { link, speak, name } = setUp()
    speak(ready)
    link.loaded()
    vi.advanceTimersByTime(5_000)
    expect(name()).toBe('silent')
  })

  test('begins again with the next page, and ignores the previous page', () => {
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

  test('follows route changes of the page, and passes every message to listeners', () => {
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
