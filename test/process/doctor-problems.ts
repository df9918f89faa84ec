import { expect } from 'vitest'
import { runTutti } from './run-tutti.ts'
import { takePort } from './taken-port.ts'

/** Expects that doctor names the problems of a port, a database and a model node that are another program. */
export async function expectProblemsNamed(program: { readonly silent?: boolean } = {}): Promise<void> {
  await using taken = await takePort(program)
  const { port } = taken
  const { code, stdout } = await runTutti(['doctor'], {
    env: {
      DATABASE_URL: `postgres://unknown:hunter2@127.0.0.1:${port}/none`,
      DATABASE_CONNECT_WAIT: '200ms',
      PORT: String(port),
      CLUSTER_PORT: '0',
      METRICS_PORT: '0',
      DISCOVERY_PORTS: '',
      CLUSTER_NODES: `http://127.0.0.1:${port}`,
    },
  })
  expect(code).toBe(1)
  expect(stdout).toMatch(/✗ DATABASE_URL: the PostgreSQL server cannot be reached .*\n {2}→ /)
  expect(stdout).toMatch(new RegExp(`✗ Platform: port ${port} is taken by another program\\n {2}→ .*PORT`))
  expect(stdout).toMatch(/! Model node .* does not answer/)
  expect(stdout).toContain('Tutti cannot start')
  expect(stdout).not.toContain('hunter2')
}
