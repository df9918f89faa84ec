import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type OrchestraServer, startOrchestraServer } from './orchestra-server.ts'
import { openStream } from './streams-client.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

describe('streams', () => {
  let server: OrchestraServer
  const steps = createObedientSteps()

  beforeAll(async () => {
    server = await startOrchestraServer({ runStep: () => steps.runStep })
  })
  afterAll(() => server?.[Symbol.asyncDispose]())
  beforeEach(() => steps.reset())

  const openLive = () => openStream(`${server.url}/ai-orchestra/api/live-stream`, server.headersOf('nora'))

  test('three hundred concurrent readers get every event once', async () => {
    await using closing = new AsyncDisposableStack()
    const streams = await Promise.all(Array.from({ length: 300 }, async () => closing.use(await openLive())))
    const flow = await server.save([prompt('only', 'x')])
    const { body } = await server.post('/execute-workflow', { workflow_id: flow })
    await Promise.all(streams.map((stream) => stream.until(({ event }) => event === 'workflow_completed')))
    for (const { heard } of streams) {
      const its = heard.filter(({ data }) => data.execution_id === body.execution_id)
      expect(its.map(({ event }) => event)).toEqual(['workflow_started', 'workflow_completed'])
    }
  })

  test('model output arrives while it is generated', async () => {
    const flow = await server.save([
      prompt('first', 'wait begin'),
      prompt('second', 'wait go', { dependencies: ['first'] }),
    ])
    const { body } = await server.post('/execute-workflow', { workflow_id: flow, options: { async: true } })
    await steps.reached('begin')
    await using stream = await openStream(
      `${server.url}/ai-workflows/api/execution-stream/${body.execution_id}`,
      server.headersOf('nora'),
    )
    await stream.until(({ event }) => event === 'execution_started')
    steps.release('begin')
    const said = await stream.until(({ event, data }) => event === 'token' && data.step_id === 'second')
    // It cannot have ended: it still waits for the test.
    expect(said.data.text).toBe('So far ')
    expect(stream.heard.some(({ event }) => event === 'execution_completed')).toBe(false)
    steps.release('go')
    await stream.until(({ event }) => event === 'execution_completed')
  })

  // The last one: its readers keep the process busy, and a busy server refuses requests.
  test('a reader that does not read delays no other, and misses nothing', async () => {
    const filler = 'x'.repeat(4000)
    const count = 6000
    await using slow = await openLive()
    await slow.until(({ event }) => event === 'status_update')
    slow.pause()
    await using quick = await openLive()
    const account = server.idOf('nora')
    for (let first = 0; first < count; first += 200) {
      await server.events.append(
        Array.from({ length: 200 }, (_, index) => ({
          type: 'orchestra.error',
          account,
          data: { n: first + index, filler },
        })),
      )
    }
    const isLast = ({ data }: { data: { n?: number } }) => data.n === count - 1
    await quick.until(isLast)
    expect(slow.heard.some(isLast)).toBe(false)
    slow.resume()
    await slow.until(isLast)
    for (const { heard } of [quick, slow]) {
      const numbers = heard.flatMap(({ data }) => (data.n === undefined ? [] : [data.n]))
      expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index))
    }
  })
})
