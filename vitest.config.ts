import { defineConfig } from 'vitest/config'

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
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 15_000 } },
    // Tests wait for processes and databases more than they compute.
    maxWorkers: 4,
    // No module has state of its own, so files can share a worker; loading everything anew for each would take a third of the time.
    isolate: false,
    sequence: { concurrent: false },
  },
})
