import { text } from 'node:stream/consumers'
import { describeUnfitPassword, generatePassword } from '#identity'
import { UserError } from '#kernel/errors'
import { openHiddenPrompt } from './hidden-prompt.ts'

export interface PasswordOptions {
  readonly generate?: true
  readonly passwordStdin?: true
}

const maxTries = 3

/** Generates a password, reads it from standard input, or asks for it twice. It is never an argument: other users can see those. */
export async function choosePassword(
  username: string,
  { generate, passwordStdin }: PasswordOptions,
): Promise<string> {
  if (generate) return generatePassword()
  const { stdin, stderr } = process
  if (!stdin.isTTY) return readPassword(stdin, passwordStdin === true)
  if (passwordStdin) {
    throw new UserError('Standard input is a terminal. Leave out --password-stdin to be asked.')
  }
  using prompt = openHiddenPrompt({ input: stdin, output: stderr })
  return await askTwice(username, prompt.ask, (line) => console.error(line))
}

/** Asks up to three times for a valid password and its repetition. */
export async function askTwice(
  username: string,
  ask: (question: string) => Promise<string>,
  tell: (line: string) => void,
): Promise<string> {
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const password = await ask(`New password for ${username}: `)
    const unfit = describeUnfitPassword(password)
    if (unfit !== undefined) {
      tell(`A password ${unfit}.`)
      continue
    }
    if ((await ask('Repeat the password: ')) === password) return password
    tell('The passwords do not match.')
  }
  throw new UserError('No password was chosen. Nothing was changed.')
}

async function readPassword(stdin: NodeJS.ReadStream, expected: boolean): Promise<string> {
  if (!expected) console.error('Reading the password from standard input.')
  const password = (await text(stdin)).replace(/\r?\n$/, '')
  if (password === '') {
    throw new UserError(
      'No password came on standard input. Pipe one in, use --generate, or run this in a terminal to be asked.',
    )
  }
  if (/[\r\n]/.test(password))
    throw new UserError('Standard input has more than one line; a password is one.')
  const unfit = describeUnfitPassword(password)
  if (unfit !== undefined) throw new UserError(`The password ${unfit}.`)
  return password
}
