import {
  type BuilderPayload,
  type Place,
  type PlayerMessage,
  readPlayerMessage,
  toMessage,
} from '@tutti/player/protocol'

/**
 * | state   | meaning                                        | next                                                |
 * |---------|------------------------------------------------|-----------------------------------------------------|
 * | loading | a page is loading                              | its player responds: ready; no response: silent     |
 * | ready   | the player of the page has responded           | another page loads without a response: silent       |
 * | silent  | the page has no player, or refuses to be shown | a player responds late: ready                       |
 */
export type FrameState =
  | { readonly name: 'loading' | 'silent' }
  | { readonly name: 'ready'; readonly place: Place; readonly title: string; readonly origin: string }

/** The builder's end of the message channel to the player in a frame. */
export interface FrameLink {
  readonly read: () => FrameState
  readonly subscribe: (onChange: () => void) => () => void
  /** Adds a listener for all messages of the player. */
  readonly listen: (listener: (message: PlayerMessage) => void) => () => void
  /** Sends a message to the player; does nothing without a player. */
  readonly say: (says: BuilderPayload) => void
  /** Sets the iframe, or null when it is removed. Each requested page gets a new iframe. */
  readonly attach: (element: FrameElement | null) => void
  /** Moves the keyboard focus into the page. */
  readonly focus: () => void
  /** Must be called when the browser has loaded a document into the frame. */
  readonly loaded: () => void
  /** Handles a message event of the window. */
  readonly receive: (event: Pick<MessageEvent<unknown>, 'data' | 'origin' | 'source'>) => void
  readonly stop: () => void
}

/** The parts of an iframe the link uses. */
type FrameElement = Pick<HTMLIFrameElement, 'contentWindow' | 'focus'>

/** How long a loaded page may take until its player responds. */
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
      // The player may have sent its message before the page was complete: an empty count request makes it respond again.
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
