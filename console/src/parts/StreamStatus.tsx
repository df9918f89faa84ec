import type { StreamState } from '../api/follow-stream.ts'
import { Status, type Tone } from './Status.tsx'

const states: Record<StreamState | 'paused', { tone: Tone; word: string }> = {
  live: { tone: 'good', word: 'Live' },
  connecting: { tone: 'busy', word: 'Connecting' },
  waiting: { tone: 'warn', word: 'Reconnecting' },
  paused: { tone: 'idle', word: 'Paused' },
}

/** Whether the event stream is connected. */
export function StreamStatus({ state }: { state: StreamState | 'paused' }) {
  return (
    <span role="status">
      <Status {...states[state]} />
    </span>
  )
}
