import { describe, expect, test } from 'vitest'
import { importProblem } from '../../scripts/import-rules.ts'

describe('import directions', () => {
  test.each([
    ['src/app/main.ts', '#identity', undefined],
    ['src/app/main.ts', '#kernel/http', undefined],
    ['src/identity/index.ts', '#kernel/database', undefined],
    ['src/identity/index.ts', './sessions/session.ts', undefined],
    ['src/kernel/work/worker.ts', '#kernel/database', undefined],
    ['src/identity/index.ts', 'fastify', undefined],
    ['src/identity/index.ts', '#cluster', 'is not among what identity may use'],
    ['src/newcomer/index.ts', '#identity', 'is not in the table of capabilities'],
    ['src/newcomer/index.ts', '#kernel/http', 'is not in the table of capabilities'],
    ['src/identity/index.ts', '#app', 'is not among what identity may use'],
    ['src/kernel/http/server.ts', '#identity', 'makes the kernel know a capability'],
    ['src/kernel/errors/failure.ts', '#kernel/http', 'goes upward'],
    ['src/kernel/novel/index.ts', '#kernel/http', 'not in the order of modules'],
    ['src/identity/index.ts', '../kernel/database/migrate.ts', 'reaches into another module'],
    ['src/identity/index.ts', '../app/main.ts', 'reaches into another module'],
    ['src/kernel/http/server.ts', '../work/worker.ts', 'reaches into another module'],
    ['src/identity/sessions/session.ts', '#identity', 'is the public API of its own module'],
    ['src/app/main.ts', '#kernel/http/server.ts', 'is no public API'],
    ['src/app/settings.ts', '#settings/identity', undefined],
    ['src/app/migrations.ts', '#migrations/kernel/work', undefined],
    ['src/workflows/status.test.ts', '#testing/executions-api', undefined],
    ['src/workflows/status.ts', '#testing/executions-api', 'is for tests alone'],
    ['src/workflows/index.ts', '#settings/engine', 'is an entry point for the app alone'],
  ])('%s importing %s', (file, target, problem) => {
    const found = importProblem(file, target)
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(problem)
  })
})
