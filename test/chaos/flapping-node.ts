import { startServiceFor, waitForNodes } from '../support/cluster-service.ts'
import { type MortalModelNode, startModelNode, startMortalModelNode } from '../support/model-node.ts'

interface FlappingNodeOptions {
  readonly callers: number
  /** At least this many requests, and more until the node has died `minDeaths` times. */
  readonly requests: number
  readonly minDeaths: number
}

export interface FlappingNodeReport {
  readonly seconds: number
  readonly requests: number
  readonly deaths: number
  /** Requests that moved to another node. */
  readonly moved: number
  /** Requests without a response: the reasons. */
  readonly lost: readonly string[]
  /** Streams that had begun when their node died, and ended with an error line. */
  readonly interrupted: number
}

const model = 'gemma3:4b'
const options = { num_predict: 10, token_delay_ms: 2 }

/** Kills one of two nodes again and again while it works, restarts it on its port, and counts what the callers received. */
export async function runFlappingNode(given: FlappingNodeOptions): Promise<FlappingNodeReport> {
  await using closing = new AsyncDisposableStack()
  const steady = closing.use(await startModelNode())
  let flapping: MortalModelNode = await startMortalModelNode()
  closing.defer(() => flapping.kill())
  const service = closing.use(await startServiceFor([flapping, steady], { HEALTH_CHECK_INTERVAL: '100' }))
  const startedMs = performance.now()
  const lost: string[] = []
  let [sent, deaths, moved, interrupted] = [0, 0, 0, 0]
  const isOver = () => sent >= given.requests && deaths >= given.minDeaths

  async function call(): Promise<void> {
    while (!isOver()) {
      sent += 1
      const stream = sent % 2 === 0
      const response = await service.post('/api/generate', { model, prompt: 'Why?', stream, options })
      const text = await response.text()
      if (response.headers.has('x-cluster-attempts')) moved += 1
      if (response.status !== 200) lost.push(`status ${response.status}: ${text}`)
      else if (text.includes('"error"')) interrupted += 1
      else if (!text.includes('"done":true')) lost.push(`incomplete: ${text}`)
    }
  }

  async function flap(): Promise<void> {
    const { port } = flapping
    while (!isOver()) {
      await waitForNodes(service.cluster, ([first]) => first?.status === 'healthy')
      while (!isOver() && (service.cluster.nodes()[0]?.active_connections ?? 0) === 0) await nextTurn()
      await flapping.kill()
      deaths += 1
      flapping = await startMortalModelNode({ port })
    }
  }

  await Promise.all([...Array.from({ length: given.callers }, call), flap()])
  const seconds = (performance.now() - startedMs) / 1000
  return { seconds, requests: sent, deaths, moved, lost, interrupted }
}

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1))
}
