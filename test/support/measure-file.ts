import { afterAll } from 'vitest'
import { readProcessorSeconds } from '../../scripts/test/processes.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Processor seconds of the worker and its processes while it ran the file. */
    processorSeconds?: number
  }
}

const before = readProcessorSeconds()

// The first hook at the end of a file runs last, after the test file has closed what it opened.
// oxlint-disable-next-line no-empty-pattern -- Vitest passes the file second, and reads which fixtures the first names.
afterAll(({}, file) => {
  file.meta.processorSeconds = readProcessorSeconds() - before
})
