import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { UserError } from '#kernel/errors'
import { openHiddenPrompt } from '../hidden-prompt.ts'

/** Asks questions at the terminal, one line each. */
export interface Prompt extends Disposable {
  /** Throws a UserError when the input ends, for example after Ctrl-D. */
  ask(question: string): Promise<string>
}

export function openPrompt(): Prompt {
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  return {
    async ask(question) {
      const ended = new AbortController()
      const end = () => ended.abort()
      asking.once('close', end)
      try {
        return (await asking.question(question, { signal: ended.signal })).trim()
      } catch (error) {
        if (!ended.signal.aborted) throw error
        throw new UserError('Cancelled. Nothing was changed.', { cause: error })
      } finally {
        asking.off('close', end)
      }
    },
    [Symbol.dispose]: () => asking.close(),
  }
}

/** Asks at the terminal whether to go on. Throws a UserError without a terminal. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UserError(`${question} There is no terminal to ask at: repeat with --yes.`)
  using prompt = openPrompt()
  return /^y(es)?$/i.test(await prompt.ask(`${question} [y/N] `))
}

/**
 * Reads a secret value from standard input, or asks for it at the terminal without showing it: as an argument, other users of the
 * machine could see it. One line break at the end of piped input is not part of the value. Throws a UserError when there is no value.
 */
export async function readSecretValue(name: string): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) {
    const value = (await text(stdin)).replace(/\r?\n$/, '')
    if (value !== '') return value
    throw new UserError(
      `No ${name} came on standard input. Pipe it in, or run this in a terminal to be asked.`,
    )
  }
  using prompt = openHiddenPrompt({ input: stdin, output: stderr })
  const value = await prompt.ask(`${name.slice(0, 1).toUpperCase()}${name.slice(1)} (it is not shown): `)
  if (value === '') throw new UserError(`No ${name} was given. Nothing was changed.`)
  return value
}
