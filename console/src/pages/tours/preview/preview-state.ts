import type { PlayableTour, PlayerMessage } from '@tutti/player/protocol'
import type { FrameLink } from '../builder/frame/frame-link.ts'

/**
 * | phase     | meaning                                              | next                                        |
 * |-----------|------------------------------------------------------|---------------------------------------------|
 * | waiting   | a page is loading                                    | the page has loaded: playing from `from`    |
 * | playing   | a step is shown, or its element is awaited           | the next step, another page, or the end     |
 * | elsewhere | the next step is on a route that has no address      | the user opens a page: playing from `from`  |
 * | ended     | every step was shown, or the tour was closed         | restart: waiting or playing                 |
 */
export interface PreviewState {
  readonly phase: 'waiting' | 'playing' | 'elsewhere' | 'ended'
  /** The index of the step to play from when a page has loaded. */
  readonly from: number
  /** The index of the shown step. */
  readonly current: number | undefined
  /** The ids of the steps that were shown, and of those whose element did not appear. */
  readonly shown: ReadonlySet<string>
  readonly missing: ReadonlySet<string>
  /** The route whose page the user has to open. */
  readonly route: string | undefined
  readonly outcome: 'completed' | 'dismissed' | 'empty' | undefined
}

export const beginning: PreviewState = {
  phase: 'waiting',
  from: 0,
  current: undefined,
  shown: new Set(),
  missing: new Set(),
  route: undefined,
  outcome: undefined,
}

/** The preview state after a player message. */
export function follow(state: PreviewState, message: PlayerMessage): PreviewState {
  switch (message.type) {
    case 'ready':
      // A reloaded page, or another one, continues the tour at the current step.
      return state.phase === 'ended' ? state : { ...state, phase: 'playing', route: undefined }
    case 'preview-step-changed': {
      const { index, stepId } = message
      return {
        ...state,
        phase: 'playing',
        current: index,
        from: index,
        shown: new Set([...state.shown, stepId]),
        missing: without(state.missing, stepId),
      }
    }
    case 'preview-step-skipped':
      return { ...state, missing: new Set([...state.missing, message.stepId]) }
    case 'preview-leaving':
      return { ...state, phase: 'waiting', from: message.from, current: undefined }
    case 'preview-elsewhere':
      return { ...state, phase: 'elsewhere', from: message.from, current: undefined, route: message.route }
    case 'preview-ended':
      // The builder stopped the play in order to restart it.
      if (message.outcome === 'stopped') return state
      return { ...state, phase: 'ended', current: undefined, outcome: message.outcome }
    default:
      return state
  }
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter((it) => it !== id))
}

/** A preview of a tour in a framed page, across page loads. The platform counts no events of it. */
interface Preview {
  readonly read: () => PreviewState
  readonly subscribe: (onChange: () => void) => () => void
  readonly restart: () => void
  /** Begins to handle player messages; returns the function that ends it. */
  readonly attend: () => () => void
}

interface PreviewOptions {
  readonly link: Pick<FrameLink, 'listen' | 'say' | 'read' | 'focus'>
  readonly tour: PlayableTour
  /** Whether a field of the console has the focus and needs the keyboard. */
  readonly isTyping: () => boolean
}

export function createPreview({ link, tour, isTyping }: PreviewOptions): Preview {
  const watchers = new Set<() => void>()
  let state = beginning

  function set(next: PreviewState): void {
    state = next
    for (const watcher of watchers) watcher()
  }

  function play(from: number): void {
    if (!isTyping()) link.focus()
    link.say({ type: 'play', tour, from })
  }

  return {
    read: () => state,
    subscribe(onChange) {
      watchers.add(onChange)
      return () => watchers.delete(onChange)
    },
    restart() {
      const isThere = link.read().name === 'ready'
      set({ ...beginning, phase: isThere ? 'playing' : 'waiting' })
      play(0)
    },
    attend: () =>
      link.listen((message) => {
        set(follow(state, message))
        if (message.type === 'ready' && state.phase === 'playing') play(state.from)
      }),
  }
}
