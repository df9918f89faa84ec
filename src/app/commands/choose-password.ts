import { text } from 'node:stream/consumers'
import { describeUnfitPassword, generatePassword } from '#identity'
import { UserMistake } from '#kernel/errors'
import { openHiddenPrompt } from './hidden-prompt.ts'

export interface PasswordOptions {
  readonly generate?: true
  readonly passwordStdin?: true
}

const mostTries = 3

/** A password from where the options say: made up, piped in, or typed twice. It is never an argument: those are public. */
export async function choosePassword(
  username: string,
  { generate, passwordStdin }: PasswordOptions,
): Promise<string> {
  if (generate) return generatePassword()
  const { stdin, stderr } = process
  if (!stdin.isTTY) return readPassword(stdin, passwordStdin === true)
  if (passwordStdin) {
    throw new UserMistake('Standard input is a terminal. Leave out --password-stdin to be asked.')
  }
  using prompt = openHiddenPrompt({ input: stdin, output: stderr })
  return await askTwice(username, prompt.ask, (line) => console.error(line))
}

/** Asks until both are the same and fit, but not for ever. */
export async function askTwice(
  username: string,
  ask: (question: string) => Promise<string>,
  tell: (line: string) => void,
): Promise<string> {
  for (let attempt = 0; attempt < mostTries; attempt += 1) {
    const password = await ask(`New password for ${username}: `)
    const unfit = describeUnfitPassword(password)
    if (unfit !== undefined) {
      tell(`A password ${unfit}.`)
      continue
    }
    if ((await ask('The same again: ')) === password) return password
    tell('The two are not the same.')
  }
  throw new UserMistake('No password was chosen. Nothing was changed.')
}

async function readPassword(stdin: NodeJS.ReadStream, expected: boolean): Promise<string> {
  if (!expected) console.error('Reading the password from standard input.')
  const password = (await text(stdin)).replace(/\r?\n$/, '')
  if (password === '') {
    throw new UserMistake(
      'No password came on standard input. Pipe one in, use --generate, or run this in a terminal to be asked.',
    )
  }
  if (/[\r\n]/.test(password))
    throw new UserMistake('Standard input has more than one line; a password is one.')
  const unfit = describeUnfitPassword(password)
  if (unfit !== undefined) throw new UserMistake(`The password ${unfit}.`)
  return password
}
