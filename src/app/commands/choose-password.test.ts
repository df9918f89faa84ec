import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { askTwice, openHiddenPrompt } from './choose-password.ts'

/** What a terminal is to its reader: it can be told to hand over every key unseen, and remembers that it was. */
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

describe('a question whose answer is not shown', () => {
  test('the terminal is told to show no key while it is asked, and to show them again afterwards', async () => {
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

  test('keys that mend a line work, and the line before cannot be fetched back', async () => {
    const terminal = new Terminal()
    using prompt = openHiddenPrompt({ input: terminal, output: terminal.screen })
    terminal.write(`wrong${clearLine}rigxx${backspace}${backspace}ht${enter}`)
    expect(await prompt.ask('1: ')).toBe('right')
    terminal.write(`${up}${enter}`)
    expect(await prompt.ask('2: ')).toBe('')
  })

  test('what is pasted with two lines answers two questions', async () => {
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

/** Answers one question after the other, and keeps what was said in between. */
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
  test('is asked for again when it is too short or the two differ', async () => {
    const { chosen, told } = answerWith('short', 'long enough', 'long enouhg', 'long enough', 'long enough')
    expect(await chosen).toBe('long enough')
    expect(told).toEqual(['A password must have at least 8 characters.', 'The passwords do not match.'])
  })

  test('is not asked for a fourth time', async () => {
    const { chosen } = answerWith('a', 'b', 'c', 'long enough', 'long enough')
    await expect(chosen).rejects.toThrow('No password was chosen. Nothing was changed.')
  })
})
