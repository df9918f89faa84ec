import type { Tone } from '../../parts/Status.tsx'
import type { HumanTaskEntry } from './human-task-queries.ts'

export const taskWords: Readonly<
  Record<HumanTaskEntry['state'], { readonly tone: Tone; readonly word: string }>
> = {
  open: { tone: 'warn', word: 'Open' },
  answered: { tone: 'good', word: 'Answered' },
  timed_out: { tone: 'bad', word: 'Timed out' },
  cancelled: { tone: 'idle', word: 'Cancelled' },
}
