import { describe, expect, test } from 'vitest'
import { createConversation } from './conversation.ts'

function answerWith(...words: readonly string[]): Response {
  const chunks = words.map((content) => ({ choices: [{ delta: { content } }] }))
  const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
  return new Response(`${text}data: [DONE]\n\n`, { headers: { 'x-call-id': 'c1' } })
}

/** A conversation with scripted responses, and a clock that advances by 10 ms per reading. */
function setUp(...answers: ReadonlyArray<(request: Request) => Response | Promise<Response>>) {
  const bodies: Array<{
    readonly model: string
    readonly messages: readonly { readonly content: string }[]
  }> = []
  let time = 0
  const conversation = createConversation({
    origin: 'http://tutti.test',
    now: () => (time += 10),
    async send(request) {
      bodies.push(await request.clone().json())
      const answer = answers[bodies.length - 1]
      if (answer === undefined) throw new Error('unexpected question')
      return await answer(request)
    },
  })
  async function until(state: string): Promise<void> {
    const isSo = () => conversation.read().turns.at(-1)?.answer.state === state
    if (isSo()) return
    await new Promise<void>((resolve) => {
      const leave = conversation.subscribe(() => {
        if (!isSo()) return
        leave()
        resolve()
      })
    })
  }
  return { conversation, bodies, until, last: () => conversation.read().turns.at(-1) }
}

describe('a conversation', () => {
  test('grows token by token, and measures its times', async () => {
    const { conversation, until, last } = setUp(() => answerWith('The', ' sky'))
    conversation.ask('Why?', 'gemma3:4b')
    expect(last()?.answer.state).toBe('asking')
    await until('answered')
    expect(last()).toMatchObject({
      question: 'Why?',
      model: 'gemma3:4b',
      answer: { text: 'The sky', by: { callId: 'c1' } },
    })
    const { firstMs = 0, totalMs = 0 } = last()?.answer ?? {}
    expect(firstMs).toBeGreaterThan(0)
    expect(totalMs).toBeGreaterThan(firstMs)
  })

  test('sends the earlier turns without the unanswered ones', async () => {
    const { conversation, bodies, until } = setUp(
      () => answerWith('Four.'),
      () => new Response(null, { status: 503 }),
      () => answerWith('Six.'),
    )
    conversation.ask('Two and two?', 'a')
    await until('answered')
    conversation.ask('Two and three?', 'a')
    await until('failed')
    conversation.ask('Two and four?', 'b')
    await until('answered')
    expect(bodies.at(-1)).toMatchObject({ model: 'b' })
    expect(bodies.at(-1)?.messages.map(({ content }) => content)).toEqual([
      'Two and two?',
      'Four.',
      'Two and four?',
    ])
  })

  test('retries the last question with the model chosen now', async () => {
    const { conversation, bodies, until, last } = setUp(
      () => answerWith('No.'),
      () => answerWith('Yes.'),
    )
    conversation.ask('Is it?', 'a')
    await until('answered')
    conversation.askAgain('b')
    expect(last()?.answer.text).toBe('')
    await until('answered')
    expect(conversation.read().turns).toHaveLength(1)
    expect(bodies.at(-1)).toMatchObject({ model: 'b', messages: [{ content: 'Is it?' }] })
    expect(last()?.answer.text).toBe('Yes.')
  })

  test('stops: the request is aborted, and the partial answer stays part of the conversation', async () => {
    const aborted = Promise.withResolvers<void>()
    const { conversation, bodies, until, last } = setUp(
      ({ signal }) => {
        signal.addEventListener('abort', () => aborted.resolve())
        const chunk = `data: ${JSON.stringify({ choices: [{ delta: { content: 'One, two,' } }] })}\n\n`
        const endless = new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(chunk))
            signal.addEventListener('abort', () => controller.error(signal.reason))
          },
        })
        return new Response(endless)
      },
      () => answerWith('three.'),
    )
    conversation.ask('Count.', 'a')
    await until('coming')
    conversation.stop()
    await aborted.promise
    await until('stopped')
    expect(last()?.answer).toMatchObject({ text: 'One, two,' })
    expect(last()?.answer.failure).toBeUndefined()
    conversation.ask('Go on.', 'a')
    await until('answered')
    expect(bodies.at(-1)?.messages.map(({ content }) => content)).toEqual(['Count.', 'One, two,', 'Go on.'])
  })

  test('asks one question at a time', async () => {
    const { conversation, bodies, until } = setUp(() => answerWith('One.'))
    conversation.ask('First?', 'a')
    conversation.ask('Second?', 'a')
    conversation.askAgain('a')
    await until('answered')
    expect(bodies).toHaveLength(1)
  })

  test('a new conversation drops the answer that is still streaming', async () => {
    const never = Promise.withResolvers<Response>()
    const { conversation, until } = setUp(
      () => never.promise,
      () => answerWith('Yes.'),
    )
    conversation.ask('Anybody?', 'a')
    conversation.clear()
    expect(conversation.read().turns).toEqual([])
    conversation.ask('Now?', 'a')
    await until('answered')
    never.resolve(answerWith('Too late.'))
    expect(conversation.read().turns.map(({ answer }) => answer.text)).toEqual(['Yes.'])
  })
})
