import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sampleFlows } from '../../src/engine/built-in/samples/sample-flows.ts'
import { type NodeReply, startScriptedNode } from '../http/models-scripted-node.ts'
import type { ReceivedRequest } from './scripted-server.ts'

/** A page with what a reader does not see, too. */
const page = `<!doctype html><html><head><title>Tea</title><style>p { color: red }</style></head><body>
  <h1>Green   tea</h1><script>track("visit")</script>
  <p>Heat the water to <b>80 degrees</b>.</p><ul><li>Wait two minutes &amp; enjoy.</li></ul></body></html>`

interface SiteRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A site with a page and an API for reports. */
export interface SampleSite extends AsyncDisposable {
  readonly url: string
  readonly host: string
  /** All requests, in order. */
  readonly requests: readonly SiteRequest[]
  /** While it is set, requests to this path get no response. */
  hold(path: string | undefined): void
}

export async function startSampleSite(): Promise<SampleSite> {
  const requests: SiteRequest[] = []
  let held: string | undefined
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('error', () => {})
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { method = '', url: path = '', headers } = incoming
      requests.push({ method, path, headers, body: Buffer.concat(chunks).toString() })
      if (path !== held) respond(method, path, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    requests,
    hold(path) {
      held = path
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function respond(method: string, path: string, response: ServerResponse): void {
  if (method === 'POST') {
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"report-1"}')
    return
  }
  const known = path === '/' || path === '/tea'
  response.writeHead(known ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
  response.end(known ? page : '<h1>Not found</h1>')
}

/** A node with a language model that knows the prompts of the samples. */
export interface SampleModel extends AsyncDisposable {
  readonly url: string
  /** The prompts of all completions, in order. */
  readonly prompts: readonly string[]
  /** Prompts for which this is true get no response. */
  hold(isHeld: (prompt: string) => boolean): void
}

export async function startSampleModel(): Promise<SampleModel> {
  const prompts: string[] = []
  let isHeld: ((prompt: string) => boolean) | undefined
  const node = await startScriptedNode({
    description: { capabilities: ['completion'] },
    replyTo(request) {
      const prompt = promptOf(request)
      prompts.push(prompt)
      return isHeld?.(prompt) === true ? 'hang' : replyTo(prompt)
    },
  })
  return {
    url: node.url,
    prompts,
    hold(held) {
      isHeld = held
    },
    [Symbol.asyncDispose]: () => node[Symbol.asyncDispose](),
  }
}

function promptOf({ body }: ReceivedRequest): string {
  const messages = body['messages'] as readonly { readonly role: string; readonly content: string }[]
  return messages.findLast(({ role }) => role === 'user')?.content ?? ''
}

const says = (value: unknown) => ({ steps: [{ text: JSON.stringify(value) }] })

function replyTo(prompt: string): NodeReply {
  const [, language = '', line = ''] = /^Translate into (\w+): (.*)$/.exec(prompt) ?? []
  if (/untranslatable/.test(line)) return says({ sorry: 'I do not know it.' })
  if (line !== '') return says({ translation: `${language}: ${line}` })
  if (prompt.startsWith('Question:')) {
    const found = prompt.includes('80 degrees')
    return says({
      found,
      answer: found ? '80 degrees' : 'The page does not say it.',
      quotes: found ? ['Heat the water to 80 degrees.'] : [],
    })
  }
  if (/Stay away/.test(prompt)) return says({ severity: 5, confidence: 0.6, reason: 'It names people.' })
  if (/broken model/.test(prompt)) return { status: 400, message: 'The model cannot read this.' }
  const [, severity = '0', confidence = '1'] = /severity (\d+) confidence ([\d.]+)/.exec(prompt) ?? []
  return says({ severity: Number(severity), confidence: Number(confidence), reason: `It is ${severity}.` })
}

/** A sample as a user copies it: with an id of its own, and the host of the site in place of the example. */
export function copyOfSample(id: string, site: Pick<SampleSite, 'url'>) {
  const sample = sampleFlows.find(({ definition }) => definition.id === id)
  if (sample === undefined) throw new Error(`there is no sample ${id}`)
  const text = JSON.stringify({ ...sample.definition, id: `my_${id}` })
  return {
    definition: JSON.parse(text.replaceAll(/https:\/\/(?:api\.)?example\.com/g, site.url)) as {
      readonly id: string
    },
    input: sample.metadata.sample_input ?? {},
  }
}
