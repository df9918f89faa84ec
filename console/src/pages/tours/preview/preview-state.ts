import type { PlayableTour, PlayerMessage } from '@tutti/player/protocol'
import type { FrameLink } from '../builder/frame/frame-link.ts'

/**
 * | phase     | what it means                                        | what comes next                             |
 * |-----------|------------------------------------------------------|---------------------------------------------|
 * | waiting   | the page, or the next one, is on its way             | the page is there: playing from `from`      |
 * | playing   | a step is shown, or its element waited for           | the next step, another page, or the end     |
 * | elsewhere | the next step is on a route that has no address      | the user opens a page: playing from `from`  |
 * | ended     | every step was shown, or the tour was closed         | restart: waiting or playing                 |
 */
export interface PreviewState {
  readonly phase: 'waiting' | 'playing' | 'elsewhere' | 'ended'
  /** The place of the step to play from when a page is there. */
  readonly from: number
  /** The place of the step that is shown. */
  readonly current: number | undefined
  /** The ids of steps that were shown, and of those whose element never came. */
  readonly shown: ReadonlySet<string>
  readonly missing: ReadonlySet<string>
  /** The route that has to be opened by hand. */
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
      // A page that loads anew, or another one, takes the tour up where it was.
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
      // It was stopped from here, to begin again.
      if (message.outcome === 'stopped') return state
      return { ...state, phase: 'ended', current: undefined, outcome: message.outcome }
    default:
      return state
  }
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter((it) => it !== id))
}

/** A tour that is played in a framed page, across its pages. Nothing is counted. */
interface Preview {
  readonly read: () => PreviewState
  readonly subscribe: (onChange: () => void) => () => void
  readonly restart: () => void
  /** Begins to follow what the player says; what it returns ends that. */
  readonly attend: () => () => void
}

interface PreviewOptions {
  readonly link: Pick<FrameLink, 'listen' | 'say' | 'read' | 'focus'>
  readonly tour: PlayableTour
  /** Whether a field of the console has the focus, and so keeps the keyboard. */
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
