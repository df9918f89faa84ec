/** The mark of the test run, which names its main process for good. Every process of the run inherits it. */
export const runVariable = 'TUTTI_TEST_RUN'

/** The start of the name of a folder that a run's tests may leave, for `mkdtemp`. */
export function markedPrefix(purpose: 'server' | 'data'): string {
  return `tutti-test-${purpose}-${process.env[runVariable] ?? '0-0'}-`
}

/** The mark in a path with such a folder. */
export function markOfFolder(path: string): string | undefined {
  return /tutti-test-(?:server|data)-(\d+-\d+)-/.exec(path)?.[1]
}
