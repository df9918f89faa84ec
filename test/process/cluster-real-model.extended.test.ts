import { Ollama } from 'ollama'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasRealModel } from '../../scripts/real-model/paths.ts'
import { startServiceFor, type TestClusterService } from '../support/cluster-service.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'

const model = 'stories15m'
const prompt = 'Once upon a time'
const file = new URL('../fixtures/real-model-node.ts', import.meta.url)

interface StoryNode {
  readonly url: string
  readonly process: RunningProcess
}

async function startStoryNode(): Promise<StoryNode> {
  const process = await startProcess({ file })
  const port = (await process.waitForLine(/^listening on \d+$/)).split(' ').at(-1) ?? ''
  return { url: `http://localhost:${port}`, process }
}

if (!hasRealModel()) {
  console.log(
    'No real model here, so none is tested. This gets one, 250 MB in .cache: node scripts/get-real-model.ts',
  )
}

describe.runIf(hasRealModel())('a real model', () => {
  let nodes: readonly StoryNode[]
  let service: TestClusterService
  let client: Ollama

  beforeAll(async () => {
    nodes = await Promise.all([startStoryNode(), startStoryNode()])
    service = await startServiceFor(nodes)
    client = new Ollama({ host: service.url })
  })
  afterAll(async () => {
    await service?.close()
    for (const { process } of nodes ?? []) await process[Symbol.asyncDispose]()
  })

  test('generates the same text through the cluster as on the node, at once and streamed', async () => {
    const [first] = nodes
    const own = await new Ollama({ host: first?.url ?? '' }).generate({ model, prompt })
    expect(own.response).toContain('there was a little girl named')
    const whole = await client.generate({ model, prompt })
    expect(whole).toMatchObject({ response: own.response, done: true, eval_count: 64 })
    const words: string[] = []
    for await (const { message } of await client.chat({
      model,
      messages: [{ role: 'user', content: prompt }],
      stream: true,
    })) {
      words.push(message.content)
    }
    expect(words.length).toBe(65)
    expect(words.join('')).toBe(own.response)
    expect(await service.metrics.render()).toMatch(
      /tutti_cluster_tokens_total\{node="[^"]+",model="stories15m:latest",kind="completion"\} \d+/,
    )
  })

  test('is called on all its nodes', async () => {
    const stories = Array.from({ length: 8 }, () =>
      client.generate({ model, prompt, options: { num_predict: 8 } }),
    )
    expect(new Set((await Promise.all(stories)).map(({ response }) => response)).size).toBe(1)
    expect(service.cluster.nodes().every(({ requests }) => requests > 0)).toBe(true)
    expect(await client.ps()).toMatchObject({ models: [{ name: 'stories15m:latest' }] })
  })

  test('stops when its caller disconnects', async () => {
    const stream = await client.generate({ model, prompt, stream: true, options: { num_predict: 100_000 } })
    const reading = (async () => {
      let told = ''
      for await (const { response } of stream) {
        told += response
        if (told.length > 20) stream.abort()
      }
    })()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    await Promise.any(nodes.map(({ process }) => process.waitForLine(/^cancelled after \d+ tokens$/)))
  })

  test('generates on another node when one is killed, and the broken stream ends with an error', async () => {
    const pair = await Promise.all([startStoryNode(), startStoryNode()])
    await using closing = new AsyncDisposableStack()
    for (const { process } of pair) closing.use(process)
    await using between = await startServiceFor(pair)
    const asked = new Ollama({ host: between.url })
    const stream = await asked.generate({ model, prompt, stream: true, options: { num_predict: 100_000 } })
    const outcome = (async () => {
      let told = ''
      for await (const { response } of stream) told += response
      return told
    })().catch(String)
    const busy = between.cluster.nodes().findIndex(({ active_connections: active }) => active > 0)
    await pair[busy]?.process.kill()
    expect(await outcome).toMatch(/^Error: node localhost-\d+-\w+ failed/)
    const after = await asked.generate({ model, prompt, options: { num_predict: 8 } })
    expect(after).toMatchObject({ done: true, eval_count: 8 })
  })
})
