import type { PlayableTour } from '@tutti/player/protocol'
import type { FrameLink } from '../builder/frame/frame-link.ts'
import { beginning, follow, type PreviewState } from './preview-state.ts'

/** A tour that is played in a framed page, across its pages. Nothing is counted. */
export interface Preview {
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
