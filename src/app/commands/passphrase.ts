import { text } from 'node:stream/consumers'
import { minPassphraseLength } from '#kernel/backup'
import { UserError } from '#kernel/errors'
import { openHiddenPrompt } from './hidden-prompt.ts'

/** Asks twice for a new passphrase, or reads it from standard input. It is never an argument: other users can see those. */
export async function choosePassphrase(): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) return readPassphrase(stdin)
  using prompt = openHiddenPrompt({ input: stdin, output: stderr })
  const passphrase = await prompt.ask(`Passphrase for the key (${minPassphraseLength} characters or more): `)
  if ((await prompt.ask('Repeat the passphrase: ')) !== passphrase)
    throw new UserError('The passphrases do not match. Nothing was done.')
  return passphrase
}

/** Asks once for the passphrase of a backup, or reads it from standard input. */
export async function askPassphrase(): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) return readPassphrase(stdin)
  using prompt = openHiddenPrompt({ input: stdin, output: stderr })
  return await prompt.ask('Passphrase of the key in the backup: ')
}

async function readPassphrase(stdin: NodeJS.ReadStream): Promise<string> {
  const passphrase = (await text(stdin)).replace(/\r?\n$/, '')
  if (passphrase !== '') return passphrase
  throw new UserError(
    'The passphrase is missing. Run this in a terminal to be asked, or give it on standard input.',
  )
}
