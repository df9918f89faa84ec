import { defineConfig } from 'vitest/config'
import { patience } from './test/support/patience.ts'

/** `core` leaves out the files named `*.extended.test.ts` and the quarantined tests; without it everything that is named runs. */
const isCore = process.env['TUTTI_TEST_SUITE'] === 'core'
/** Failed files run a second time alone: one file at a time, in a process of its own. */
const isAlone = process.env['TUTTI_TEST_ALONE'] === '1'

/** The projects run one after the other. On two cores more workers add latency, not speed: their tests share the processors. */
const projects = [
  {
    name: 'unit',
    include: ['src', 'console/src', 'player/src', 'tdd/src', 'scripts'].map(
      (folder) => `${folder}/**/*.test.ts`,
    ),
    maxWorkers: 3,
  },
  {
    name: 'server',
    include: ['test/architecture', 'test/database', 'test/http', 'test/security', 'tdd/test'].map(
      (folder) => `${folder}/**/*.test.ts`,
    ),
    maxWorkers: 3,
  },
  { name: 'browser', include: ['test/browser/**/*.test.ts'], maxWorkers: 2 },
  { name: 'process', include: ['test/process/**/*.test.ts'], maxWorkers: 2 },
]

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['measure-file', 'skip-quarantined', 'fixed-seed'].map((name) => `test/support/${name}.ts`),
    exclude: ['**/node_modules/**', ...(isCore ? ['**/*.extended.test.ts'] : [])],
    // A platform that starts beside other workers on two slow cores was seen to take 25 s, ten processes at once 50 s.
    testTimeout: 120_000 * patience,
    hookTimeout: 120_000 * patience,
    // A worker stores its compile cache when it ends. In the first run of a clone that took 10 s on two busy cores, later 2 ms.
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 30_000 * patience } },
    // No module has state of its own, so files can share a worker; loading everything anew for each would take a third of the time.
    isolate: isAlone,
    projects: projects.map(({ name, include, maxWorkers }, groupOrder) => ({
      extends: true,
      test: {
        name,
        include,
        maxWorkers: isAlone ? 1 : maxWorkers,
        sequence: { groupOrder },
      },
    })),
  },
})
