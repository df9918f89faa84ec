import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { UserMistake } from '#kernel/errors'

export interface HiddenPromptOptions {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/** Asks at a terminal for what must not appear on it. */
export interface HiddenPrompt extends Disposable {
  readonly ask: (question: string) => Promise<string>
}

/** The terminal shows nothing of what is typed for as long as this is open. */
export function openHiddenPrompt({ input, output }: HiddenPromptOptions): HiddenPrompt {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const typing = createInterface({ input, output: nowhere, terminal: true, historySize: 0 })
  // One reader for all questions: what was pasted with more than one line answers the next one, too.
  const lines = typing[Symbol.asyncIterator]()

  return {
    async ask(question) {
      output.write(question)
      const line = await lines.next()
      output.write('\n')
      if (line.done === true) throw new UserMistake('Cancelled. Nothing was changed.')
      return line.value
    },
    [Symbol.dispose]: () => typing.close(),
  }
}
