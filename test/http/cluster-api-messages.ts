interface Message {
  readonly event: string
  readonly data: Record<string, unknown>
}

/** The messages of a stream. */
export async function* readMessages(response: Response): AsyncGenerator<Message, void> {
  const decoder = new TextDecoder()
  let unread = ''
  for await (const chunk of response.body ?? []) {
    unread += decoder.decode(chunk as Uint8Array, { stream: true })
    const blocks = unread.split('\n\n')
    unread = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/s.exec(block) ?? []
      if (event !== '') yield { event, data: JSON.parse(data) as Message['data'] }
    }
  }
}

/** Reads to the first matching message. */
export async function until(
  messages: AsyncGenerator<Message, void>,
  wanted: (message: Message) => boolean,
): Promise<Message> {
  for (;;) {
    const { value, done } = await messages.next()
    if (done === true || value === undefined) throw new Error('the stream ended before that')
    if (wanted(value)) return value
  }
}
