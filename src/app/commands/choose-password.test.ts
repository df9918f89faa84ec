import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { askTwice } from './choose-password.ts'
import { openHiddenPrompt } from './hidden-prompt.ts'

/** A fake terminal that records whether raw mode is on. */
class Terminal extends PassThrough {
  readonly isTTY = true
  readonly screen = new PassThrough()
  raw = false

  setRawMode(raw: boolean): this {
    this.raw = raw
    return this
  }

  shown(): Promise<string> {
    this.screen.end()
    return text(this.screen)
  }
}

const enter = '\r'
const backspace = '\u007f'
const clearLine = '\u0015'
const up = '\u001b[A'

describe('a hidden prompt', () => {
  test('switches the terminal to raw mode while it waits, and back afterwards', async () => {
    const terminal = new Terminal()
    {
      using prompt = openHiddenPrompt({ input: terminal, output: terminal.screen })
      const asked = prompt.ask('Password: ')
      expect(terminal.raw).toBe(true)
      terminal.write(`s3cret wörd${enter}`)
      expect(await asked).toBe('s3cret wörd')
    }
    expect(terminal.raw).toBe(false)
    expect(await terminal.shown()).toBe('Password: \n')
  })

  test('supports line editing, without the history of earlier lines', async () => {
    const terminal = new Terminal()
    using prompt = openHiddenPrompt({ input: terminal, output: terminal.screen })
    terminal.write(`wrong${clearLine}rigxx${backspace}${backspace}ht${enter}`)
    expect(await prompt.ask('1: ')).toBe('right')
    terminal.write(`${up}${enter}`)
    expect(await prompt.ask('2: ')).toBe('')
  })

  test('reads two pasted lines as two answers', async () => {
    const terminal = new Terminal()
    using prompt = openHiddenPrompt({ input: terminal, output: terminal.screen })
    terminal.write('one\ntwo\n')
    expect([await prompt.ask('1: '), await prompt.ask('2: ')]).toEqual(['one', 'two'])
  })

  test.each([
    ['Ctrl-C', 'half\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('%s cancels', async (_key, typed) => {
    const terminal = new Terminal()
    using prompt = openHiddenPrompt({ input: terminal, output: terminal.screen })
    const asked = prompt.ask('Password: ')
    terminal.write(typed)
    await expect(asked).rejects.toThrow('Cancelled. Nothing was changed.')
    expect(terminal.raw).toBe(false)
  })
})

/** Answers the prompts one after the other and collects the messages in between. */
function answerWith(...answers: readonly string[]) {
  const waiting = [...answers]
  const told: string[] = []
  const chosen = askTwice(
    'clara',
    async () => waiting.shift() ?? '',
    (line) => told.push(line),
  )
  return { chosen, told }
}

describe('a new password', () => {
  test('is requested again when it is too short or the repetition differs', async () => {
    const { chosen, told } = answerWith('short', 'long enough', 'long enouhg', 'long enough', 'long enough')
    expect(await chosen).toBe('long enough')
    expect(told).toEqual(['A password must have at least 8 characters.', 'The passwords do not match.'])
  })

  test('is requested three times at most', async () => {
    const { chosen } = answerWith('a', 'b', 'c', 'long enough', 'long enough')
    await expect(chosen).rejects.toThrow('No password was chosen. Nothing was changed.')
  })
})
