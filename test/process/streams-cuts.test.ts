import { test } from 'vitest'
import { expectEachEventOnce } from './streams-cut-readers.ts'

test('readers that are cut repeatedly get each event once and in order, though a process is killed', () =>
  expectEachEventOnce({ cuts: 25, killsAfter: [8], steps: 20, nods: 12 }))
