import {
  type BuilderPayload,
  type Place,
  type PlayerMessage,
  readPlayerMessage,
  toMessage,
} from '@tutti/player/protocol'

/**
 * | state   | what it means                                  | what comes next                                     |
 * |---------|------------------------------------------------|-----------------------------------------------------|
 * | loading | a page is on its way                           | its player responds: ready; no response: silent      |
 * | ready   | the page and its player are there              | another page loads, and its player does not speak: silent |
 * | silent  | the page has no player, or refuses to be shown | a player speaks after all: ready                    |
 */
export type FrameState =
  | { readonly name: 'loading' | 'silent' }
  | { readonly name: 'ready'; readonly place: Place; readonly title: string; readonly origin: string }

/** One end of the conversation with the player in a frame. */
export interface FrameLink {
  readonly read: () => FrameState
  readonly subscribe: (onChange: () => void) => () => void
  /** Hears everything the player says. */
  readonly listen: (listener: (message: PlayerMessage) => void) => () => void
  /** Says something to the player; nothing happens while there is none. */
  readonly say: (says: BuilderPayload) => void
  /** The iframe, while there is one. Each page that is asked for comes in an iframe of its own. */
  readonly attach: (element: FrameElement | null) => void
  /** Gives the keyboard to the page. */
  readonly focus: () => void
  /** The browser has loaded something into the frame. */
  readonly loaded: () => void
  /** Takes what arrived at the window. */
  readonly receive: (event: Pick<MessageEvent<unknown>, 'data' | 'origin' | 'source'>) => void
  readonly stop: () => void
}

/** The parts of an iframe the link uses. */
type FrameElement = Pick<HTMLIFrameElement, 'contentWindow' | 'focus'>

/** How long a page that stands has for its player to speak. */
const speechMs = 4_000

/** How long a page may take to load. */
const loadMs = 20_000

export function createFrameLink(): FrameLink {
  const watchers = new Set<() => void>()
  const listeners = new Set<(message: PlayerMessage) => void>()
  let state: FrameState = { name: 'loading' }
  let timer: ReturnType<typeof setTimeout> | undefined
  let element: FrameElement | null = null

  const target = () => element?.contentWindow ?? null

  function set(next: FrameState): void {
    state = next
    for (const watcher of watchers) watcher()
  }

  function expectSpeech(withinMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => set({ name: 'silent' }), withinMs)
  }

  function say(says: BuilderPayload): void {
    if (state.name === 'ready') target()?.postMessage(toMessage(says), state.origin)
  }

  return {
    read: () => state,
    subscribe(onChange) {
      watchers.add(onChange)
      return () => watchers.delete(onChange)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    say,
    attach(frame) {
      element = frame
      set({ name: 'loading' })
      if (frame === null) clearTimeout(timer)
      else expectSpeech(loadMs)
    },
    focus: () => element?.focus(),
    loaded() {
      expectSpeech(speechMs)
      // Its player may have spoken before the page was complete: it is asked to count nothing, and so speaks again.
      target()?.postMessage(toMessage({ type: 'count', selectors: [] }), '*')
    },
    receive({ data, origin, source }) {
      const frame = target()
      const message = frame !== null && source === frame ? readPlayerMessage(data) : undefined
      if (message === undefined) return
      clearTimeout(timer)
      if (message.type === 'ready' || message.type === 'route-changed') {
        const { title, route, path } = message
        set({ name: 'ready', place: { route, path }, title, origin })
        if (message.type === 'ready') say({ type: 'hello' })
      }
      for (const listener of listeners) listener(message)
    },
    stop: () => clearTimeout(timer),
  }
}
