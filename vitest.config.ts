import { defineConfig } from 'vitest/config'
import { UnitsLast } from './test/support/units-last.ts'

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'test/**/*.test.ts',
      'console/src/**/*.test.ts',
      'player/src/**/*.test.ts',
      'tdd/**/*.test.ts',
    ],
    globalSetup: ['test/support/global-setup.ts'],
    // A platform that starts beside four other workers on two slow cores was seen to take 25 s, ten processes at once 50 s.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A worker stores its compile cache when it ends. In the first run of a clone that took 10 s on two busy cores, later 2 ms.
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // Tests wait for processes and databases more than they compute.
    maxWorkers: 5,
    // No module has state of its own, so files can share a worker; loading everything anew for each would take a third of the time.
    isolate: false,
    sequence: { concurrent: false, sequencer: UnitsLast },
  },
})
