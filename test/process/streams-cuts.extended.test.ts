import { test } from 'vitest'
import { patience } from '../support/patience.ts'
import { expectEachEventOnce } from './streams-cut-readers.ts'

test(
  'readers that are cut a hundred times get each event once and in order, though processes die',
  {
    timeout: 240_000 * patience,
  },
  () => expectEachEventOnce({ cuts: 100, killsAfter: [30, 60], steps: 70, nods: 40 }),
)
