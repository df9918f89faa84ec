import { defineConfig } from 'vitest/config'
import { patience } from './test/support/patience.ts'

/** `core` leaves out the files named `*.extended.test.ts` and the quarantined tests; without it everything that is named runs. */
const isCore = process.env['TUTTI_TEST_SUITE'] === 'core'
/** Failed files run a second time alone: one file at a time, in a process of its own. */
const isAlone = process.env['TUTTI_TEST_ALONE'] === '1'

/** The projects of a group run together, the groups one after the other. On two cores more workers add latency, not speed: their tests share the processors. */
const projects = [
  { name: 'unit', folders: ['src', 'scripts'], maxWorkers: 3, groupOrder: 0 },
  { name: 'bundled-unit', folders: ['console/src', 'player/src', 'tdd/src'], maxWorkers: 3, groupOrder: 0 },
  {
    name: 'server',
    folders: ['test/architecture', 'test/database', 'test/http', 'test/security'],
    maxWorkers: 3,
    groupOrder: 1,
  },
  { name: 'tdd', folders: ['tdd/test'], maxWorkers: 3, groupOrder: 1 },
  { name: 'browser', folders: ['test/browser'], maxWorkers: 2, groupOrder: 2 },
  { name: 'process', folders: ['test/process'], maxWorkers: 2, groupOrder: 3 },
  // Tests that measure time or memory: no other test runs beside them or has run in their process.
  { name: 'alone', folders: ['test/alone'], maxWorkers: 1, groupOrder: 4 },
]

/** Code that is made for a bundler: JSX of the console, CommonJS of tutti-tdd. Vite compiles it; all else Node.js loads itself, as in production. */
const bundled: ReadonlySet<string> = new Set(['bundled-unit', 'tdd'])

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
    projects: projects.map(({ name, folders, maxWorkers, groupOrder }) => ({
      extends: true,
      test: {
        name,
        include: folders.map((folder) => `${folder}/**/*.test.ts`),
        maxWorkers: isAlone ? 1 : maxWorkers,
        // No module has state of its own, so files can share a worker; loading everything anew for each would take a third of the time.
        isolate: isAlone || name === 'alone',
        sequence: { groupOrder },
        experimental: bundled.has(name) ? {} : { viteModuleRunner: false, nodeLoader: false },
      },
    })),
  },
})
