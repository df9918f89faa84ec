import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { UserError } from '#kernel/errors'

export interface HiddenPromptOptions {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/** Asks at a terminal without showing what is typed. */
export interface HiddenPrompt extends Disposable {
  readonly ask: (question: string) => Promise<string>
}

export function openHiddenPrompt({ input, output }: HiddenPromptOptions): HiddenPrompt {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const typing = createInterface({ input, output: nowhere, terminal: true, historySize: 0 })
  // One reader for all questions: the second line of a pasted text answers the second question.
  const lines = typing[Symbol.asyncIterator]()

  return {
    async ask(question) {
      output.write(question)
      const line = await lines.next()
      output.write('\n')
      if (line.done === true) throw new UserError('Cancelled. Nothing was changed.')
      return line.value
    },
    [Symbol.dispose]: () => typing.close(),
  }
}
